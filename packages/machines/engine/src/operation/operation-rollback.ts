import type { Urn } from '@cairn/addresses';
import { closure, eachReference } from '@cairn/state';
import { builtOn, unsettled } from '../decide/unsettled.js';
import { ON_THE_WAY_BACK, SETTLED } from '../model/history.js';
import type { Continued } from '../model/history.js';
import type { Cell } from '../model/cell.js';
import type { PriorEntries } from '../prior/entries.js';
import { runRollback, runLineageRollback, settleUndo } from './phases/rollback.js';
import type { InDoubtPhase } from '../recover/in-doubt-phase.js';
import type { SnippetPhase } from './phases/snippets.js';
import type { Run } from './run.js';

/** Parts that a rollback works with. */
type OperationRollbackParts = Pick<
  Run,
  'request' | 'settings' | 'report' | 'control' | 'gates' | 'recorder'
> &
  Pick<Run, 'change' | 'chains' | 'edges' | 'lanes' | 'undoer'> & {
    readonly inDoubt: InDoubtPhase;
    readonly snippets: SnippetPhase;
  };

/**
 * Decides whether, and how far, one operation rolls back its own changes, or those of the lineage that it continues
 * [REC-4] [REC-12].
 */
export class OperationRollback {
  /** True if a person requested a full rollback. */
  unwanted = false;
  /**
   * True if deletes of resources that the program dropped have begun. From then on an error does not roll the rest
   * back.
   */
  pastReturn = false;
  state: 'none' | 'running' | 'over' = 'none';
  /** Failed resources whose earlier changes in the lineage were rolled back, or for which that was tried. */
  readonly #settled = new Set<Urn>();
  readonly #parts: OperationRollbackParts;

  constructor(parts: OperationRollbackParts) {
    this.#parts = parts;
  }

  /** True if a rollback is due: the user requested it for a failed operation, or for this one. */
  get isDue(): boolean {
    const { request, settings, report, lanes, change, control, gates, inDoubt } = this.#parts;
    const { stopped, cancelled } = control;
    if (request.kind === 'rollback') return !stopped;
    if (inDoubt.waiting.length > 0) return false;
    if (request.preview || change.abandoned) return false;
    if (this.unwanted) return true;
    // The failed part was rolled back on its own, and the rest remains.
    if (lanes.isolates && lanes.anyFailed) return false;
    const failed = report.failed || (stopped && gates.left.length === 0);
    return settings.rollsBack && failed && !cancelled && !this.pastReturn;
  }

  /**
   * Rolls back the parts that failed on their own before anything is deleted, with the earlier changes of the lineage
   * to them. Further calls roll back later failures. Returns true if any earlier change was rolled back, or that was
   * tried.
   */
  async settleFailed(): Promise<boolean> {
    const { request, settings, lanes, change } = this.#parts;
    if (!settings.rollsBack || !lanes.isolates || !lanes.anyFailed || change.abandoned) return false;
    await settleUndo(this.#parts);
    const { continues, preview } = request;
    if (continues?.how !== 'resume') return false;
    const failed = continues.past.map(({ urn }) => urn).filter((urn) => lanes.hasFailed(urn));
    const due = this.#withNeeded(
      failed.filter((urn) => !this.#settled.has(urn)),
      continues,
    );
    const only = this.#certain(due, continues);
    for (const urn of only) this.#settled.add(urn);
    if (only.size > 0) await runLineageRollback({ ...this.#parts, continues, preview, only });
    if (only.size === due.size) this.#noteSettled();
    return only.size > 0;
  }

  /** Records once that the earlier changes are rolled back, for an operation that continues this one [REC-11]. */
  #noteSettled(): void {
    const { change, request } = this.#parts;
    const { data, tasks } = change.machine.change;
    if (request.preview || data[SETTLED] === true) return;
    for (const { status } of tasks.values()) if (ON_THE_WAY_BACK.has(status)) return;
    change.tx((t) => t.set(SETTLED, true));
  }

  /**
   * Adds the missing resources that they depended on before the lineage: no resource can be restored without its
   * provider.
   */
  #withNeeded(urns: readonly Urn[], { before, past }: Continued): ReadonlySet<Urn> {
    const { live } = this.#parts.recorder;
    const done = new Set(past.map(({ urn }) => urn));
    const entries = new Map(before.resources.filter((each) => !each.delete).map((each) => [each.urn, each]));
    return closure(urns, (urn, enter) => {
      const entry = entries.get(urn);
      if (entry === undefined) return;
      eachReference(entry, (needed) => {
        if (done.has(needed) && entries.has(needed) && live.live(needed) === undefined) enter(needed);
      });
    });
  }

  /**
   * Returns the URNs that can be rolled back at this time. It excludes steps in doubt, resources that are or were built
   * on those, and resources that any of these may be built on. All of these wait for an answer.
   */
  #certain(urns: ReadonlySet<Urn>, { before }: Continued): ReadonlySet<Urn> {
    const { undoer } = this.#parts;
    const { live } = this.#parts.recorder;
    const entryOf = (urn: Urn) => live.live(urn)?.entry;
    const doubts = [undoer.doubts.unsettled, unsettled(undoer.tally.unsure, entryOf)];
    const about = new Set(doubts.flatMap((each) => [...each.urns]));
    if (about.size === 0) return urns;
    const present = live.entries();
    const waiting = builtOn(about, before.resources, present);
    const staying = unsettled(
      present.filter(({ urn }) => waiting.has(urn)),
      entryOf,
    );
    const needed = [...doubts, staying];
    return new Set(
      [...urns].filter((urn) => !waiting.has(urn) && !needed.some((each) => each.needed.has(urn))),
    );
  }

  /**
   * Returns the prior entries that remain: their resource failed, or something in its failure domain did. An original
   * that was to be deleted remains as well: until its replacement is known to be gone, it may have to take its place
   * again.
   */
  staying(failedCells: readonly Cell[], { cells }: PriorEntries): readonly Cell[] {
    const { lanes } = this.#parts;
    if (!lanes.isolates || !lanes.anyFailed) return failedCells;
    const failed = cells.filter((cell) => !cell.gone && lanes.hasFailed(cell.entry.urn));
    return [...failedCells, ...failed];
  }

  /** Rolls back the changes of this operation and the earlier ones of its lineage. */
  async run(): Promise<void> {
    const { request, chains, lanes, snippets, control, inDoubt: asked } = this.#parts;
    // Nothing is rolled back around an effect whose outcome is not known.
    if (chains.inDoubt.length > 0) return;
    this.state = 'running';
    lanes.allFell();
    if (request.kind !== 'rollback') await runRollback(this.#parts);
    const { continues, preview, inDoubt, base } = request;
    if (continues !== undefined && !control.cancelled) {
      await runLineageRollback({
        ...this.#parts,
        unanswered: inDoubt,
        continues,
        preview,
        only: this.#certain(continues.touched, continues),
      });
    }
    if (!preview && asked.waiting.length === 0)
      snippets.bringBack((continues?.before ?? base).snippets ?? []);
    if (control.cancelled) return;
    this.state = 'over';
    if (request.kind === 'rollback' && asked.waiting.length === 0) this.#noteSettled();
  }
}
