import { BugError, messageOf } from '@cairn/diagnostics';
import type { StatusPlan } from './abort.js';
import { planAbort, planAbortLanes, planFall } from './abort.js';
import { Agenda, placeOf } from './agenda.js';
import type { Place } from './agenda.js';
import type { ChangeWatcher } from './change.js';
import { Cleanups } from './cleanups.js';
import type { Clock } from './clock.js';
import { FailureDomains } from './failure.js';
import { callHandler } from './handler-call.js';
import type { Outcome, StepKind } from './kinds.js';
import { FINISHED, entryOf, outcomeRecord } from './outcome-record.js';
import type { Policies } from './policies.js';
import type { Direction, Progress } from './records.js';
import type { RoutineHost } from './routine.js';
import { Routine } from './routine.js';
import type { Settlement } from './settle.js';
import { settle } from './settle.js';
import type { Status } from './status.js';
import { isReady, transition } from './status.js';
import type { Task, TaskView } from './task.js';
import type { ChangeWriter } from './writer.js';

/** Whether a task may not start now, given the tasks that run (those started earlier in the same pass included). */
export type BlockedPredicate = (candidate: TaskView, running: ReadonlySet<TaskView>) => boolean;

/** What the runner needs from outside. */
export interface RunnerPorts {
  readonly writer: ChangeWriter;
  readonly clock: Clock;
  readonly kindOf: (kind: string) => StepKind | undefined;
  readonly policies: Policies;
  /** How many handlers of limited kinds may run at a time; Infinity: no limit. */
  readonly parallelism: number;
  readonly blocked: readonly BlockedPredicate[];
  /** Asks for a pass within so many milliseconds; an earlier request stands. */
  readonly ensureBefore: (ms: number) => void;
  readonly listener: RunnerListener;
}

/** Told what happens, as it happens. */
export interface RunnerListener {
  status(task: Task, from: Status): void;
  /** A handler has come to a rest and it is recorded; `seq` must be durable before anybody outside relies on it. */
  outcome(task: Task, outcome: Outcome): void;
  failed(task: Task, error: unknown): void;
  log(task: Task, line: string): void;
  progress(task: Task, progress: Progress): void;
  warning(task: Task, text: string): void;
  /** Something may have come to an end. */
  moved(): void;
  /** A mistake of ours that stops the change. */
  broken(error: unknown): void;
}

/** Starts tasks, takes their outcomes and undoes them (changes.md c). One pass is synchronous and costs what it starts. */
export class Runner implements ChangeWatcher, RoutineHost {
  readonly domains: FailureDomains;
  readonly clock: Clock;
  readonly tokenScope: string;
  readonly #agenda = new Agenda();
  readonly #cleanups: Cleanups;
  readonly #running = new Map<Task, Routine>();
  readonly #runningTasks = new Set<TaskView>();
  #slots = 0;
  #someBlocked = false;
  #stopped = false;
  #inPass = false;

