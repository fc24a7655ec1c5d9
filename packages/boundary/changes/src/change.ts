import { BugError, unreachable } from '@cairn/diagnostics';
import type { LaneIndex } from './abort.js';
import type { Claim } from './claims.js';
import { deriveStatus, noCounts } from './derive.js';
import { withDataEntry } from './data.js';
import { StatusObservers } from './observers.js';
import type {
  DataMap,
  Direction,
  Intent,
  LanesChanged,
  OutcomeRecord,
  RecordBody,
  TaskAdded,
} from './records.js';
import type { Status, WaitedStatus } from './status.js';
import { isReady } from './status.js';
import type { TaskView } from './task.js';
import { Task } from './task.js';

/** Public view of one operation [CHG-2]. Live: it changes as the operation runs. */
export interface ChangeView {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  readonly scope: string;
  /** Its explicit status, if any; otherwise derived from its tasks [CHG-9]. */
  readonly status: Status;
  /** True if the change has ended. An empty change is not ready although its status is hold. */
  readonly isReady: boolean;
  /** True if it is ready and every cleanup is over. */
  readonly clean: boolean;
  /** True while tasks may still be added. */
  readonly growing: boolean;
  readonly sealed: boolean;
  readonly claims: readonly Claim[];
  readonly data: DataMap;
  /** RFC 3339. */
  readonly spawned: string;
  readonly ended: string | undefined;
  /** Tasks in order of creation. */
  readonly tasks: ReadonlyMap<string, TaskView>;
}

/** Notified while records are applied. Must be quick and must not apply records. */
export interface ChangeWatcher {
  /** Called when the status of a task has changed. */
  statusChanged(task: Task, from: Status): void;
  /**
   * Called when nothing that the task waits for is missing any more: its do (wait edges) or its undo (halt edges) may
   * start.
   */
  freed(task: Task): void;
  /** Called when the change has become ready. */
  becameReady(): void;
}

const NOBODY: ChangeWatcher = {
  statusChanged: () => undefined,
  freed: () => undefined,
  becameReady: () => undefined,
};

/**
 * Change with its tasks in memory. Only {@link apply} alters it, both while it runs and when it is read back. Replaying
 * the records therefore always returns the change that wrote them.
 */
export class Change implements ChangeView, LaneIndex<Task> {
  readonly tasks = new Map<string, Task>();
  readonly counts = noCounts();
  readonly observers = new StatusObservers();
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  readonly scope: string;
  readonly spawned: string;
  watcher: ChangeWatcher = NOBODY;
  data: DataMap;
  claims: readonly Claim[] = [];
  ended: string | undefined;
  growing: boolean;
  sealed = false;
  /** Highest task id in use. */
  lastTask = 0;
  /** Highest lane in use. */
  lastLane = 0;
  /** Explicit status of the change. The machine itself never sets one. */
  explicit: Status | undefined;
  #unready = 0;
  #unclean = 0;
  #ready = false;
  /** True while records are read back: no observer is notified, and readiness is not decided. */
  #loading = true;
  #allReadyAt: string | undefined;
  readonly #lanes = new Map<number, Task[]>();
  readonly #joined = new Set<number>();

  /** Starts with the first record of a change log. */
  constructor(opened: RecordBody, at: string) {
    if (opened.record !== 'change') throw new BugError('a change log starts with a change record');
    this.id = opened.id;
    this.kind = opened.kind;
    this.summary = opened.summary;
    this.scope = opened.scope;
    this.data = opened.data ?? {};
    this.growing = opened.growing ?? false;
    this.spawned = at;
  }

  get status(): Status {
    return this.explicit ?? deriveStatus(this.counts, this.tasks.values());
  }

  get isReady(): boolean {
    return this.#ready;
  }

  get clean(): boolean {
    return this.#ready && this.#unclean === 0;
  }

  /** Returns the tasks of a lane in order of creation. */
  lane(lane: number): readonly Task[] {
    return this.#lanes.get(lane) ?? [];
  }

  /** Tells if a task has joined the lane after it was added. */
  isJoined(lane: number): boolean {
    return this.#joined.has(lane);
  }

  /** Returns the task of this id. Throws BugError if there is none. */
  task(id: string): Task {
    const task = this.tasks.get(id);
    if (task === undefined) throw new BugError(`change ${this.id} has no task ${id}`);
    return task;
  }

