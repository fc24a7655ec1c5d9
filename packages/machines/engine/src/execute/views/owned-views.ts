import type { Urn } from '@cairn/addresses';
import type { UpdateRequest } from '@cairn/wire';
import type { Cell } from '../../model/cell.js';
import { oldOf } from '../../model/step.js';
import type { Step, StepOf } from '../../model/step.js';
import type { LiveState } from '../../record/live-state.js';
import type { Recorder } from '../../record/recorder.js';
import type { PublishedViews } from './published-views.js';
import { removal, viewOfEntry } from './view-changes.js';
import type { ViewChange } from './view-changes.js';

/** Fields of a call for views. */
export interface ViewFields {
  readonly views: UpdateRequest['views'];
  readonly oldViews: UpdateRequest['oldViews'];
}

/** Views of one resource during one call of its provider. */
interface OpenViews {
  readonly fields: ViewFields;
  /** Changes published so far, in order. */
  readonly changes: readonly ViewChange[];
  /** Ends the publishing. */
  close(): void;
}

/** Dependencies of {@link OwnedViews}. */
interface OwnedViewsParts {
  readonly recorder: Pick<Recorder, 'live'>;
  readonly published: PublishedViews;
  /** Address where providers in other processes publish. Empty while nothing is served. */
  readonly address: () => string;
}

/** Views by owner. They follow their owner and have no steps of their own. */
export class OwnedViews {
  #index: { readonly of: LiveState; readonly byOwner: Map<Urn, Set<Cell>> } | undefined;

  readonly #parts: OwnedViewsParts;

  constructor(parts: OwnedViewsParts) {
    this.#parts = parts;
  }

  /** Returns the live views of an owner, in snapshot order. */
  viewsOf(owner: Urn): readonly Cell[] {
    return this.#cells(owner).filter(({ entry }) => !entry.delete);
  }

  /** Opens the views of a step's resource for one call. */
  open(step: Step): OpenViews {
    const { published, address } = this.#parts;
    const old = this.oldViews(step);
    const views = published.open({
      step,
      old: this.#replaceable(step) ?? old,
      beside: isBeside(step),
      address: address(),
    });
    const oldViews = old.length === 0 ? undefined : old.map(({ entry }) => viewOfEntry(entry));
    return { fields: { views, oldViews }, changes: views.changes, close: () => views.close() };
  }

  /**
   * Returns the views that a step starts from. For the delete of a replaced object these are the views that the object
   * leaves behind.
   */
  oldViews(step: Step): readonly Cell[] {
    const old = oldOf(step);
    if (old === undefined || isBeside(step)) return NOTHING;
    const cells = this.#cells(old.urn);
    return old.delete
      ? cells.filter(({ entry, place }) => entry.delete || place.t === 'base')
      : cells.filter(({ entry }) => !entry.delete);
  }

  /**
   * Returns the removals of the remaining views of a deleted resource [VIEW-5]. They include those that another tool
   * has left pending delete.
   */
  leftOver(step: Step): readonly ViewChange[] {
    const op =
      step.kind === 'delete-replaced' || step.kind === 'discard-replaced' ? 'delete-replaced' : 'delete';
    const old = oldOf(step);
    const isLast =
      old !== undefined && !old.delete && this.#parts.recorder.live.leaving(old.urn).length === 0;
    return (isLast ? this.#cells(old.urn) : this.oldViews(step)).map((cell) => removal(cell, op));
  }

  /** Returns the views that the create of a new object may replace, although its provider does not receive them. */
  #replaceable(step: Step): readonly Cell[] | undefined {
    return isBeside(step) ? this.viewsOf(step.old.urn) : undefined;
  }

  /** Notifies the listener of a change to a view that no provider has published. */
  published(owner: Step, change: ViewChange): void {
    this.#parts.published.onPublished(owner, change);
  }

  /** Records that a view has received a record. */
  added(cell: Cell): void {
    const owner = cell.entry.viewOf;
    if (owner !== undefined) note(this.#byOwner(), owner, cell);
  }

  #cells(owner: Urn): readonly Cell[] {
    const found = this.#byOwner().get(owner);
    return found === undefined ? NOTHING : [...found].filter(({ gone }) => !gone);
  }

  /** Built once for a live state. Later additions are recorded. */
  #byOwner(): Map<Urn, Set<Cell>> {
    const { live } = this.#parts.recorder;
    if (this.#index?.of !== live) {
      const byOwner = new Map<Urn, Set<Cell>>();
      for (const cell of live.cells())
        if (cell.entry.viewOf !== undefined) note(byOwner, cell.entry.viewOf, cell);
      this.#index = { of: live, byOwner };
    }
    return this.#index.byOwner;
  }
}

const NOTHING: readonly Cell[] = [];

/** Returns true if the step makes a new object beside the old one, whose views exist as long as it does. */
function isBeside(step: Step): step is StepOf<'create-replacement'> {
  return step.kind === 'create-replacement';
}

function note(byOwner: Map<Urn, Set<Cell>>, owner: Urn, cell: Cell): void {
  const known = byOwner.get(owner);
  if (known === undefined) byOwner.set(owner, new Set([cell]));
  else known.add(cell);
}
