import type { Urn } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';
import { RowModel, isListed } from './rows.js';
import type { Row } from './rows.js';

/** Every resource that changes, once: its row, and the step that says most about it. */
export class ChangedSteps {
  readonly rows = new RowModel();
  readonly #steps = new Map<Urn, StepView>();

  take(event: EngineEvent): void {
    const row = this.rows.apply(event, 0);
    if ((event.t !== 'step-ended' && event.t !== 'step-failed') || row === undefined || !isListed(row))
      return;
    const before = this.#steps.get(row.urn);
    if (before === undefined || event.step.kind === row.kind || row.kind !== before.kind)
      this.#steps.set(row.urn, event.step);
  }

  /** In order of appearance. */
  all(): readonly { readonly row: Row; readonly step: StepView }[] {
    return [...this.#steps].flatMap(([urn, step]) => {
      const row = this.rows.byUrn.get(urn);
      return row === undefined ? [] : [{ row, step }];
    });
  }
}
