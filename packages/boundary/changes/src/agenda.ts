import { unreachable } from '@cairn/diagnostics';
import { Heap } from './heap.js';
import { isReady } from './status.js';
import type { Task } from './task.js';

const earlier = (a: Task, b: Task): boolean =>
  a.priority === b.priority ? a.order < b.order : a.priority < b.priority;

/**
 * Queue of the runner, so that no pass examines all tasks. It has tasks that only need a decision, tasks that may
 * start, and tasks that may not start before a time. Order: priority, then creation.
 */
export class Agenda {
  readonly #decide = new Heap<Task>(earlier);
  readonly #start = new Heap<Task>(earlier);
  readonly #startUnlimited = new Heap<Task>(earlier);
  readonly #later = new Heap<{ readonly task: Task; readonly at: number }>((a, b) => a.at < b.at);
  #parked: Task[] = [];
  /** Tasks by the name that blocks them. An entry counts only while {@link #names} has the task under the same name. */
  readonly #named = new Map<string, Heap<Task>>();
  readonly #names = new Map<Task, string>();

  /** Number of tasks that could start now. */
  get startable(): number {
    return this.#start.size + this.#startUnlimited.size;
  }

  /** Number of tasks that a predicate has blocked since {@link reconsider}. */
  get parked(): number {
    return this.#parked.length;
  }

  /** Number of tasks that are blocked by a name. */
  get parkedByName(): number {
    return this.#names.size;
  }

  get undecided(): number {
    return this.#decide.size;
  }

  /** Adds a task that needs a decision, not a start. */
  decide(task: Task): void {
    this.#decide.push(task);
  }

  start(task: Task, unlimited: boolean): void {
    (unlimited ? this.#startUnlimited : this.#start).push(task);
  }

  /** Adds a task that must not start before `at`, in milliseconds since 1970. */
  later(task: Task, at: number): void {
    this.#later.push({ task, at });
  }

  /** Adds a task that a predicate has blocked. */
  park(task: Task): void {
    this.#parked.push(task);
  }

  /** Adds a task that is blocked by a name. */
  parkUnder(task: Task, name: string): void {
    let heap = this.#named.get(name);
    if (heap === undefined) this.#named.set(name, (heap = new Heap<Task>(earlier)));
    heap.push(task);
    this.#names.set(task, name);
  }

  isParkedByName(task: Task): boolean {
    return this.#names.has(task);
  }

  /** Removes the name that blocks a task. */
  leavePark(task: Task): void {
    this.#names.delete(task);
  }

  /** Removes and returns the first task that is blocked by this name. */
  takeParked(name: string): Task | undefined {
    const heap = this.#named.get(name);
    for (let task = heap?.pop(); task !== undefined; task = heap?.pop()) {
      if (this.#names.get(task) !== name) continue;
      this.#names.delete(task);
      return task;
    }
    this.#named.delete(name);
    return undefined;
  }

  nextDecision(): Task | undefined {
    return this.#decide.pop();
  }

  /** Returns the next task to start. `free` is true if one that counts towards the parallelism may start. */
  nextStart(free: boolean): Task | undefined {
    const unlimited = this.#startUnlimited.peek();
    const limited = free ? this.#start.peek() : undefined;
    if (unlimited === undefined) return limited === undefined ? undefined : this.#start.pop();
    return limited !== undefined && earlier(limited, unlimited)
      ? this.#start.pop()
      : this.#startUnlimited.pop();
  }

  /** Yields tasks whose time has come. */
  *due(now: number): Iterable<Task> {
    for (let next = this.#later.peek(); next !== undefined && next.at <= now; next = this.#later.peek()) {
      this.#later.pop();
      yield next.task;
    }
  }

  /** Returns when the next task is due, in milliseconds since 1970. Removes outdated entries on the way. */
  nextDue(): number | undefined {
    for (let next = this.#later.peek(); next !== undefined; next = this.#later.peek()) {
      if (next.task.notBefore === next.at && !isReady(next.task.status)) return next.at;
      this.#later.pop();
    }
    return undefined;
  }

  /** Removes and returns the parked tasks, to be considered again. */
  reconsider(): readonly Task[] {
    const parked = this.#parked;
    this.#parked = [];
    return parked;
  }
}

/** Place of a task on the agenda: it only needs a decision, or it may start. */
export type AgendaPlace = 'decide' | 'start';

/** Returns the current place of a task. Undefined if it waits for others, or is at rest [CHG-13]. */
export function agendaPlace(task: Task, hasUndo: boolean): AgendaPlace | undefined {
  switch (task.status) {
    case 'abort':
      return 'decide';
    case 'doing':
    case 'undoing':
      return 'start';
    case 'do':
      return task.unmetWaits === 0 ? 'start' : undefined;
    case 'undo':
      if (task.unmetHalts > 0) return undefined;
      return hasUndo ? 'start' : 'decide';
    case 'done':
    case 'undone':
    case 'hold':
    case 'error':
    case 'wait':
      return undefined;
    default:
      return unreachable(task.status);
  }
}
