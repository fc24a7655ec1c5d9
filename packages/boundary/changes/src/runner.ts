import { BugError } from '@cairn/diagnostics';
import { Agenda, agendaPlace } from './agenda.js';
import type { AgendaPlace } from './agenda.js';
import type { ChangeWatcher } from './change.js';
import type { CompletionHost } from './completion.js';
import { Completion } from './completion.js';
import { callHandler } from './handler-call.js';
import type { TaskDefinition } from './kinds.js';
import { LiveRoutines } from './live-routines.js';
import type { Direction } from './records.js';
import type { RoutineHost } from './routine.js';
import { Routine } from './routine.js';
import type { RunnerPorts } from './runner-ports.js';
import { StatusPlans } from './status-plans.js';
import type { Status } from './status.js';
import { isReady, transition } from './status.js';
import type { Task, TaskView } from './task.js';

/** Decides what runs when. A pass is synchronous and its cost depends on the tasks that it starts [CHG-13]. */
export class Runner implements ChangeWatcher, CompletionHost {
  /** Applies aborts, holds and failures to tasks. */
  readonly plans: StatusPlans;
  readonly #completion: Completion;
  readonly #live = new LiveRoutines();
  readonly #agenda = new Agenda();
  readonly #clock;
  #someBlocked = false;
  /** Names that may have become free and are not checked yet. */
  readonly #freed = new Set<string>();
  #stopped = false;
  #inPass = false;
  readonly #ports: RunnerPorts;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    const { change } = ports.writer;
    this.#clock = ports.clock;
    this.plans = new StatusPlans(ports, this.#live, (task) => this.consider(task));
    this.#completion = new Completion(ports, this.#live, this.plans, this);
    change.watcher = this;
    for (const task of change.tasks.values()) this.consider(task);
    if (change.isReady) this.becameReady();
  }

  /** Requests that handlers may make. */
  get requests(): RoutineHost {
    return this.#completion;
  }

  /** Tasks with a live handler. */
  get running(): ReadonlySet<TaskView> {
    return this.#live.tasks;
  }

