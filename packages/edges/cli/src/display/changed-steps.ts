import type { Urn } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';
import { RowModel } from './rows.js';
import type { Row } from './rows.js';

/** Every changed resource, once: its row, and its most significant step. */
export class ChangedSteps {
  readonly rows: RowModel;
  readonly #steps = new Map<Urn, StepView>();

  /** `listing` selects the other resources that have a line, and the names that are shown. */
  constructor(listing: ConstructorParameters<typeof RowModel>[0] = {}) {
    this.rows = new RowModel(listing);
  }

  take(event: EngineEvent): void {
    const row = this.rows.apply(event, 0);
    if (event.t !== 'step-ended' && event.t !== 'step-failed') return;
    if (row === undefined || !this.rows.listed.has(row.urn)) return;
    const before = this.#steps.get(row.urn);
    if (before === undefined || event.step.kind === row.kind || row.kind !== before.kind)
      this.#steps.set(row.urn, event.step);
  }

  /** Returns the changed resources in order of appearance. */
  all(): readonly { readonly row: Row; readonly step: StepView }[] {
    return [...this.#steps].flatMap(([urn, step]) => {
      const row = this.rows.byUrn.get(urn);
      return row === undefined ? [] : [{ row, step }];
    });
  }
}
