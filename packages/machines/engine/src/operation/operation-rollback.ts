import type { Urn } from '@cairn/addresses';
import { closure, eachReference } from '@cairn/state';
import { builtOn, unsettled } from '../decide/unsettled.js';
import type { Continued } from '../model/history.js';
import type { Cell } from '../model/cell.js';
import type { PriorEntries } from '../prior/entries.js';
import { rollBack, rollBackLineage, settleUndo } from './phases/rollback.js';
import type { InDoubtPhase } from '../recover/in-doubt-phase.js';
import type { SnippetPhase } from './phases/snippets.js';
import type { Run } from './run.js';

/** What a rollback works with. */
type OperationRollbackParts = Pick<
  Run,
  'request' | 'settings' | 'report' | 'control' | 'gates' | 'change' | 'chains'
> & { readonly inDoubt: InDoubtPhase; readonly snippets: SnippetPhase };

/**
 * Whether, and how far, one operation rolls back what it has done, or what the lineage that it goes on with has
 * [REC-4] [REC-12].
 */
export class OperationRollback {
  /** A person wants everything rolled back. */
  unwanted = false;
  /** Deletes of what the program has dropped have begun: an error does not roll the rest back any more. */
  pastReturn = false;
  state: 'none' | 'running' | 'over' = 'none';
  /** Failed resources of which what earlier changes of the lineage did was rolled back, or was tried to be. */
  readonly #settled = new Set<Urn>();

  constructor(private readonly parts: OperationRollbackParts) {}

  /** Whether what was done is to be rolled back now: the user wants that of a failed operation, or of this one. */
  get isDue(): boolean {
    const { request, settings, report, chains, control, gates, inDoubt } = this.parts;
    const { stopped, cancelled } = control;
    const { lanes, abandoned } = chains;
    if (request.kind === 'rollback') return !stopped;
    if (inDoubt.waiting.length > 0) return false;
    if (request.preview || abandoned) return false;
    if (this.unwanted) return true;
    // What failed was rolled back on its own, and the rest stands.
    if (lanes.isolates && lanes.someFell) return false;
    const failed = report.failed || (stopped && gates.left.length === 0);
    return settings.rollsBack && failed && !cancelled && !this.pastReturn;
  }

  /**
   * What failed on its own is rolled back before anything is deleted, with what earlier changes of the lineage did
   * about it. Called again, it rolls back what has failed since. Gives whether anything that earlier changes did was
   * rolled back, or was tried to be.
   */
  async settleFailed(): Promise<boolean> {
    const { request, settings, chains } = this.parts;
    const { lanes, abandoned } = chains;
    if (!settings.rollsBack || !lanes.isolates || !lanes.someFell || abandoned) return false;
    await settleUndo(this.parts);
    const { continues, preview } = request;
    if (continues?.how !== 'resume') return false;
    const failed = continues.past.map(({ urn }) => urn).filter((urn) => lanes.hasFailed(urn));
    const due = this.#withNeeded(
      failed.filter((urn) => !this.#settled.has(urn)),
      continues,
    );
    const only = this.#certain(due, continues);
    if (only.size === 0) return false;
    for (const urn of only) this.#settled.add(urn);
    await rollBackLineage({ ...this.parts, continues, preview, only });
    return true;
  }

  /**
   * With what they were built on before the lineage and what is not there any more: nothing comes back without its
   * provider.
   */
  #withNeeded(urns: readonly Urn[], { before, past }: Continued): ReadonlySet<Urn> {
    const { live } = this.parts.chains;
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
   * Of these, what can be rolled back now: not what is in doubt, what is or was built on that, or what any of it may be
   * built on. All this waits for an answer.
   */
  #certain(urns: ReadonlySet<Urn>, { before }: Continued): ReadonlySet<Urn> {
    const { live, undoer } = this.parts.chains;
    const entryOf = (urn: Urn) => live.live(urn)?.entry;
    const doubts = [undoer.doubts.unsettled, unsettled(undoer.unsure, entryOf)];
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
   * Prior entries that stay: their resource failed, or something in its failure domain did. An original that was on its
   * way out as well: as long as nobody knows that its replacement is gone, it may have to take its place again.
   */
  staying(failedCells: readonly Cell[], { cells }: PriorEntries): readonly Cell[] {
    const { lanes } = this.parts.chains;
    if (!lanes.isolates || !lanes.someFell) return failedCells;
    const failed = cells.filter((cell) => !cell.gone && lanes.hasFailed(cell.entry.urn));
    return [...failedCells, ...failed];
  }

  /** Rolls back what this operation has done, and what the changes before it in its lineage have. */
  async run(): Promise<void> {
    const { request, chains, snippets, control, inDoubt: asked } = this.parts;
    // Nothing is rolled back around an effect that nobody knows about.
    if (chains.inDoubt.length > 0) return;
    this.state = 'running';
    chains.lanes.allFell();
    if (request.kind !== 'rollback') await rollBack(this.parts);
    const { continues, preview, inDoubt, base } = request;
    if (continues !== undefined && !control.cancelled) {
      await rollBackLineage({
        ...this.parts,
        unanswered: inDoubt,
        continues,
        preview,
        only: this.#certain(continues.touched, continues),
      });
    }
    if (!preview && asked.waiting.length === 0)
      snippets.bringBack((continues?.before ?? base).snippets ?? []);
    if (!control.cancelled) this.state = 'over';
  }
}
