import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { decide } from '../decide/decide.js';
import type { FactsOf } from '../decide/facts.js';
import { unregisteredPrerequisites } from '../decide/prerequisites.js';
import { doubtAbout, takesAwayNeeded } from '../decide/unsettled.js';
import type { Answers, CondemnedEntry, Question, Verdict } from '../decide/verdict.js';
import type { ChainEnd } from '../execute/chain.js';
import { questionFailure } from '../execute/failures.js';
import { isTaskKind } from '../execute/handlers/index.js';
import { taskOptions } from '../execute/task-options.js';
import type { TaskOptions } from '../execute/task-options.js';
import { inspect } from '../inspect/inspector.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Registration } from '../model/registration.js';
import type { Cell } from '../model/cell.js';
import type { Chain } from '../model/step.js';
import { Registrar } from './registrar.js';
import { ComponentOutputs } from './component-outputs.js';
import { OpenRegistrations } from './open-registrations.js';
import { Inbox } from './inbox.js';
import type { LoopParts, Message } from './loop-parts.js';
import { keepUnchanged } from './keep-unchanged.js';
import { answerFailed, answerSkipped, answerStored } from './pending.js';
import type { PendingRegistration } from './pending.js';
import { shutDownError } from './refusals.js';
import { ScopeNotes } from './scope-notes.js';

/**
 * The engine's one inbox. Messages are handled one at a time and to the end: each registration is decided at once on
 * the facts of that moment. Questions and chains run in parallel and return as messages, so that checks and diffs of
 * independent registrations overlap. Decisions are taken in the order in which their last answer arrives.
 */
