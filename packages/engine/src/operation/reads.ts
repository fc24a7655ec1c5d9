import type { Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import { prerequisitesOf } from '../decide/prerequisites.js';
import { judgeRead } from '../decide/read.js';
import type { ReadFacts } from '../decide/read.js';
import type { ChainEnd, ChainRunner } from '../execute/chain-runner.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Registration } from '../model/registration.js';
import type { Cell } from '../model/cell.js';
import type { ResourceEntry } from '@cairn/state';
import type { RunPlan } from '../saved-plan/run-plan.js';
import type { Chain } from '../model/step.js';
import type { Replies } from './replies.js';
import { keepUnchanged } from './keep-unchanged.js';
import { readFailed, readSkipped, shutDown } from './refusals.js';
import type { Report } from '../model/report.js';
import type { ScopeNotes } from './scope-notes.js';

/** A read that is under way, with the entry that it owns and the URN under which that was found. */
export interface ReadUnderWay {
  readonly read: Extract<Registration, { readonly t: 'read' }>;
  readonly cell: Cell | undefined;
  readonly old: Urn | undefined;
}

/** What reads work with. */
export interface ReadsParts extends Pick<ReadFacts, 'entries' | 'graph' | 'scope' | 'policy'> {
  readonly ledger: Ledger;
  readonly replies: Replies;
  readonly notes: ScopeNotes;
  readonly chains: ChainRunner;
  readonly plan: RunPlan;
  readonly report: Report;
  readonly continueOnError: boolean;
  /** Prior entries that stay because their resource failed or was skipped. */
  readonly failedCells: Cell[];
  /** Whether something in the resource's failure domain has failed. */
  readonly hasFallen: (urn: Urn) => boolean;
  /** Carries out a chain; {@link Reads.ended} hears of its end as a message of its own. */
  readonly run: (chain: Chain, read: ReadUnderWay) => void;
  /** The resource is stored. */
  readonly onEntry: (urn: Urn, entry: ResourceEntry) => void;
}

/** What becomes of reads that the program asks for, once they may begin [REG-3] [REG-14]. */
export class Reads {
  constructor(private readonly parts: ReadsParts) {}

  begin(underWay: ReadUnderWay): void {
    const { read, cell } = underWay;
    const { ledger, replies, notes, chains, plan, report } = this.parts;
    const { reply } = read;
    const { urn } = read.goal;
    if (replies.stopped) return replies.refuse(reply, shutDown());
    if (this.parts.hasFallen(urn)) return this.#skip(underWay, urn);
    const goal = notes.storableRead(read.goal);
    const verdict = judgeRead({ ...this.parts, goal, cell, prior: cell?.entry, view: ledger });
    if (verdict.t === 'refuse') return replies.fail(reply, verdict.diagnostics, false);
    if (verdict.t === 'skip') return this.#skip(underWay, verdict.because);
    if (verdict.t === 'leave-out') return this.#leaveOut(underWay);
    for (const note of verdict.notes) report.diagnostic(note);
    const { chain } = verdict;
    if (replies.notPlanned(reply, plan.steps(chain, ledger))) return;
    notes.blame(goal);
    keepUnchanged(prerequisitesOf(goal, { ...this.parts, view: ledger }), ledger, chains);
    ledger.note({ t: 'decided', urn, cell, kinds: chain.map((step) => step.kind) });
    this.parts.run(chain, underWay);
  }

  ended(underWay: ReadUnderWay, end: ChainEnd): void {
    const { read, cell, old } = underWay;
    const { ledger, replies, chains, report, continueOnError, failedCells } = this.parts;
    const { urn } = read.goal;
    if (end.t === 'held') {
      if (!replies.stopped && this.parts.hasFallen(urn)) return this.#skip(underWay, urn);
      return replies.refuse(read.reply, shutDown());
    }
    if (end.t === 'failed') {
      if (cell !== undefined) failedCells.push(cell);
      ledger.note({ t: 'failed', urn });
      if (!continueOnError) return replies.fail(read.reply, [end.diagnostic], true);
      report.diagnostic(end.diagnostic);
      replies.waiting.wake(urn);
      return replies.refuse(read.reply, readFailed(end.diagnostic));
    }
    const entry = end.entry ?? chains.live.live(urn)?.entry;
    if (entry === undefined) return this.#leaveOut({ read, cell: undefined, old: undefined });
    this.parts.onEntry(urn, entry);
    read.reply.resolve({ urn, id: entry.id, outputs: entry.outputs, oldUrn: old === urn ? undefined : old });
    replies.answered(urn);
  }

  /** A read has no result to say that it was skipped: the program sees an error, and the operation goes on. */
  #skip({ read: { goal, reply }, cell }: ReadUnderWay, because: Urn): void {
    const { ledger, replies, failedCells } = this.parts;
    if (cell !== undefined) failedCells.push(cell);
    ledger.note({ t: 'skipped', urn: goal.urn });
    replies.waiting.wake(goal.urn);
    replies.refuse(reply, readSkipped(goal.urn, because));
  }

  /** The program sees what is stored of it, if anything. */
  #leaveOut({ read: { goal, reply }, cell, old }: ReadUnderWay): void {
    const { urn, parent } = goal;
    const { id = '', outputs = emptyMap } = cell?.entry ?? {};
    this.parts.ledger.note({ t: 'left-out', urn, parent });
    reply.resolve({ urn, id, outputs, oldUrn: old === urn ? undefined : old });
    this.parts.replies.answered(urn);
  }
}
