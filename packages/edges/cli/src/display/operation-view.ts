import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';
import { formatDuration } from '../terminal/duration.js';
import { PolicySection } from './policy-section.js';
import { RowModel, isListed } from './rows.js';
import type { Listing, Row } from './rows.js';
import { RunningTally } from './tally.js';

/** Parts of a view that grow with the number of resources, and the names in them. */
interface ViewOptions {
  /** Rows that have a line, and their names. */
  readonly listing: Listing;
  /** True to keep a row for each resource. */
  readonly keepsRows: boolean;
  /** True to keep the step of each changed resource too. Requires rows. */
  readonly keepsChanges: boolean;
  /** Folder to which folders of policy packs are relative. */
  readonly cwd: string;
  readonly unicode: boolean;
}

/** A changed resource: its row, and its most significant step. */
export interface ChangedResource {
  readonly row: Row;
  readonly step: StepView;
}

interface RunningStep {
  readonly step: StepView;
  readonly sinceMs: number;
}

/**
 * State of a pass, made from its events in their order. Each event is applied once; displays, answers and files about
 * the pass read the same view. Rows and changes remain empty unless they are kept.
 */
export class OperationView {
  readonly rows: RowModel;
  /** Facts that the summary's counts do not contain. */
  readonly tally = new RunningTally();
  readonly policies: PolicySection;
  readonly #options: ViewOptions;
  readonly #changes = new Map<Urn, StepView>();
  /** Running steps by kind and URN. */
  readonly #running = new Map<string, RunningStep>();

  constructor(options: ViewOptions) {
    this.#options = options;
    this.rows = new RowModel(options.listing);
    this.policies = new PolicySection(options.cwd, options.unicode);
  }

  /** Applies an event; returns the row that it changed. */
  take(event: EngineEvent, nowMs: number): Row | undefined {
    const { keepsRows, keepsChanges } = this.#options;
    this.policies.take(event);
    this.tally.take(event);
    this.#noteRunning(event, nowMs);
    const row = keepsRows ? this.rows.apply(event, nowMs) : undefined;
    if (keepsChanges && row !== undefined) this.#noteChange(event, row);
    return row;
  }

  /** Returns every changed resource, once, in order of appearance. */
  changes(): readonly ChangedResource[] {
    return [...this.#changes].flatMap(([urn, step]) => {
      const row = this.rows.byUrn.get(urn);
      return row === undefined ? [] : [{ row, step }];
    });
  }

  /** Returns the running steps with their durations, e.g. `create index (12s)`. */
  running(nowMs: number): readonly string[] {
    return [...this.#running.values()].map(
      ({ step, sinceMs }) => `${step.kind} ${urnName(step.urn)} (${formatDuration(nowMs - sinceMs)})`,
    );
  }

  /** Unchanged resources are not changes, even if they are listed. */
  #noteChange(event: EngineEvent, row: Row): void {
    if (event.t !== 'step-ended' && event.t !== 'step-failed') return;
    if (!isListed(row, { showReads: this.#options.listing.showReads })) return;
    const before = this.#changes.get(row.urn);
    if (before === undefined || event.step.kind === row.kind || row.kind !== before.kind)
      this.#changes.set(row.urn, event.step);
  }

  #noteRunning(event: EngineEvent, nowMs: number): void {
    if (event.t !== 'step-started' && event.t !== 'step-ended' && event.t !== 'step-failed') return;
    const { step } = event;
    // An unchanged resource ends without a start: no text of its key is made.
    if (event.t !== 'step-started' && this.#running.size === 0) return;
    const key = `${step.kind} ${step.urn}`;
    if (event.t === 'step-started') this.#running.set(key, { step, sinceMs: nowMs });
    else this.#running.delete(key);
  }
}