export class OperationLoop {
  readonly ledger: Ledger;
  /** Prior entries that remain as they were because their resource failed or was skipped. */
  readonly failedCells: Cell[] = [];
  readonly #inbox: Inbox<Message>;
  readonly #replies: OpenRegistrations;
  readonly #notes: ScopeNotes;
  readonly #registrar: Registrar;
  readonly #outputs: ComponentOutputs;
  readonly #deleting = new Set<Cell>();
  readonly #parts: LoopParts;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    const { ledger } = parts;
    this.ledger = ledger;
    this.#inbox = new Inbox(
      (message) => this.#handle(message),
      parts.onBug,
      () => parts.backpressure.look(),
    );
    this.#replies = new OpenRegistrations(parts.report, () => {
      parts.onStop();
      parts.backpressure.close();
    });
    this.#notes = new ScopeNotes({ ...parts, ledger });
    const shared = { ...parts, ledger, replies: this.#replies };
    this.#registrar = new Registrar(shared);
    this.#outputs = new ComponentOutputs({
      ...shared,
      preview: parts.policy.preview,
      hasFailed: (urn) => this.#hasFailed(urn),
    });
  }

  /** Takes a registration. The answer is sent through its reply. */
  post(registration: Registration): void {
    this.#replies.takeIn();
    if (registration.t === 'register' && registration.askedAt !== undefined)
      this.#parts.report.declared({ urn: registration.goal.urn, sourcePosition: registration.askedAt });
    else if (registration.t !== 'outputs') this.#parts.report.declared(registration.goal);
    this.#put({ t: 'registration', registration });
  }

  /** Stops deciding about new requests. Registrations without a decision are refused. */
  stop(): void {
    this.#replies.stop();
  }

  get stopped(): boolean {
    return this.#replies.stopped;
  }

  /**
   * Outputs of the root stack as the program registered them. Undefined until it has, and if a plan does not contain
   * them.
   */
  get rootOutputs(): ComponentOutputs['root'] {
    return this.#outputs.root;
  }

  set rootOutputs(outputs: ComponentOutputs['root']) {
    this.#outputs.root = outputs;
  }

  /** Prior entries that remain as they were because they are out of scope. */
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
    this.#parts.onNews();
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
      default:
        return unreachable(message);
    }
  }

  // Registrations.

  #register(registration: Registration): void {
    switch (registration.t) {
      case 'register':
        this.#outputs.expect(registration.goal);
        return this.#accept(registration);
      case 'read':
        return this.#accept(registration);
      case 'outputs':
        return this.#outputs.take(registration);
      default:
        return unreachable(registration);
    }
  }

  #accept(registration: Exclude<Registration, { readonly t: 'outputs' }>): void {
    this.#registrar.accept(registration, (owned) => {
      const goal = this.#notes.storable<Goal | ReadGoal>(registration.goal);
      const { t, reply } = registration;
      const { cell, prior, oldUrn } = owned;
      this.#consider({ t, goal, reply, cell, prior, oldUrn, answers: {} } as PendingRegistration);
    });
  }

  // Deciding.

  #facts<G extends Goal | ReadGoal>(goal: G, pending: PendingRegistration): FactsOf<G> {
    const { entries, graph, scope, policy, continued } = this.#parts;
    const { prior, cell, oldUrn, answers } = pending;
    const view = this.ledger;
    return { goal, prior, cell, oldUrn, answers, entries, graph, scope, policy, view, continued };
  }

  #consider(pending: PendingRegistration): void {
    if (this.stopped) return this.#replies.refuse(pending.reply, shutDownError());
    if (this.#hasFailed(pending.goal.urn)) return this.#domainFailed(pending);
    const doubt = doubtAbout(this.#parts.unsettled, pending.goal);
    if (doubt !== undefined) return this.#park(pending, doubt);
    if (pending.cell !== undefined && this.#deleting.has(pending.cell)) {
      return this.#replies.waiting.wait(pending.cell, () => this.#consider(pending));
    }
    const facts =
      pending.t === 'read' ? this.#facts(pending.goal, pending) : this.#facts(pending.goal, pending);
    const verdict = decide(facts);
    switch (verdict.t) {
      case 'ask':
        return this.#ask(pending, verdict.question);
      case 'refuse':
        return this.#failPending(pending, verdict.diagnostics);
      case 'skip':
        if (pending.cell !== undefined) this.failedCells.push(pending.cell);
        this.ledger.note({ t: 'skipped', urn: pending.goal.urn });
        return this.#answered(pending, () => answerSkipped(pending, verdict.because));
      case 'leave-out':
        if (this.#replies.notPlanned(pending.reply, this.#parts.plan.leftOut(facts))) return;
        this.#notes.note(facts);
        return this.#leaveOut(pending, verdict.stored, true);
      case 'do': {
        const needed = takesAwayNeeded(this.#parts.unsettled, verdict.chain);
        if (needed !== undefined) return this.#park(pending, needed);
        if (verdict.then === 'looked-up') return this.#carryOut(pending, verdict);
        if (
          verdict.past === undefined &&
          this.#replies.notPlanned(pending.reply, this.#parts.plan.decided(facts, verdict.chain))
        )
          return;
        this.#notes.note(facts);
        keepUnchanged(unregisteredPrerequisites(facts), this.ledger, this.#parts.chains);
        return this.#carryOut(pending, verdict);
      }
      default:
        return unreachable(verdict);
    }
  }

  /**
   * Lets a registration wait, with everything that needs it, until the operation ends, because the outcome of a step is
   * not known.
   */
  #park(pending: PendingRegistration, because: Urn): void {
    this.#parts.questions.park();
    this.#replies.waiting.wait(because, () => this.#consider(pending));
    this.#parts.onNews();
  }

  #ask(pending: PendingRegistration, question: Question): void {
    const { limiter, questions, settled } = this.#parts;
    const answers = settled?.answer(question, pending.answers, pending.prior);
    if (answers !== undefined) {
      pending.answers = answers;
      return this.#consider(pending);
    }
    questions.asking += 1;
    const ended = (message: Message): void => {
      questions.asking -= 1;
      this.#put(message);
    };
    limiter
      .run(() => this.#inspect(pending, question))
      .then(
        (answers) => ended({ t: 'answered', pending, answers }),
        (thrown: unknown) => ended({ t: 'unanswered', pending, question, thrown }),
      );
  }

  /**
   * Asks the provider, unless the state can answer once the provider's promises are known. New resources do not wait
   * for the promises, so that they keep their places among the others.
   */
  async #inspect(pending: PendingRegistration, question: Question): Promise<Answers> {
    const { inspector, settled } = this.#parts;
    if (settled !== undefined && question.t === 'check' && !settled.isReady(question.goal)) {
      const ready = settled.ready(question.goal);
      if (pending.prior !== undefined) {
        await ready;
        const answers = settled.answer(question, pending.answers, pending.prior);
        if (answers !== undefined) return answers;
      }
    }
    return inspect(question, pending.answers, inspector);
  }

  #unanswered(pending: PendingRegistration, question: Question, thrown: unknown): void {
    if (this.stopped) return this.#replies.refuse(pending.reply, shutDownError());
    const what = question.t === 'check' || question.t === 'analyze' ? question.t : 'compare';
    this.#failPending(pending, questionFailure(pending.goal.urn, what, thrown));
  }

  #carryOut(pending: PendingRegistration, verdict: Extract<Verdict, { readonly t: 'do' }>): void {
    const { chain, condemned } = verdict;
    for (const note of verdict.notes) this.#parts.report.diagnostic(note);
    const kinds = verdict.past ?? chain.map((step) => step.kind);
    this.ledger.note({ t: 'decided', urn: pending.goal.urn, cell: pending.cell, kinds });
    for (const { cell, reason } of condemned) {
      this.ledger.note({ t: 'condemned', cell, reason });
      this.#deleting.add(cell);
    }
    this.#run(
      chain,
      (end) => ({ t: 'chain-ended', pending, verdict, end }),
      this.#optionsOf(pending, verdict),
    );
  }

  /** Returns the data stored with the tasks. Tasks that answer the registration also store the digest of its goal. */
  #optionsOf(
    { t, goal }: PendingRegistration,
    { then, chain }: Extract<Verdict, { readonly t: 'do' }>,
  ): TaskOptions | undefined {
    if (t === 'read') return undefined;
    const { digest } = this.#parts;
    const wanted = then === 'reply' && digest !== undefined && chain.some(({ kind }) => isTaskKind(kind));
    return taskOptions(goal, wanted ? digest(goal) : undefined);
  }

  #run(chain: Chain, message: (end: ChainEnd) => Message, options?: TaskOptions): void {
    const end = this.#parts.chains.run(chain, false, options);
    if (end instanceof Promise) void end.then((each) => this.#put(message(each)));
    else this.#put(message(end));
  }

  // Ends of chains.

  #chainEnded(
    pending: PendingRegistration,
    verdict: Extract<Verdict, { readonly t: 'do' }>,
    end: ChainEnd,
  ): void {
    this.#settleCondemned(verdict.condemned);
    const { urn } = pending.goal;
    if (end.t === 'held') {
      if (!this.stopped && this.#hasFailed(urn)) return this.#domainFailed(pending);
      return this.#replies.refuse(pending.reply, shutDownError());
    }
    if (end.t === 'failed') return this.#chainFailed(pending, end.diagnostic, end.also);
    if (verdict.then === 'looked-up') return this.#lookedUp(pending, end.entry);
    const cell = this.#parts.recorder.live.live(urn);
    if (verdict.then === 'resume' && cell !== undefined) {
      pending.answers = { ...pending.answers, imported: cell };
      return this.#consider(pending);
    }
    const entry = end.entry ?? cell?.entry;
    if (entry === undefined) return this.#leaveOut(pending, undefined, false);
    this.ledger.note({ t: 'ended', urn, entry });
    if (pending.t === 'register') this.#noteSettled(pending, verdict, entry);
    if (isProviderType(entry.type)) this.#parts.providers.registered(entry);
    this.#answered(pending, () => answerStored(pending, entry));
  }

  #noteSettled(
    { goal, answers, prior }: Extract<PendingRegistration, { readonly t: 'register' }>,
    { chain }: Extract<Verdict, { readonly t: 'do' }>,
    entry: ResourceEntry,
  ): void {
    this.#parts.settled?.ended({ goal, answers, prior, kinds: chain.map(({ kind }) => kind), entry });
  }

  /** Puts the result of a read in the place of the prior entry, and applies the rules again. */
  #lookedUp(pending: PendingRegistration, found: ResourceEntry | undefined): void {
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

  #chainFailed(pending: PendingRegistration, diagnostic: Diagnostic, also: readonly Diagnostic[] = []): void {
    const { urn } = pending.goal;
    if (pending.cell !== undefined) this.failedCells.push(pending.cell);
    if (!this.#parts.continueOnError) return this.#replies.fail(pending.reply, [diagnostic, ...also], false);
    for (const each of [diagnostic, ...also]) this.#parts.report.diagnostic(each);
    this.ledger.note({ t: 'failed', urn });
    this.#answered(pending, () => answerFailed(pending, diagnostic));
  }

  /** Tells whether the resource's failure domain, or something that it waited for, has failed. */
  #hasFailed(urn: Urn): boolean {
    const { lanes } = this.#parts;
    return lanes.isolates && lanes.hasFailed(urn);
  }

  /** Answers that the resource failed, because its failure domain has failed. Nothing is done about it. */
  #domainFailed(pending: PendingRegistration): void {
    if (pending.cell !== undefined) this.failedCells.push(pending.cell);
    this.ledger.note({ t: 'failed', urn: pending.goal.urn });
    this.#answered(pending, () => answerFailed(pending));
  }

  /**
   * Fails the resource's failure domain because nothing may be done about it. Without isolation the whole operation
   * ends.
   */
  #failPending(pending: PendingRegistration, diagnostics: readonly Diagnostic[]): void {
    if (!this.#parts.lanes.isolates) return this.#replies.fail(pending.reply, diagnostics, false);
    for (const diagnostic of diagnostics) this.#parts.report.diagnostic(diagnostic);
    this.#parts.lanes.fail(pending.goal.urn);
    this.#domainFailed(pending);
  }

  // Answers.

  /** Leaves the resource out of the state. `isOut`: the run excludes it, so that nothing is done about it at all. */
  #leaveOut(pending: PendingRegistration, stored: ResourceEntry | undefined, isOut: boolean): void {
    const { urn, parent } = pending.goal;
    this.ledger.note({ t: 'left-out', urn, parent });
    this.#answered(pending, () => answerStored(pending, stored, isOut));
  }

  /** Answers, and wakes the work that waits for the resource. */
  #answered({ goal }: PendingRegistration, answer: () => void): void {
    answer();
    this.#replies.answered(goal.urn);
  }
}