  constructor(private readonly ports: RunnerPorts) {
    const { change } = ports.writer;
    this.clock = ports.clock;
    this.tokenScope = `${change.scope}\0${change.id}`;
    this.domains = new FailureDomains(change, ports.policies.onError);
    this.#cleanups = new Cleanups(
      ports.writer,
      ports.clock,
      (kind) => ports.kindOf(kind)?.cleanup !== undefined,
      ports.policies,
    );
    change.watcher = this;
    for (const task of change.tasks.values()) this.#consider(task);
    if (change.isReady) this.becameReady();
  }

  /** Tasks with a live handler. */
  get running(): ReadonlySet<TaskView> {
    return this.#runningTasks;
  }

  /** Whether nothing runs and nothing will start by itself. Tasks in wait or behind one do not count. */
  get idle(): boolean {
    if (this.#running.size > 0) return false;
    if (this.#stopped) return true;
    return (
      this.#agenda.startable === 0 &&
      this.#agenda.undecided === 0 &&
      this.#agenda.parked === 0 &&
      this.#agenda.nextDue() === undefined &&
      this.#cleanups.settled
    );
  }

  /** One pass (changes.md c.2). Parked tasks are asked again when `again` is true or something has ended since. */
  ensure(again = true): void {
    if (this.#stopped || this.#inPass) return;
    this.#inPass = true;
    try {
      if (again || this.#running.size === 0) this.#reconsider();
      for (const task of this.#agenda.due(this.clock.now().getTime())) this.#consider(task);
      this.#decideAndStart();
      for (const task of this.#cleanups.take(this.clock.now().getTime())) this.#startCleanup(task);
      this.#requestNext();
    } finally {
      this.#inPass = false;
    }
  }

  /** Aborts tasks and everything that depends on them; lanes fall with them. Undefined: the whole change. */
  abort(tasks?: Iterable<Task>): void {
    if (tasks === undefined) this.domains.fallAll();
    this.#applyAbort(planAbort(this.ports.writer.change, tasks ?? this.ports.writer.change.tasks.values()));
  }

  abortLanes(lanes: readonly number[]): void {
    this.domains.fall(lanes);
    this.#applyAbort(planAbortLanes(this.ports.writer.change, lanes));
  }

  /** What has not started holds; what runs may finish (changes.md g.3). Undefined: in every lane. */
  hold(lanes: readonly number[] | undefined, reason: string): void {
    const { change } = this.ports.writer;
    if (lanes === undefined) this.domains.fallAll();
    else this.domains.fall(lanes);
    const members = lanes === undefined ? change.tasks.values() : lanes.flatMap((lane) => change.lane(lane));
    this.#give(planFall([...members].filter((task) => task.status === 'do')), reason);
    this.ports.ensureBefore(0);
  }

  /** A task that was just added holds at once when it can never start (policy). */
  admit(task: Task): void {
    if (!this.ports.policies.lateTasksHold || task.status !== 'do') return;
    const reason = this.domains.refusal(task);
    if (reason === undefined) return;
    this.ports.writer.commit({ record: 'status', task: task.id, status: transition('do', 'fall'), reason });
  }

  /** Sets the time before which the task must not start (changes.md a.3). A ready task takes none. */
  schedule(task: Task, notBefore: Date | undefined): void {
    if (isReady(task.status) && notBefore !== undefined) return;
    const time = notBefore?.toISOString() ?? null;
    this.ports.writer.commit({ record: 'schedule', task: task.id, notBefore: time });
    if (notBefore !== undefined)
      this.ports.ensureBefore(Math.max(0, notBefore.getTime() - this.clock.now().getTime()));
    this.#consider(task);
  }

  /** Ends every handler and starts nothing any more (changes.md c.8). Resolving is the caller's: see `idle`. */
  stop(): void {
    this.#stopped = true;
    for (const routine of this.#running.values()) routine.kill(0);
    this.ports.listener.moved();
  }

  /** Ends the handlers of these kinds only; errors stay errors (changes.md c.8). */
  stopKinds(kinds: ReadonlySet<string>): void {
    for (const routine of this.#running.values()) if (kinds.has(routine.task.kind)) routine.kill(0);
  }

  // What the change tells us.

  statusChanged(task: Task, from: Status): void {
    this.#consider(task);
    this.ports.listener.status(task, from);
  }

  freed(task: Task): void {
    this.#consider(task);
  }

  becameReady(): void {
    this.#cleanups.begin();
    if (this.ports.policies.cleanupBackOff) this.ports.ensureBefore(0);
  }

  // What handlers ask for.

  note(task: Task, id: string): Promise<void> {
    this.ports.writer.commit({ record: 'progress-id', task: task.id, id });
    return this.ports.writer.log.flush();
  }

  log(task: Task, line: string): void {
    const text = `${this.ports.writer.log.now()} INFO ${line}`;
    this.ports.writer.commit({ record: 'log', task: task.id, lines: [text] });
    this.ports.listener.log(task, text);
  }

  progress(task: Task, progress: Progress): void {
    task.setProgress(progress);
    this.ports.listener.progress(task, task.progress);
  }

  finish(routine: Routine, entry: unknown): Promise<void> {
    const { task } = routine;
    if (this.#running.get(task) !== routine || routine.mode === 'cleanup') {
      throw new BugError(`task ${task.id} finished without a running handler`);
    }
    const status = transition(task.status, 'finish');
    if (status !== task.status) this.#record(routine, { ...FINISHED, status }, entry);
    return this.ports.writer.log.flush();
  }

  // Looking at tasks.

  /** Puts the task where it belongs on the agenda, if it belongs there at all. O(1) but for the heap. */
  #consider(task: Task): void {
    if (this.#stopped || (this.#running.has(task) && task.status !== 'abort')) return;
    const where = this.#placeOf(task);
    if (where === undefined || task.queued === where) return;
    if (where === 'start' && this.#postpone(task)) return;
    task.queued = where;
    if (where === 'decide') this.#agenda.decide(task);
    else this.#agenda.start(task, this.ports.kindOf(task.kind)?.unlimited === true);
    if (!this.#inPass) this.ports.ensureBefore(0);
  }

  /** Step 8 of a pass: a task whose time has not come is remembered with it. */
  #postpone(task: Task): boolean {
    if (task.notBefore === undefined) return false;
    const now = this.clock.now().getTime();
    if (task.notBefore <= now) return false;
    this.#agenda.later(task, task.notBefore);
    if (!this.#inPass) this.ports.ensureBefore(task.notBefore - now);
    return true;
  }

  #placeOf(task: Task): Place | undefined {
    return placeOf(task, this.ports.kindOf(task.kind)?.undo !== undefined);
  }

  #reconsider(): void {
    this.#someBlocked = false;
    for (const task of this.#agenda.reconsider()) this.#consider(task);
  }

  #decideAndStart(): void {
    const { parallelism } = this.ports;
    for (;;) {
      const undecided = this.#agenda.nextDecision();
      if (undecided !== undefined) {
        if (undecided.queued === 'decide') this.#decide(undecided);
        continue;
      }
      const task = this.#agenda.nextStart(this.#slots < parallelism);
      if (task === undefined) break;
      if (task.queued === 'start') this.#tryStart(task);
    }
    if (this.#agenda.startable > 0) this.#someBlocked = true;
  }

  /** Aborted tasks, and undos without a handler (changes.md c.2 steps 2 and 7). */
  #decide(task: Task): void {
    task.queued = undefined;
    const routine = this.#running.get(task);
    if (task.status === 'abort' && routine !== undefined)
      return routine.kill(this.ports.policies.abortGraceMs);
    if (routine !== undefined || this.#placeOf(task) !== 'decide') return;
    const kind = this.ports.kindOf(task.kind);
    if (kind === undefined) return this.#unknownKind(task);
    if (task.status === 'abort') {
      if (task.inDoubt && kind.resolve !== undefined) return this.#start(task, kind, 'do', true);
      this.#give(
        new Map([[task, transition('abort', kind.undo === undefined ? 'give-up' : 'turn-back')]]),
        task.reason,
      );
    } else this.#give(new Map([[task, transition(task.status, 'skip')]]), undefined);
    if (task.waits.length > 0) this.ports.ensureBefore(0);
  }

  /** Steps 8 to 10 of a pass (changes.md c.2). */
  #tryStart(task: Task): void {
    task.queued = undefined;
    if (this.#running.has(task) || this.#placeOf(task) !== 'start') return;
    const kind = this.ports.kindOf(task.kind);
    if (kind === undefined) return this.#unknownKind(task);
    if (this.#postpone(task)) return;
    if (this.ports.blocked.some((blocks) => blocks(task, this.#runningTasks))) {
      this.#someBlocked = true;
      return this.#agenda.park(task);
    }
    if (task.status === 'undo' && this.#mustKeep(task, kind)) {
      return this.#give(
        new Map([[task, transition('undo', 'decline')]]),
        'a task that depends on it could not be undone',
      );
    }
    if (task.attempts >= this.ports.policies.maxAttempts) return this.#giveUpStarting(task);
    const direction = task.status === 'undo' || task.status === 'undoing' ? 'undo' : 'do';
    this.#start(task, kind, direction, task.inDoubt && kind.resolve !== undefined);
  }

  #mustKeep(task: Task, kind: StepKind): boolean {
    if (!this.ports.policies.undoRespectsDependents || kind.undoNeedsDependentsGone !== true) return false;
    return task.halts.some(
      (dependent) => dependent.effect && (dependent.status === 'error' || dependent.status === 'hold'),
    );
  }

  #giveUpStarting(task: Task): void {
    const reason = `started ${task.attempts} times without a result`;
    this.#park(task, reason);
    this.ports.listener.warning(task, reason);
  }

  #unknownKind(task: Task): void {
    if (!this.ports.policies.waitOnUnknownKind || task.status === 'abort') return;
    this.#park(task, `there is no handler for tasks of kind "${task.kind}"`);
  }

  #park(task: Task, reason: string): void {
    const waited = task.status === 'doing' || task.status === 'do' ? 'do' : 'undo';
    const status = transition(task.status, 'park');
    this.ports.writer.commit({ record: 'status', task: task.id, status, waited, reason });
  }

  // Starting.

  #start(task: Task, kind: StepKind, direction: Direction, resolving: boolean): void {
    const routine = new Routine(task, kind, direction, resolving, this);
    let entry: unknown;
    try {
      entry = resolving ? undefined : kind.begin?.(routine, direction);
    } catch (error) {
      this.#enter(routine);
      const seq = this.#intend(routine, direction, undefined);
      this.ports.writer.log.after(seq, () => this.#complete(routine, { t: 'error', error }));
      return;
    }
    this.#enter(routine);
    const seq = this.#intend(routine, direction, entry);
    this.ports.writer.log.after(seq, () => this.#invoke(routine));
  }

  #enter(routine: Routine): void {
    this.#running.set(routine.task, routine);
    this.#runningTasks.add(routine.task);
    if (routine.mode !== 'cleanup' && routine.kind.unlimited !== true) this.#slots += 1;
  }

  /** Records the start. Returns the record that must be durable before the handler is called. */
  #intend(routine: Routine, direction: Direction, entry: unknown): number {
    const { task } = routine;
    const seq = this.ports.writer.commit({
      record: 'intent',
      task: task.id,
      direction,
      status: transition(task.status, 'start'),
      attempt: routine.attempt,
      generation: task.generation > 0 ? task.generation : undefined,
      entry,
    });
    if (seq > 0) return seq;
    // An elided task has no record of its own; what it builds on must be durable all the same.
    let needed = 0;
    for (const other of task.waits) if (other.lastSeq > needed) needed = other.lastSeq;
    return needed;
  }

  #startCleanup(task: Task): void {
    const kind = this.ports.kindOf(task.kind);
    if (kind?.cleanup === undefined || this.#running.has(task)) return;
    const routine = new Routine(task, kind, 'cleanup', false, this);
    this.#enter(routine);
    this.ports.writer.log.after(task.lastSeq, () => this.#invoke(routine));
  }

  #invoke(routine: Routine): void {
    routine.startedMs = this.clock.monotonicMs();
    callHandler(routine, {
      answered: (outcome) => this.#complete(routine, outcome),
      broken: (error) => this.ports.listener.broken(error),
      mayResolve: () => !this.#stopped,
    });
  }

  // Completion.

  #complete(routine: Routine, outcome: Outcome): void {
    const { task } = routine;
    if (this.#running.get(task) !== routine) return;
    routine.over();
    this.#running.delete(task);
    this.#runningTasks.delete(task);
    if (routine.mode !== 'cleanup' && routine.kind.unlimited !== true) this.#slots -= 1;
    if (this.#someBlocked) {
      this.#reconsider();
      this.ports.ensureBefore(0);
    }
    if (routine.mode === 'cleanup') this.#cleanedUp(task, outcome);
    else this.#settleRun(routine, outcome);
    this.ports.listener.moved();
  }

  #settleRun(routine: Routine, outcome: Outcome): void {
    const { task, kind } = routine;
    const settlement = settle(task.status, outcome, {
      hasUndo: kind.undo !== undefined,
      stopping: this.#stopped,
    });
    if (settlement !== undefined) {
      this.ports.writer.transaction(() => {
        if (settlement.failed) this.#takeDown(task, settlement);
        this.#record(routine, settlement, entryOf(outcome));
      });
    }
    this.#consider(task);
    this.#requestAfter(task);
    if (settlement?.failed === true) this.#reportFailure(task, outcome);
    this.ports.listener.outcome(task, outcome);
  }

  /** Before the failing task is set to error: otherwise the change would look finished for a moment (changes.md b.4). */
  #takeDown(task: Task, settlement: Settlement): void {
    const plan = new Map(this.domains.planFor(task, settlement.result === 'unknown'));
    plan.delete(task);
    this.#give(plan, `task ${task.id} has failed`);
    for (const other of plan.keys()) {
      if (other.status === 'abort') this.#running.get(other)?.kill(this.ports.policies.abortGraceMs);
    }
    this.#forgetTimes(plan);
  }

  #record(routine: Routine, settlement: Settlement, entry: unknown): void {
    const ms = Math.max(0, this.clock.monotonicMs() - routine.startedMs);
    routine.startedMs += ms;
    const timing = { ms, now: this.clock.now().getTime(), retryMs: this.ports.policies.retryMs };
    this.ports.writer.commit(outcomeRecord(routine, settlement, entry, timing));
  }

  /** The requests of changes.md c.4, besides those that {@link #consider} makes. */
  #requestAfter(task: Task): void {
    if (isReady(task.status) && (task.halts.length > 0 || task.waits.length > 0)) this.ports.ensureBefore(0);
  }

  #reportFailure(task: Task, outcome: Outcome): void {
    const error = outcome.t === 'error' ? outcome.error : task.reason;
    this.ports.ensureBefore(0);
    this.ports.listener.failed(task, error);
  }

  #cleanedUp(task: Task, outcome: Outcome): void {
    const failures = this.#cleanups.ended(task, outcome.t === 'ok');
    if (failures === Cleanups.WARN_AFTER) {
      const why = outcome.t === 'error' ? messageOf(outcome.error) : outcome.t;
      this.ports.listener.warning(task, `cleaning up after "${task.summary}" keeps failing: ${why}`);
    }
    const next = this.#cleanups.nextDue();
    if (next !== undefined) this.ports.ensureBefore(Math.max(0, next - this.clock.now().getTime()));
  }

  // Plans.

  #applyAbort(plan: StatusPlan<Task>): void {
    this.ports.writer.transaction(() => {
      this.#give(plan, 'aborted');
      this.#forgetTimes(plan);
    });
    this.ports.ensureBefore(0);
  }

  #give(plan: StatusPlan<Task>, reason: string | undefined): void {
    for (const [task, status] of plan) {
      this.ports.writer.commit({
        record: 'status',
        task: task.id,
        status,
        ...(reason !== undefined && { reason }),
      });
    }
  }

  #forgetTimes(plan: StatusPlan<Task>): void {
    if (!this.ports.policies.clearScheduleOnAbort) return;
    for (const task of plan.keys()) {
      if (task.notBefore === undefined) continue;
      this.ports.writer.commit({ record: 'schedule', task: task.id, notBefore: null });
      this.#consider(task);
    }
  }

  #requestNext(): void {
    const due = [this.#agenda.nextDue(), this.#cleanups.nextDue()].filter((at) => at !== undefined);
    if (due.length > 0) this.ports.ensureBefore(Math.max(0, Math.min(...due) - this.clock.now().getTime()));
    this.#reportDeadlock();
    this.ports.listener.moved();
  }

  /** A blocked task with nothing running is never asked again: a predicate is wrong (changes.md g.6). */
  #reportDeadlock(): void {
    if (!this.ports.policies.reportDeadlock || this.#running.size > 0) return;
    if (this.#agenda.parked === 0 && this.#agenda.startable === 0) return;
    this.ports.listener.broken(
      new BugError(`change ${this.ports.writer.change.id}: tasks are blocked although nothing runs`),
    );
  }
}
