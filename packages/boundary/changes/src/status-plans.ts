import type { StatusPlan } from './abort.js';
import { planAbort, planAbortLanes, planFailure } from './abort.js';
import { FailureDomains } from './failure.js';
import type { LiveRoutines } from './live-routines.js';
import type { RunnerPorts } from './runner-ports.js';
import { transition } from './status.js';
import type { Task } from './task.js';

/**
 * Carries out the decisions of the pure rules about aborts, holds and failures: sets new statuses of tasks, each with a
 * record. [CHG-15] [REC-10]
 */
export class StatusPlans {
  readonly #domains: FailureDomains;
  readonly #ports: RunnerPorts;
  readonly #live: LiveRoutines;
  /** Considers a task again after its start time was cleared. */
  readonly #consider: (task: Task) => void;

  constructor(ports: RunnerPorts, live: LiveRoutines, consider: (task: Task) => void) {
    this.#ports = ports;
    this.#live = live;
    this.#consider = consider;
    this.#domains = new FailureDomains(ports.writer.change, ports.policies.onError);
  }

  /**
   * Aborts tasks and everything that depends on them; lanes fail with them. Without `tasks`, aborts the whole change.
   */
  abort(tasks?: Iterable<Task>): void {
    const { change } = this.#ports.writer;
    if (tasks === undefined) this.#domains.failAll();
    this.#carryOut(planAbort(this.#domains, tasks ?? change.tasks.values()));
  }

  abortLanes(lanes: readonly number[]): void {
    this.#domains.fail(lanes);
    this.#carryOut(planAbortLanes(this.#domains, lanes));
  }

  /**
   * Holds the tasks of these lanes that have not started and are in no other lane that is alive. Running tasks may
   * finish [REC-10]. Without `lanes`, holds in every lane.
   */
  hold(lanes: readonly number[] | undefined, reason: string): void {
    const { change } = this.#ports.writer;
    if (lanes === undefined) this.#domains.failAll();
    else this.#domains.fail(lanes);
    const members = lanes === undefined ? change.tasks.values() : lanes.flatMap((lane) => change.lane(lane));
    const failing = [...members].filter((task) => task.status === 'do' && this.#domains.hasFailed(task));
    this.give(planFailure(failing), reason);
    this.#ports.ensureBefore(0);
  }

  /** Holds a task that was just added if it can never start (policy). */
  admit(task: Task): void {
    if (!this.#ports.policies.lateTasksHold || task.status !== 'do') return;
    const reason = this.#domains.refusal(task);
    if (reason !== undefined) this.give(new Map([[task, transition('do', 'lane-failed')]]), reason);
  }

  /**
   * Applies the failure of this task to the others. Called before the task itself is set to error: otherwise the change
   * would look finished for a moment [CHG-10].
   */
  takeDown(task: Task, inDoubt: boolean): void {
    const plan = new Map(this.#domains.planFor(task, inDoubt));
    plan.delete(task);
    this.give(plan, `task ${task.id} has failed`);
    for (const other of plan.keys()) {
      if (other.status === 'abort') this.#live.of(other)?.kill(this.#ports.policies.abortGraceMs);
    }
    this.#forgetTimes(plan);
  }

  give(plan: StatusPlan<Task>, reason: string | undefined): void {
    for (const [task, status] of plan) {
      const why = status === 'wait' ? task.reason : reason;
      this.#ports.writer.commit({
        record: 'status',
        task: task.id,
        status,
        ...(status === 'wait' && { waited: 'undo' }),
        ...(why !== undefined && { reason: why }),
      });
    }
  }

  #carryOut(plan: StatusPlan<Task>): void {
    this.#ports.writer.transaction(() => {
      this.give(plan, 'aborted');
      this.#forgetTimes(plan);
    });
    this.#ports.ensureBefore(0);
  }

  #forgetTimes(plan: StatusPlan<Task>): void {
    if (!this.#ports.policies.clearScheduleOnAbort) return;
    for (const task of plan.keys()) {
      if (task.notBefore === undefined) continue;
      this.#ports.writer.commit({ record: 'schedule', task: task.id, notBefore: null });
      this.#consider(task);
    }
  }
}