  /** True if nothing runs and nothing will start by itself. Tasks in wait or behind one do not count. */
  get idle(): boolean {
    if (this.#live.tasks.size > 0) return false;
    if (this.#stopped) return true;
    return (
      this.#agenda.startable === 0 &&
      this.#agenda.undecided === 0 &&
      this.#agenda.parked === 0 &&
      this.#agenda.parkedByName === 0 &&
      this.#agenda.nextDue() === undefined &&
      this.#completion.cleanups.settled
    );
  }

  /** Number of tasks that could start if there were a free slot. */
  get waiting(): number {
    return this.#agenda.startable;
  }

  /** Runs one pass [CHG-13]. Parked tasks are checked again if `again` is true or no handler runs. */
  ensure(again = true): void {
    if (this.#stopped || this.#inPass) return;
    this.#inPass = true;
    try {
      if (again || this.#live.tasks.size === 0) this.#reconsider();
      for (const task of this.#agenda.due(this.#clock.now().getTime())) this.consider(task);
      this.#askParked();
      this.#decideAndStart();
      for (const task of this.#completion.cleanups.take(this.#clock.now().getTime()))
        this.#startCleanup(task);
      this.#requestNext();
    } finally {
      this.#inPass = false;
    }
  }

  /** Sets the time before which the task must not start [CHG-3]. Ignored for a ready task. */
  schedule(task: Task, notBefore: Date | undefined): void {
    if (isReady(task.status) && notBefore !== undefined) return;
    const time = notBefore?.toISOString() ?? null;
    this.#ports.writer.commit({ record: 'schedule', task: task.id, notBefore: time });
    if (notBefore !== undefined)
      this.#ports.ensureBefore(Math.max(0, notBefore.getTime() - this.#clock.now().getTime()));
    this.consider(task);
  }

  /** Ends every handler and prevents further starts [CHG-17]. The caller waits for the end: see `idle`. */
  stop(): void {
    this.#stopped = true;
    this.#live.kill();
    this.#ports.listener.moved();
  }

  /** Ends only the handlers of these kinds; errors remain errors [CHG-17]. */
  stopKinds(kinds: ReadonlySet<string>): void {
    this.#live.kill(kinds);
  }

  // Requests of completion.

  get stopped(): boolean {
    return this.#stopped;
  }

  unblock(): void {
    if (!this.#someBlocked) return;
    this.#reconsider();
    this.#ports.ensureBefore(0);
  }

  /** Reports that a name may be free: the tasks that it blocks are checked again. */
  unblockName(name: string): void {
    this.#freed.add(name);
    this.#ports.ensureBefore(0);
  }

  // Notifications of the change.

  statusChanged(task: Task, from: Status): void {
    this.consider(task);
    this.#ports.listener.status(task, from);
  }

  freed(task: Task): void {
    this.consider(task);
  }

  becameReady(): void {
    this.#completion.cleanups.begin();
    if (this.#ports.policies.cleanupBackOff) this.#ports.ensureBefore(0);
  }

  // Placing tasks on the agenda.

  /** Puts the task in its place on the agenda, if it has one. O(1) except for the heap. */
  consider(task: Task): void {
    if (this.#stopped || (this.#live.has(task) && task.status !== 'abort')) return;
    const where = this.#placeOf(task);
    if (this.#agenda.isParkedByName(task)) {
      if (where === 'start') return;
      this.#agenda.leavePark(task);
    }
    if (where === undefined || task.queued === where) return;
    if (where === 'start' && this.#postpone(task)) return;
    task.queued = where;
    if (where === 'decide') this.#agenda.decide(task);
    else this.#agenda.start(task, this.#ports.kindOf(task.kind)?.unlimited === true);
    if (!this.#inPass) this.#ports.ensureBefore(0);
  }

  /** Step 8 of a pass: a task whose time has not come is kept with that time. */
  #postpone(task: Task): boolean {
    if (task.notBefore === undefined) return false;
    const now = this.#clock.now().getTime();
    if (task.notBefore <= now) return false;
    this.#agenda.later(task, task.notBefore);
    if (!this.#inPass) this.#ports.ensureBefore(task.notBefore - now);
    return true;
  }

  #placeOf(task: Task): AgendaPlace | undefined {
    return agendaPlace(task, this.#ports.kindOf(task.kind)?.undo !== undefined);
  }

  #reconsider(): void {
    this.#someBlocked = false;
    for (const task of this.#agenda.reconsider()) this.consider(task);
  }

  /** Checks the tasks that are blocked by a name which may be free, in their order, until one is still blocked. */
  #askParked(): void {
    for (const name of this.#freed) {
      for (;;) {
        if (this.#live.slots >= this.#ports.parallelism) {
          this.#someBlocked = true;
          return;
        }
        const task = this.#agenda.takeParked(name);
        if (task === undefined || this.#tryStart(task) === name) break;
      }
      this.#freed.delete(name);
    }
  }

  #decideAndStart(): void {
    const { parallelism } = this.#ports;
    for (;;) {
      const undecided = this.#agenda.nextDecision();
      if (undecided !== undefined) {
        if (undecided.queued === 'decide') this.#decide(undecided);
        continue;
      }
      const task = this.#agenda.nextStart(this.#live.slots < parallelism);
      if (task === undefined) break;
      if (task.queued === 'start') this.#tryStart(task);
    }
    if (this.#agenda.startable > 0) this.#someBlocked = true;
  }

  /** Decides about aborted tasks, and undos without a handler [CHG-13]. */
  #decide(task: Task): void {
    task.queued = undefined;
    const routine = this.#live.of(task);
    if (task.status === 'abort' && routine !== undefined)
      return routine.kill(this.#ports.policies.abortGraceMs);
    if (routine !== undefined || this.#placeOf(task) !== 'decide') return;
    const kind = this.#ports.kindOf(task.kind);
    if (kind === undefined) return this.#unknownKind(task);
    if (task.status === 'abort') {
      if (task.inDoubt && kind.resolve !== undefined) return this.#start(task, kind, 'do', true);
      this.plans.give(
        new Map([[task, transition('abort', kind.undo === undefined ? 'give-up' : 'turn-back')]]),
        task.reason,
      );
    } else this.plans.give(new Map([[task, transition(task.status, 'skip')]]), undefined);
    if (task.waits.length > 0) this.#ports.ensureBefore(0);
  }

  /**
   * Runs the last steps of a pass: times, limits, start [CHG-13]. Returns the name that blocks the task, if there is
   * one.
   */
  #tryStart(task: Task): string | undefined {
    task.queued = undefined;
    if (this.#live.has(task) || this.#placeOf(task) !== 'start') return undefined;
    const kind = this.#ports.kindOf(task.kind);
    if (kind === undefined) {
      this.#unknownKind(task);
      return undefined;
    }
    if (this.#postpone(task)) return undefined;
    const blocked = this.#blockedBy(task);
    if (blocked === false) this.#startOrDecline(task, kind);
    else if (blocked === true) {
      this.#someBlocked = true;
      this.#agenda.park(task);
    } else {
      this.#agenda.parkUnder(task, blocked);
      return blocked;
    }
    return undefined;
  }

  /** Returns the answer of the first predicate that blocks the task. */
  #blockedBy(task: Task): boolean | string {
    for (const blocks of this.#ports.blocked) {
      const answer = blocks(task, this.#live.tasks, task.payload);
      if (answer !== false) return answer;
    }
    return false;
  }

  #startOrDecline(task: Task, kind: TaskDefinition): void {
    if (task.attempts >= this.#ports.policies.maxAttempts) return this.#giveUpStarting(task);
    const direction = task.status === 'undo' || task.status === 'undoing' ? 'undo' : 'do';
    this.#start(task, kind, direction, task.doubt === direction && kind.resolve !== undefined);
  }

  #giveUpStarting(task: Task): void {
    const reason = `started ${task.attempts} times without a result`;
    this.#park(task, reason);
    this.#ports.listener.warning(task, reason);
  }

  #unknownKind(task: Task): void {
    if (!this.#ports.policies.waitOnUnknownKind || task.status === 'abort') return;
    this.#park(task, `there is no handler for tasks of kind "${task.kind}"`);
  }

  #park(task: Task, reason: string): void {
    const waited = task.status === 'doing' || task.status === 'do' ? 'do' : 'undo';
    const status = transition(task.status, 'park');
    this.#ports.writer.commit({ record: 'status', task: task.id, status, waited, reason });
  }

  // Starting tasks.

  #start(task: Task, kind: TaskDefinition, direction: Direction, resolving: boolean): void {
    const routine = new Routine(task, kind, direction, resolving, this.#completion);
    let entry: unknown;
    try {
      entry = resolving ? undefined : kind.begin?.(routine, direction);
    } catch (error) {
      this.#live.enter(routine);
      const seq = this.#intend(routine, direction, undefined);
      this.#ports.writer.log.after(seq, () => this.#completion.complete(routine, { t: 'error', error }));
      return;
    }
    this.#live.enter(routine);
    const seq = this.#intend(routine, direction, entry);
    const local = direction === 'do' && !resolving && kind.isLocal?.(routine) === true;
    this.#ports.writer.log.after(local ? 0 : seq, () => this.#invoke(routine));
  }

  /** Records the start. Returns the number of the record that is durable before a handler has an effect. */
  #intend(routine: Routine, direction: Direction, entry: unknown): number {
    const { task } = routine;
    return this.#ports.writer.commit({
      record: 'intent',
      task: task.id,
      direction,
      status: transition(task.status, 'start'),
      attempt: routine.attempt,
      generation: task.generation > 0 ? task.generation : undefined,
      entry,
    });
  }

  #startCleanup(task: Task): void {
    const kind = this.#ports.kindOf(task.kind);
    if (kind?.cleanup === undefined || this.#live.has(task)) return;
    const routine = new Routine(task, kind, 'cleanup', false, this.#completion);
    this.#live.enter(routine);
    this.#ports.writer.log.after(task.lastSeq, () => this.#invoke(routine));
  }

  #invoke(routine: Routine): void {
    routine.startedMs = this.#clock.monotonicMs();
    callHandler(routine, {
      answered: (outcome) => this.#completion.complete(routine, outcome),
      broken: (error) => this.#ports.listener.broken(error),
      mayResolve: () => !this.#stopped,
    });
  }

  #requestNext(): void {
    const due = [this.#agenda.nextDue(), this.#completion.cleanups.nextDue()].filter(
      (at) => at !== undefined,
    );
    if (due.length > 0) this.#ports.ensureBefore(Math.max(0, Math.min(...due) - this.#clock.now().getTime()));
    this.#reportDeadlock();
    this.#ports.listener.moved();
  }

  /** Reports a blocked task while nothing runs: it would never be checked again, so a predicate is wrong [CHG-28]. */
  #reportDeadlock(): void {
    if (!this.#ports.policies.reportDeadlock || this.#live.tasks.size > 0) return;
    if (this.#agenda.parked === 0 && this.#agenda.startable === 0) return;
    this.#ports.listener.broken(
      new BugError(`change ${this.#ports.writer.change.id}: tasks are blocked although nothing runs`),
    );
  }
}
