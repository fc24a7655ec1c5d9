import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Reason } from '../model/reason.js';
import type { Cell } from '../model/cell.js';
import type { StepKind } from '../model/step-kinds.js';

/** What rules may ask about the run so far. All answers are O(1). */
export interface RunView {
  /** How far a URN is; undefined when nobody registered it in this run. */
  progress(urn: Urn): Progress | undefined;
  /** The entry a URN ended with in this run. */
  entry(urn: Urn): ResourceEntry | undefined;
  /** The URN that claimed an old URN through an alias. */
  claimedBy(old: Urn): Urn | undefined;
  /** The old URN under which a URN of this run found its prior entry through an alias. */
  oldUrn(urn: Urn): Urn | undefined;
  /** Whether the resource was replaced in this run; old and new URN both count. */
  isReplaced(urn: Urn): boolean;
  /** Whether a registration owns the prior entry. */
  isMatched(cell: Cell): boolean;
  /** Whether a registration that owns the prior entry was decided. */
  isProcessed(cell: Cell): boolean;
  /** Whether a delete-first replacement of something it needs has deleted (or is deleting) the entry. */
  isCondemned(cell: Cell): boolean;
  /** Because of what it was condemned; undefined when it was not. */
  condemnation(cell: Cell): Reason | undefined;
  /** Whether a look at its object before the program found none. */
  hasVanished(urn: Urn): boolean;
  /** What was decided about a URN in this run: `replace` for a replacement, else the first step. */
  step(urn: Urn): StepKind | undefined;
  /** Whether the URN is in the growing set of targets. */
  isTargeted(urn: Urn): boolean;
  /** Whether the URN was registered but kept as it was, because it is out of scope. */
  isUntouched(urn: Urn): boolean;
  /** Whether the entry has got a `same` step without a registration, because it is out of scope. */
  isKept(cell: Cell): boolean;
  /** Parent that a resource would have had that was left out of the run. */
  leftOutParent(urn: Urn): Urn | undefined;
  /** Whether an error has named the resource that was left out. */
  isBlamed(urn: Urn): boolean;
}

/**
 * How far a URN of this run is. `skipped`: never reached because something it needs failed; `left-out`: a create out of
 * scope.
 */
export type Progress = 'registered' | 'decided' | 'ended' | 'failed' | 'skipped' | 'left-out';