  /** Applies one record of the time `at`. The cost does not depend on the size of the change. */
  apply(body: RecordBody, at: string): void {
    if (this.sealed) throw new BugError(`change ${this.id} is sealed and nothing may follow`);
    switch (body.record) {
      case 'change':
        throw new BugError(`change ${this.id} was opened twice`);
      case 'task':
        return this.#addTask(body, at);
      case 'intent':
        return this.#intent(this.task(body.task), body, at);
      case 'progress-id':
        this.task(body.task).progressId = body.id;
        return;
      case 'outcome':
        return this.#outcome(this.task(body.task), body, at);
      case 'status':
        if (body.task === undefined) return this.#setExplicit(body.status, at);
        return this.#status(this.task(body.task), body.status, body.waited, body.reason, at);
      case 'lanes':
        return this.#changeLanes(this.task(body.task), body);
      case 'schedule':
        this.task(body.task).notBefore = timeOf(body.notBefore ?? undefined);
        return;
      case 'data':
        return this.#setData(body.task, body.key, body.value);
      case 'claim':
        this.claims = [...this.claims, ...body.claims];
        return;
      case 'cleaned':
        return this.#cleaned(body.task, body.except);
      case 'log':
        return this.task(body.task).addLines(body.lines);
      case 'entry':
        return;
      case 'complete':
        this.growing = false;
        return this.#becomeReady(at);
      case 'seal':
        this.sealed = true;
        return;
      default:
        return unreachable(body);
    }
  }

  /** Completes a read-back after its last record: a change whose status is ready becomes ready [CHG-6]. */
  loaded(at: string): void {
    this.#loading = false;
    if (!this.growing && isReady(this.status)) this.#signalReady(this.#allReadyAt ?? at);
  }

  /** Marks a new change, which has nothing to read back. */
  live(): this {
    this.#loading = false;
    return this;
  }

  #addTask(body: TaskAdded, at: string): void {
    if (this.#ready) throw new BugError(`change ${this.id} is ready and takes no further task`);
    if (this.tasks.has(body.id)) throw new BugError(`task ${body.id} exists already`);
    const task = new Task(body.id, Number(body.id), body.kind, body.summary, body.priority ?? 0, at);
    if (body.lanes !== undefined && body.lanes.length > 0) task.lanes = body.lanes;
    if (body.data !== undefined) task.data = body.data;
    task.notBefore = timeOf(body.notBefore);
    task.waited = body.waited;
    // The edges are added first, while the task is in `do`; setting its status afterwards keeps every count right.
    const { waits = [] } = body;
    for (const id of waits.length > 1 ? new Set(waits) : waits) this.#addEdge(task, id);
    this.tasks.set(task.id, task);
    if (task.order > this.lastTask) this.lastTask = task.order;
    for (const lane of task.lanes) this.#joinLane(task, lane);
    this.counts.do += 1;
    this.#unready += 1;
    this.#unclean += 1;
    if (body.status !== undefined && body.status !== 'do') {
      task.effect = EFFECTIVE.has(body.status);
      task.doubt = STARTED[body.status];
      this.#setStatus(task, body.status, at, false);
    } else if (task.unmetWaits === 0) this.watcher.freed(task);
  }

