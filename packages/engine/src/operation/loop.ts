import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import { decide } from '../decide/decide.js';
import type { ContinuedView, Facts, PolicyFacts } from '../decide/facts.js';
import { goalReferences } from '../decide/goal-references.js';
import type { Referring } from '../decide/goal-references.js';
import { unregisteredPrerequisites } from '../decide/prerequisites.js';
import { objection } from '../decide/registrable.js';
import { doubtAbout, takesAwayNeeded } from '../decide/unsettled.js';
import type { Unsettled } from '../decide/unsettled.js';
import type { Answers, CondemnedEntry, Question, Verdict } from '../decide/verdict.js';
import type { ChainEnd } from '../execute/chain-runner.js';
import { questionFailure } from '../execute/failures.js';
import { isTaskKind } from '../execute/handlers/index.js';
import { optionsOf } from '../execute/task-options.js';
import type { TaskOptions } from '../execute/task-options.js';
import { inspect } from '../inspect/inspector.js';
import type { InspectorPorts } from '../inspect/inspector.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Goal } from '../model/goal.js';
import type { RegisterResult, Registration } from '../model/registration.js';
import type { Cell } from '../model/cell.js';
import type { Chain } from '../model/step.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import { matchPrior } from '../prior/match.js';
import type { ProviderSource } from '../providers/provider-source.js';
import { ComponentOutputs } from './component-outputs.js';
import { Replies } from './replies.js';
import { Inbox } from './inbox.js';
import { keepUnchanged } from './keep-unchanged.js';
import type { Pending } from './pending.js';
import { Reads } from './reads.js';
import type { ReadUnderWay } from './reads.js';
import { shutDown } from './refusals.js';
import type { Run } from './run.js';
import { ScopeNotes } from './scope-notes.js';

/** What the loop works with. */
export interface LoopParts extends Pick<
  Run,
  'ledger' | 'chains' | 'hooks' | 'limiter' | 'report' | 'plan' | 'intake' | 'questions' | 'scope'
