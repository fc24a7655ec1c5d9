import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Reason } from '../model/reason.js';
import type { Cell } from '../model/cell.js';
import type { StepKind } from '../model/step-kinds.js';

/** Facts about the run so far that rules may read. All answers are O(1). */
export interface RunView {
  /** Returns the progress of a URN, or `undefined` if this run has not registered it. */
  progress(urn: Urn): RegistrationProgress | undefined;
  /** Returns the entry that a URN ended with in this run. */
  entry(urn: Urn): ResourceEntry | undefined;
  /** Returns the URN that claimed an old URN through an alias. */
  claimedBy(old: Urn): Urn | undefined;
  /** Returns the old URN under which a URN of this run found its prior entry through an alias. */
  oldUrn(urn: Urn): Urn | undefined;
  /** True if the resource was replaced in this run. Accepts its old and its new URN. */
  isReplaced(urn: Urn): boolean;
  /** True if a registration owns the prior entry. */
  isMatched(cell: Cell): boolean;
  /** True if a registration that owns the prior entry was decided. */
  isProcessed(cell: Cell): boolean;
  /** True if a delete-first replacement of something the entry needs has deleted (or is deleting) it. */
  isCondemned(cell: Cell): boolean;
  /** Returns the reason of the condemnation, or `undefined` if the entry was not condemned. */
  condemnation(cell: Cell): Reason | undefined;
  /** True if a read of its object before the program ran found none. */
  hasVanished(urn: Urn): boolean;
  /** Returns the step decided for a URN in this run: `replace` for a replacement, otherwise the first step. */
  step(urn: Urn): StepKind | undefined;
  /** True if the URN is in the growing set of targets. */
  isTargeted(urn: Urn): boolean;
  /** True if the URN was registered but kept as it was, because it is out of scope. */
  isUntouched(urn: Urn): boolean;
  /** True if the entry got a `same` step without a registration, because it is out of scope. */
  isKept(cell: Cell): boolean;
  /** Returns the parent of a resource that was left out of the run. */
  leftOutParent(urn: Urn): Urn | undefined;
  /** True if an error has named the resource that was left out. */
  isBlamed(urn: Urn): boolean;
}

/**
 * Progress of a URN of this run. `skipped`: never reached because something it needs failed; `left-out`: a create out
 * of scope.
 */
export type RegistrationProgress = 'registered' | 'decided' | 'ended' | 'failed' | 'skipped' | 'left-out';