  #joinLane(task: Task, lane: number): void {
    const members = this.#lanes.get(lane);
    if (members === undefined) this.#lanes.set(lane, [task]);
    else insert(members, task);
    if (lane > this.lastLane) this.lastLane = lane;
  }

  #changeLanes(task: Task, { join = [], leave = [] }: LanesChanged): void {
    const kept = task.lanes.filter((lane) => !leave.includes(lane));
    const fresh = join.filter((lane) => !task.lanes.includes(lane));
    if (kept.length + fresh.length === 0) throw new BugError(`task ${task.id} is left without a lane`);
    for (const lane of leave) {
      const members = this.#lanes.get(lane);
      const at = members?.indexOf(task) ?? -1;
      if (at >= 0) members?.splice(at, 1);
    }
    for (const lane of fresh) {
      this.#joinLane(task, lane);
      this.#joined.add(lane);
    }
    task.lanes = [...kept, ...fresh];
  }

  #addEdge(task: Task, id: string): void {
    const other = this.task(id);
    task.waitFor(other);
    if (other.status !== 'done') task.unmetWaits += 1;
    other.unmetHalts += 1;
  }

  #intent(task: Task, body: Intent, at: string): void {
    task.attempts = body.attempt;
    task.notBefore = undefined;
    task.doubt = body.direction;
    this.#setStatus(task, body.status, at);
  }

  #outcome(task: Task, body: OutcomeRecord, at: string): void {
    if (body.direction === 'do') task.doingMs += body.ms;
    else task.undoingMs += body.ms;
    if (body.progress !== undefined) task.setProgress(body.progress);
    task.notBefore = timeOf(body.notBefore);
    if (body.result !== 'unknown') {
      task.doubt = undefined;
      task.attempts = 0;
    }
    if (body.result === 'error') {
      task.generation += 1;
      task.addLines([`${at} ERROR ${body.reason ?? 'unknown error'}`]);
    }
    task.effect = effectAfter(task.effect, body);
    this.#status(task, body.status, body.waited, body.reason, at);
  }

  #status(
    task: Task,
    status: Status | null,
    waited: WaitedStatus | undefined,
    reason: string | undefined,
    at: string,
  ): void {
    if (status === null) throw new BugError(`task ${task.id} needs a status`);
    if (waited !== undefined) task.waited = waited;
    task.reason = reason;
    this.#setStatus(task, status, at);
  }

  /**
   * Sets a status. `decide` allows the change to become ready; the status of a task that is just being added must not
   * cause that.
   */
  #setStatus(task: Task, to: Status, at: string, decide = true): void {
    const from = task.status;
    if (from === to) return;
    task.status = to;
    this.counts[from] -= 1;
    this.counts[to] += 1;
    if (to === 'undo' || from === 'wait') task.attempts = 0;
    this.#releaseDependents(task, from, to);
    this.watcher.statusChanged(task, from);
    if (isReady(from) !== isReady(to)) this.#flipReady(task, to, at, decide);
    if (!decide || this.#loading) return;
    this.observers.taskChanged(task, from);
    this.observers.changeMoved(() => this.status);
  }

  /**
   * Updates dependents. A do waits until its waits are exactly done; an undo waits until its halts are ready [CHG-13].
   */
  #releaseDependents(task: Task, from: Status, to: Status): void {
    const { halts, waits } = task;
    if (to === 'done') {
      for (let at = 0; at < halts.length; at += 1) {
        const dependent = halts[at] as Task;
        if (--dependent.unmetWaits === 0) this.watcher.freed(dependent);
      }
    } else if (from === 'done') {
      for (const dependent of halts) dependent.unmetWaits += 1;
    }
    if (isReady(from) === isReady(to)) return;
    const step = isReady(to) ? -1 : 1;
    for (let at = 0; at < waits.length; at += 1) {
      const needed = waits[at] as Task;
      needed.unmetHalts += step;
      if (needed.unmetHalts === 0) this.watcher.freed(needed);
    }
  }

  #flipReady(task: Task, to: Status, at: string, decide: boolean): void {
    if (isReady(to)) {
      this.#unready -= 1;
      task.ended = at;
      task.doubt = undefined;
      if (decide) this.#becomeReady(at);
      return;
    }
    this.#unready += 1;
    if (this.#ready && !isReady(this.status)) {
      throw new BugError(`change ${this.id} unexpectedly became unready (${this.status})`);
    }
  }

  #becomeReady(at: string): void {
    if (this.#unready > 0 || this.growing) return;
    if (this.#loading) this.#allReadyAt = at;
    else this.#signalReady(at);
  }

  #signalReady(at: string): void {
    if (this.#ready) return;
    this.#ready = true;
    this.ended ??= at;
    this.watcher.becameReady();
  }

  #setExplicit(status: Status | null, at: string): void {
    this.explicit = status ?? undefined;
    if (this.#loading) return;
    if (status !== null && isReady(status)) this.#signalReady(at);
    this.observers.changeMoved(() => this.status);
  }

  #setData(id: string | undefined, key: string, value: unknown): void {
    const owner: { data: DataMap } = id === undefined ? this : this.task(id);
    owner.data = withDataEntry(owner.data, key, value);
  }

  #cleaned(id: string | undefined, except: readonly string[] | undefined): void {
    if (!this.#ready && !this.#loading)
      throw new BugError(`change ${this.id} is not ready, nothing can be clean`);
    if (id !== undefined) return this.#setClean(this.task(id));
    const kept = new Set(except);
    for (const task of this.tasks.values()) if (!kept.has(task.id)) this.#setClean(task);
  }

  #setClean(task: Task): void {
    if (task.clean) return;
    task.clean = true;
    this.#unclean -= 1;
  }
}

/** Inserts a task in order of creation; nearly always at the end. */
function insert(members: Task[], task: Task): void {
  let at = members.length;
  while (at > 0 && (members[at - 1] as Task).order > task.order) at -= 1;
  members.splice(at, 0, task);
}

/** Statuses of a task whose do has taken effect. */
const EFFECTIVE: ReadonlySet<Status> = new Set<Status>(['done', 'undo', 'undoing']);
/** Handler that was called without an answer so far, by the task's status. */
const STARTED: Readonly<Partial<Record<Status, Direction>>> = { doing: 'do', abort: 'do', undoing: 'undo' };

function effectAfter(before: boolean, body: OutcomeRecord): boolean {
  if (body.result === 'unknown') return true;
  if (body.direction === 'do') return before || body.result === 'ok';
  return before && body.result !== 'ok';
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
