import { BugError, messageOf } from '@cairn/diagnostics';
import { Cleanups } from './cleanups.js';
import type { CallOutcome } from './kinds.js';
import type { LiveRoutines } from './live-routines.js';
import { FINISHED, entryOf, outcomeRecord } from './outcome-record.js';
import type { TaskProgress } from './records.js';
import type { Routine, RoutineHost } from './routine.js';
import type { RunnerPorts } from './runner-ports.js';
import type { Settlement } from './settle.js';
import { settle } from './settle.js';
import type { StatusPlans } from './status-plans.js';
import { isReady, transition } from './status.js';
import type { Task } from './task.js';

/** Functions of the runner that completion needs. */
export interface CompletionHost {
  readonly stopped: boolean;
  /** Reconsiders blocked tasks, because something has ended. */
  unblock(): void;
  consider(task: Task): void;
}

/** Processes the requests and the answers of running handlers [CHG-14]. */
export class Completion implements RoutineHost {
  readonly clock;
  readonly tokenOf: { readonly scope: string; readonly change: string };
  readonly cleanups: Cleanups;
  readonly #ports: RunnerPorts;
  readonly #live: LiveRoutines;
  readonly #plans: StatusPlans;
  readonly #host: CompletionHost;

  constructor(ports: RunnerPorts, live: LiveRoutines, plans: StatusPlans, host: CompletionHost) {
    this.#ports = ports;
    this.#live = live;
    this.#plans = plans;
    this.#host = host;
    const { change } = ports.writer;
    this.clock = ports.clock;
    this.tokenOf = { scope: change.scope, change: change.id };
    const hasCleanup = (kind: string): boolean => ports.kindOf(kind)?.cleanup !== undefined;
    this.cleanups = new Cleanups(ports.writer, ports.clock, hasCleanup, ports.policies);
  }

  // Requests of handlers.

  note(task: Task, id: string): Promise<void> {
    if (typeof id !== 'string') throw new BugError(`task ${task.id} noted an id that is not a string`);
    this.#ports.writer.commit({ record: 'progress-id', task: task.id, id });
    return this.#ports.writer.log.flush();
  }

  log(task: Task, line: string): void {
    const text = `${this.#ports.writer.log.now()} INFO ${line}`;
    this.#ports.writer.commit({ record: 'log', task: task.id, lines: [text] });
    this.#ports.listener.log(task, text);
  }

  progress(task: Task, progress: TaskProgress): void {
    task.setProgress(progress);
    this.#ports.listener.progress(task, task.progress);
  }

  finish(routine: Routine, entry: unknown): Promise<void> {
    const { task } = routine;
    if (this.#live.of(task) !== routine || routine.mode === 'cleanup') {
      throw new BugError(`task ${task.id} finished without a running handler`);
    }
    const status = transition(task.status, 'finish');
    if (status !== task.status) this.#record(routine, { ...FINISHED, status }, entry);
    return this.#ports.writer.log.flush();
  }

  // Answers of handlers.

  /** Called when the handler has returned, once per routine. */
  complete(routine: Routine, outcome: CallOutcome): void {
    if (!this.#live.leave(routine)) return;
    routine.over();
    this.#host.unblock();
    if (routine.mode === 'cleanup') this.#cleanedUp(routine.task, outcome);
    else this.#settleRun(routine, outcome);
    this.#ports.listener.moved();
  }

  #settleRun(routine: Routine, outcome: CallOutcome): void {
    const { task, kind } = routine;
    const settlement = settle(task.status, outcome, {
      hasUndo: kind.undo !== undefined,
      stopping: this.#host.stopped,
    });
    if (settlement !== undefined) {
      this.#ports.writer.transaction(() => {
        if (settlement.failed) this.#plans.takeDown(task, settlement.result === 'unknown');
        this.#record(routine, settlement, entryOf(outcome));
      });
    }
    this.#host.consider(task);
    this.#requestAfter(task);
    if (settlement?.failed === true) this.#reportFailure(task, outcome);
    this.#ports.listener.outcome(task, outcome);
  }

  #record(routine: Routine, settlement: Settlement, entry: unknown): void {
    const ms = Math.max(0, this.clock.monotonicMs() - routine.startedMs);
    routine.startedMs += ms;
    const timing = { ms, now: this.clock.now().getTime(), retryMs: this.#ports.policies.retryMs };
    this.#ports.writer.commit(outcomeRecord(routine, settlement, entry, timing));
  }

  /** Requests the passes of [CHG-13] that considering a task does not request. */
  #requestAfter(task: Task): void {
    if (isReady(task.status) && (task.halts.length > 0 || task.waits.length > 0)) this.#ports.ensureBefore(0);
  }

  #reportFailure(task: Task, outcome: CallOutcome): void {
    const error = outcome.t === 'error' ? outcome.error : task.reason;
    this.#ports.ensureBefore(0);
    this.#ports.listener.failed(task, error);
  }

  #cleanedUp(task: Task, outcome: CallOutcome): void {
    const failures = this.cleanups.ended(task, outcome.t === 'ok');
    if (failures === Cleanups.WARN_AFTER) {
      const why = outcome.t === 'error' ? messageOf(outcome.error) : outcome.t;
      this.#ports.listener.warning(task, `cleaning up after "${task.summary}" keeps failing: ${why}`);
    }
    const next = this.cleanups.nextDue();
    if (next !== undefined) this.#ports.ensureBefore(Math.max(0, next - this.clock.now().getTime()));
  }
}
