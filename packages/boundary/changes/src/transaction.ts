import { BugError } from '@cairn/diagnostics';
import { toStored } from './data.js';
import type { Change } from './change.js';
import type { Claim } from './claims.js';
import type { KindRegistry } from './kind-registry.js';
import type { RecordBody, TaskProperties } from './records.js';
import type { Runner } from './runner.js';
import type { WaitedStatus } from './status.js';
import type { ChangeWriter } from './writer.js';

/** Task to add. */
export interface NewTask extends TaskProperties {
  /** Time before which it must not start. */
  readonly notBefore?: Date;
  /** Data for the handlers of this process. Never stored. */
  readonly payload?: unknown;
}

/** Requests in a transaction. They are applied in this order when the function returns. */
export interface ChangeTx {
  /** Returns the id of the new task; other tasks may wait for it at once. */
  addTask(task: NewTask): string;
  /** Returns a lane that no task has joined. */
  newLane(): number;
  abort(): void;
  abortTasks(ids: readonly string[]): void;
  abortLanes(lanes: readonly number[]): void;
  /**
   * Adds a task to lanes and removes it from others. A task that several lanes turn out to use fails only with all of
   * them [CHG-15]. A joined lane counts as alive until it fails. At least one lane must remain.
   */
  changeLanes(
    id: string,
    lanes: { readonly join?: readonly number[]; readonly leave?: readonly number[] },
  ): void;
  hold(reason: string, lanes?: readonly number[]): void;
  /** Ends the wait of a task, which gets the status `to`, by default its waited status. */
  resolve(id: string, to?: Exclude<WaitedStatus, 'hold' | 'error'>): void;
  /** Sets one key of a task's or, without `id`, the change's data; null removes it. */
  set(key: string, value: unknown, id?: string): void;
  claim(claims: readonly Claim[]): void;
  /** Adds a journal entry that belongs to no task. */
  entry(entry: unknown): void;
  /** Sets the time before which the task must not start; undefined means at once. Nothing happens to a ready task. */
  schedule(id: string, notBefore: Date | undefined): void;
  complete(): void;
}

/** Collects requests, so that nothing is applied if the function throws. */
export class Transaction implements ChangeTx {
  readonly #steps: (() => void)[] = [];
  #over = false;
  /** First id of a new task. */
  readonly #firstNew: number;
  #nextTask: number;
  #nextLane: number;
  readonly #change: Change;
  readonly #runner: Runner;
  readonly #writer: ChangeWriter;
  readonly #kinds: KindRegistry;

  constructor(change: Change, runner: Runner, writer: ChangeWriter, kinds: KindRegistry) {
    this.#change = change;
    this.#runner = runner;
    this.#writer = writer;
    this.#kinds = kinds;
    this.#firstNew = change.lastTask + 1;
    this.#nextTask = this.#firstNew;
    this.#nextLane = change.lastLane + 1;
  }

  /** Applies the requests. Called once, inside a transaction of the writer. */
  apply(): void {
    this.#steps.forEach((step) => step());
  }

  /** Refuses further requests: a caller that kept the object would write outside a transaction [CHG-5]. */
  close(): void {
    this.#over = true;
  }

  addTask(task: NewTask): string {
    if (this.#change.isReady)
      throw new BugError(`change ${this.#change.id} is ready and takes no further task`);
    if (this.#kinds.of(task.kind) === undefined) throw new BugError(`there is no kind "${task.kind}"`);
    task.waits?.forEach((needed) => this.#mustExist(needed));
    const id = String(this.#nextTask);
    this.#nextTask += 1;
    this.#ask(() => {
      this.#writer.commit(recordOf(id, task));
      const added = this.#change.task(id);
      added.payload = task.payload;
      this.#runner.plans.admit(added);
    });
    return id;
  }

  newLane(): number {
    this.#refuseWhenOver();
    const lane = this.#nextLane;
    this.#nextLane += 1;
    return lane;
  }

  abort(): void {
    this.#ask(() => this.#runner.plans.abort());
  }

  abortTasks(ids: readonly string[]): void {
    for (const id of ids) this.#mustExist(id);
    this.#ask(() => this.#runner.plans.abort(ids.map((id) => this.#change.task(id))));
  }

  abortLanes(lanes: readonly number[]): void {
    this.#ask(() => this.#runner.plans.abortLanes(lanes));
  }

  changeLanes(
    id: string,
    { join, leave }: { readonly join?: readonly number[]; readonly leave?: readonly number[] },
  ): void {
    this.#mustExist(id);
    this.#commit({ record: 'lanes', task: id, join: unlessEmpty(join), leave: unlessEmpty(leave) });
  }

  hold(reason: string, lanes?: readonly number[]): void {
    this.#ask(() => this.#runner.plans.hold(lanes, reason));
  }

  resolve(id: string, to?: Exclude<WaitedStatus, 'hold' | 'error'>): void {
    const task = this.#change.task(id);
    if (task.status !== 'wait') throw new BugError(`task ${id} does not wait`);
    this.#commit({ record: 'status', task: id, status: to ?? task.waited ?? 'done' });
  }

  set(key: string, value: unknown, id?: string): void {
    if (id !== undefined) this.#mustExist(id);
    const stored = toStored(key, value);
    this.#commit({ record: 'data', key, value: stored, ...(id !== undefined && { task: id }) });
  }

  claim(claims: readonly Claim[]): void {
    this.#commit({ record: 'claim', claims });
  }

  entry(entry: unknown): void {
    this.#commit({ record: 'entry', entry });
  }

  schedule(id: string, notBefore: Date | undefined): void {
    this.#mustExist(id);
    this.#ask(() => this.#runner.schedule(this.#change.task(id), notBefore));
  }

  complete(): void {
    this.#commit({ record: 'complete' });
  }

  #commit(body: RecordBody): void {
    this.#ask(() => {
      this.#writer.commit(body);
    });
  }

  #ask(step: () => void): void {
    this.#refuseWhenOver();
    this.#steps.push(step);
  }

  #refuseWhenOver(): void {
    if (this.#over) throw new BugError('the transaction is over');
  }

  #mustExist(id: string): void {
    const isNew = Number(id) >= this.#firstNew && Number(id) < this.#nextTask;
    if (!isNew) this.#change.task(id);
  }
}

function recordOf(id: string, task: NewTask): RecordBody {
  return {
    record: 'task',
    id,
    kind: task.kind,
    summary: task.summary,
    waits: unlessEmpty(task.waits),
    lanes: unlessEmpty(task.lanes),
    priority: task.priority === 0 ? undefined : task.priority,
    status: task.status === 'do' ? undefined : task.status,
    waited: task.status === 'wait' ? (task.waited ?? 'done') : undefined,
    notBefore: task.notBefore?.toISOString(),
    data: task.data,
  };
}

function unlessEmpty<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}