> {
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly policy: PolicyFacts;
  /** The lineage that the operation goes on with. */
  readonly continued?: ContinuedView | undefined;
  /** What a registration wants, in the form in which it is stored. Absent: it is not stored. */
  readonly digest?: ((goal: Goal) => string | undefined) | undefined;
  /** What must wait because nobody knows what became of it. */
  readonly unsettled: Unsettled;
  readonly continueOnError: boolean;
  /** What fails leaves other failure domains alone. */
  readonly isolated: boolean;
  readonly providers: ProviderSource;
  readonly inspector: InspectorPorts;
  /** The operation must end: nothing new may start. Called once. */
  readonly onStop: () => void;
  /** Something has happened. */
  readonly onNews: () => void;
  /** A mistake of ours that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
}

type Message =
  | { readonly t: 'registration'; readonly registration: Registration }
  | { readonly t: 'answered'; readonly pending: Pending; readonly answers: Answers }
  | {
      readonly t: 'unanswered';
      readonly pending: Pending;
      readonly question: Question;
      readonly thrown: unknown;
    }
  | {
      readonly t: 'chain-ended';
      readonly pending: Pending;
      readonly verdict: Extract<Verdict, { readonly t: 'do' }>;
      readonly end: ChainEnd;
    }
  | { readonly t: 'read-ended'; readonly underWay: ReadUnderWay; readonly end: ChainEnd };

/**
 * The engine's one inbox. Messages are handled one at a time and to the end: each registration is decided in one piece
 * on the facts of that moment. Questions and chains run beside it and come back as messages, so that checks and diffs
 * of independent registrations overlap; decisions are taken in the order in which their last answer arrives.
 */
export class OperationLoop {
  readonly ledger: Ledger;
  /** Prior entries that stay as they were because their resource failed or was skipped. */
  readonly failedCells: Cell[] = [];
  readonly #inbox: Inbox<Message>;
  readonly #replies: Replies;
  readonly #notes: ScopeNotes;
  readonly #reads: Reads;
  readonly #outputs: ComponentOutputs;
  readonly #deleting = new Set<Cell>();

  constructor(private readonly parts: LoopParts) {
    const { failedCells } = this;
    const { ledger } = parts;
    this.ledger = ledger;
    this.#inbox = new Inbox(
      (message) => this.#handle(message),
      parts.onBug,
      () => parts.intake.look(),
    );
    this.#replies = new Replies(parts.report, () => {
      parts.onStop();
      parts.intake.close();
    });
    this.#notes = new ScopeNotes({ ...parts, ledger });
    const shared = {
      ...parts,
      ledger,
      replies: this.#replies,
      hasFallen: (urn: Urn) => this.#hasFallen(urn),
    };
    this.#reads = new Reads({
      ...shared,
      notes: this.#notes,
      failedCells,
      run: (chain, underWay) => this.#run(chain, (end) => ({ t: 'read-ended', underWay, end })),
      onEntry: (urn, entry) => this.#ended(urn, entry),
    });
    this.#outputs = new ComponentOutputs({ ...shared, preview: parts.policy.preview });
  }

  /** Takes a registration; it is answered through its reply. */
  post(registration: Registration): void {
    this.#replies.takeIn();
    this.#put({ t: 'registration', registration });
  }

  /** Nothing new is decided any more; registrations without a decision are refused. */
  stop(): void {
    this.#replies.stop();
  }

  get stopped(): boolean {
    return this.#replies.stopped;
  }

  /**
   * Outputs of the root stack as the program registered them; undefined while it has not, and when a plan does not have
   * them.
   */
  get rootOutputs(): ComponentOutputs['root'] {
    return this.#outputs.root;
  }

  set rootOutputs(outputs: ComponentOutputs['root']) {
    this.#outputs.root = outputs;
  }

  /** Prior entries that stay as they were because they are out of scope. */
  get untouchedCells(): readonly Cell[] {
    return this.#notes.untouched;
  }

  /** Resolves when the loop has been stopped; perhaps never. */
  whenStopped(): Promise<void> {
    return this.#replies.whenStopped();
  }

  /** Resolves when every registration has been answered. */
  quiet(): Promise<void> {
    return this.#replies.quiet();
  }

  #put(message: Message): void {
    this.parts.onNews();
    this.#inbox.put(message);
  }

  #handle(message: Message): void {
    switch (message.t) {
      case 'registration':
        return this.#register(message.registration);
      case 'answered':
        message.pending.answers = message.answers;
        return this.#consider(message.pending);
      case 'unanswered':
        return this.#unanswered(message.pending, message.question, message.thrown);
      case 'chain-ended':
        return this.#chainEnded(message.pending, message.verdict, message.end);
      case 'read-ended':
        return this.#reads.ended(message.underWay, message.end);
      default:
        return unreachable(message);
    }
  }

  // Registrations.

  #register(registration: Registration): void {
    switch (registration.t) {
      case 'register':
        return this.#accept(registration.goal, registration.reply, registration.goal.aliases, (cell, old) =>
          this.#consider({
            ...registration,
            goal: this.#notes.storable(registration.goal),
            cell,
            prior: cell?.entry,
            oldUrn: old,
            answers: {},
          }),
        );
      case 'read': {
        const aliases = registration.goal.aliases ?? [];
        return this.#accept(
          { ...registration.goal, custom: true },
          registration.reply,
          aliases,
          (cell, old) => this.#reads.begin({ read: registration, cell, old }),
        );
      }
      case 'outputs':
        return this.#outputs.take(registration);
      default:
        return unreachable(registration);
    }
  }

  /** Notes a resource that may be registered, and goes on once everything it refers to has ended. */
  #accept(
    goal: Referring & {
      readonly urn: Urn;
      readonly type: string;
      readonly name: string;
      readonly custom: boolean;
      readonly parent: Urn | undefined;
    },
    reply: { refuse(error: Error): void },
    aliases: readonly Urn[],
    go: (cell: Cell | undefined, old: Urn | undefined) => void,
  ): void {
    if (this.stopped) return this.#replies.refuse(reply, shutDown());
    const { entries, scope } = this.parts;
    const against = objection(goal, this.ledger, entries, scope.targets.constrained);
    if (against !== undefined) return this.#replies.fail(reply, [against], true);
    const match = matchPrior(goal.urn, aliases, entries, this.ledger);
    if (match.t === 'conflict') return this.#replies.fail(reply, [match.diagnostic], true);
    this.ledger.note({ t: 'registered', urn: goal.urn });
    this.parts.chains.place(goal);
    if (match.t === 'found')
      this.ledger.note({ t: 'matched', urn: goal.urn, cell: match.cell, old: match.old });
    this.#afterReferences(goal, () =>
      match.t === 'found' ? go(match.cell, match.old) : go(undefined, undefined),
    );
  }

  #afterReferences(goal: Referring, go: () => void): void {
    for (const urn of goalReferences(goal)) {
      const progress = this.ledger.progress(urn);
      if (progress === 'registered' || progress === 'decided') {
        if (this.stopped) break;
        return this.#replies.waiting.wait(urn, () => this.#afterReferences(goal, go));
      }
    }
    go();
  }

  // Deciding.

  #facts(pending: Pending): Facts {
    const { entries, graph, scope, policy } = this.parts;
    const { goal, prior, cell, oldUrn, answers } = pending;
    const { continued } = this.parts;
    return {
      goal,
      prior,
      cell,
      oldUrn,
      answers,
      entries,
      graph,
      scope,
      policy,
      view: this.ledger,
      continued,
    };
  }

  #consider(pending: Pending): void {
    if (this.stopped) return this.#replies.refuse(pending.reply, shutDown());
    if (this.#hasFallen(pending.goal.urn)) return this.#fallen(pending);
    const doubt = doubtAbout(this.parts.unsettled, pending.goal);
    if (doubt !== undefined) return this.#park(pending, doubt);
    if (pending.cell !== undefined && this.#deleting.has(pending.cell)) {
      return this.#replies.waiting.wait(pending.cell, () => this.#consider(pending));
    }
    const facts = this.#facts(pending);
    const verdict = decide(facts);
    switch (verdict.t) {
      case 'ask':
        return this.#ask(pending, verdict.question);
      case 'refuse':
        return this.#failPending(pending, verdict.diagnostics);
      case 'skip':
        if (pending.cell !== undefined) this.failedCells.push(pending.cell);
        return this.#close(pending, 'skipped', { result: 'skip' });
      case 'leave-out':
        if (this.#replies.notPlanned(pending.reply, this.parts.plan.leftOut(facts))) return;
        this.#notes.note(facts);
        return this.#close(pending, 'left-out', { ...storedAnswer(verdict.stored), leftOut: true });
      case 'do': {
        const needed = takesAwayNeeded(this.parts.unsettled, verdict.chain);
        if (needed !== undefined) return this.#park(pending, needed);
        if (verdict.then === 'looked-up') return this.#carryOut(pending, verdict);
        if (
          verdict.past === undefined &&
          this.#replies.notPlanned(pending.reply, this.parts.plan.decided(facts, verdict.chain))
        )
          return;
        this.#notes.note(facts);
        keepUnchanged(unregisteredPrerequisites(facts), this.ledger, this.parts.chains);
        return this.#carryOut(pending, verdict);
      }
      default:
        return unreachable(verdict);
    }
  }

  /** It waits, with everything that needs it, until the operation ends: nobody knows what became of a step. */
  #park(pending: Pending, because: Urn): void {
    this.parts.questions.park();
    this.#replies.waiting.wait(because, () => this.#consider(pending));
    this.parts.onNews();
  }

  #ask(pending: Pending, question: Question): void {
    const { inspector, limiter, questions } = this.parts;
    questions.asking += 1;
    limiter
      .run(() => inspect(question, pending.answers, inspector))
      .finally(() => (questions.asking -= 1))
      .then(
        (answers) => this.#put({ t: 'answered', pending, answers }),
        (thrown: unknown) => this.#put({ t: 'unanswered', pending, question, thrown }),
      );
  }

  #unanswered(pending: Pending, question: Question, thrown: unknown): void {
    if (this.stopped) return this.#replies.refuse(pending.reply, shutDown());
    const what = question.t === 'check' || question.t === 'analyze' ? question.t : 'compare';
    this.#failPending(pending, [questionFailure(pending.goal.urn, what, thrown)]);
  }

  #carryOut(pending: Pending, verdict: Extract<Verdict, { readonly t: 'do' }>): void {
    const { chain, condemned } = verdict;
    for (const note of verdict.notes) this.parts.report.diagnostic(note);
    const kinds = verdict.past ?? chain.map((step) => step.kind);
    this.ledger.note({ t: 'decided', urn: pending.goal.urn, cell: pending.cell, kinds });
    for (const { cell, reason } of condemned) {
      this.ledger.note({ t: 'condemned', cell, reason });
      this.#deleting.add(cell);
    }
    this.#run(
      chain,
      (end) => ({ t: 'chain-ended', pending, verdict, end }),
      this.#optionsOf(pending.goal, verdict),
    );
  }

  /** What is stored with the tasks: with those that answer the registration also what it wanted. */
  #optionsOf(goal: Goal, { then, chain }: Extract<Verdict, { readonly t: 'do' }>): TaskOptions | undefined {
    const { digest } = this.parts;
    const wanted = then === 'reply' && digest !== undefined && chain.some(({ kind }) => isTaskKind(kind));
    return optionsOf(goal, wanted ? digest(goal) : undefined);
  }

  #run(chain: Chain, message: (end: ChainEnd) => Message, options?: TaskOptions): void {
    const end = this.parts.chains.run(chain, false, options);
    if (end instanceof Promise) void end.then((each) => this.#put(message(each)));
    else this.#put(message(end));
  }

  // Ends of chains.

  #chainEnded(pending: Pending, verdict: Extract<Verdict, { readonly t: 'do' }>, end: ChainEnd): void {
    this.#settleCondemned(verdict.condemned);
    const { urn } = pending.goal;
    if (end.t === 'held') {
      if (!this.stopped && this.#hasFallen(urn)) return this.#fallen(pending);
      return this.#replies.refuse(pending.reply, shutDown());
    }
    if (end.t === 'failed') return this.#chainFailed(pending, end.diagnostic);
    if (verdict.then === 'looked-up') return this.#lookedUp(pending, end.entry);
    const cell = this.parts.chains.live.live(urn);
    if (verdict.then === 'resume' && cell !== undefined) {
      pending.answers = { ...pending.answers, imported: cell };
      return this.#consider(pending);
    }
    const entry = end.entry ?? cell?.entry;
    if (entry === undefined) return this.#close(pending, 'left-out', { unknown: true });
    this.#ended(urn, entry);
    this.#answer(pending, storedAnswer(entry));
  }

  /** What was found takes the place of the prior entry, and the rules run again. */
  #lookedUp(pending: Pending, found: ResourceEntry | undefined): void {
    pending.prior = found;
    if (found === undefined) pending.cell = undefined;
    pending.answers = { ...pending.answers, lookedUp: true };
    this.#consider(pending);
  }

  #settleCondemned(condemned: readonly CondemnedEntry[]): void {
    for (const { cell } of condemned) {
      this.#deleting.delete(cell);
      if (!cell.gone && !cell.entry.pendingReplacement) this.ledger.note({ t: 'spared', cell });
      this.#replies.waiting.wake(cell);
    }
  }

  #chainFailed(pending: Pending, diagnostic: Diagnostic): void {
    const { urn } = pending.goal;
    if (pending.cell !== undefined) this.failedCells.push(pending.cell);
    if (!this.parts.continueOnError) return this.#replies.fail(pending.reply, [diagnostic], false);
    this.parts.report.diagnostic(diagnostic);
    this.ledger.note({ t: 'failed', urn });
    this.#answer(pending, { result: 'fail' });
  }

  /** The resource's failure domain has fallen, or what it waited for. */
  #hasFallen(urn: Urn): boolean {
    return this.parts.isolated && this.parts.chains.lanes.hasFallen(urn);
  }

  /** Something in its failure domain has failed: nothing is done about the resource, and the program is told so. */
  #fallen(pending: Pending): void {
    if (pending.cell !== undefined) this.failedCells.push(pending.cell);
    this.ledger.note({ t: 'failed', urn: pending.goal.urn });
    this.#answer(pending, { result: 'fail' });
  }

  /** Nothing may be done about the resource: its failure domain falls, without isolation everything ends. */
  #failPending(pending: Pending, diagnostics: readonly Diagnostic[]): void {
    if (!this.parts.isolated) return this.#replies.fail(pending.reply, diagnostics, false);
    for (const diagnostic of diagnostics) this.parts.report.diagnostic(diagnostic);
    this.parts.chains.fail(pending.goal.urn);
    this.#fallen(pending);
  }

  #ended(urn: Urn, entry: ResourceEntry): void {
    this.ledger.note({ t: 'ended', urn, entry });
    if (isProviderType(entry.type)) this.parts.providers.registered(entry);
  }

  // Answers.

  #close(pending: Pending, t: 'skipped' | 'left-out', answer: Partial<RegisterResult>): void {
    const { urn, parent } = pending.goal;
    this.ledger.note(t === 'left-out' ? { t, urn, parent } : { t, urn });
    this.#answer(pending, answer);
  }

  #answer(pending: Pending, answer: Partial<RegisterResult>): void {
    const { goal, oldUrn } = pending;
    pending.reply.resolve({
      urn: goal.urn,
      id: '',
      outputs: emptyMap,
      result: 'success',
      unknown: false,
      oldUrn: oldUrn === goal.urn ? undefined : oldUrn,
      ...answer,
    });
    this.#replies.answered(goal.urn);
  }
}

/** What the program is told about a resource as it is stored; components have no outputs of their own [REG-11]. */
function storedAnswer(entry: ResourceEntry | undefined): Partial<RegisterResult> {
  if (entry === undefined) return { unknown: true };
  return { id: entry.id, outputs: entry.custom ? entry.outputs : emptyMap };
}
