import { unreachable } from '@cairn/diagnostics';
import { Heap } from './heap.js';
import { isReady } from './status.js';
import type { Task } from './task.js';

const earlier = (a: Task, b: Task): boolean =>
  a.priority === b.priority ? a.order < b.order : a.priority < b.priority;

/**
 * What the runner has to look at next, so that no pass ever looks at all tasks: tasks that need a decision only, tasks
 * that may start, and tasks that may not start before a time. Order: priority, then creation.
 */
export class Agenda {
  readonly #decide = new Heap<Task>(earlier);
  readonly #start = new Heap<Task>(earlier);
  readonly #startUnlimited = new Heap<Task>(earlier);
  readonly #later = new Heap<{ readonly task: Task; readonly at: number }>((a, b) => a.at < b.at);
  #parked: Task[] = [];
  /** Tasks by the name of what they wait for; those that {@link #names} no longer has under it are passed over. */
  readonly #named = new Map<string, Heap<Task>>();
  readonly #names = new Map<Task, string>();

  /** Tasks that could start now. */
  get startable(): number {
    return this.#start.size + this.#startUnlimited.size;
  }

  /** Tasks that a predicate has blocked since {@link reconsider}. */
  get parked(): number {
    return this.#parked.length;
  }

  /** Tasks that wait for something with a name. */
  get parkedByName(): number {
    return this.#names.size;
  }

  get undecided(): number {
    return this.#decide.size;
  }

  /** The task needs a decision, not a start. */
  decide(task: Task): void {
    this.#decide.push(task);
  }

  start(task: Task, unlimited: boolean): void {
    (unlimited ? this.#startUnlimited : this.#start).push(task);
  }

  /** Not before `at`, milliseconds since 1970. */
  later(task: Task, at: number): void {
    this.#later.push({ task, at });
  }

  /** A predicate has blocked it. */
  park(task: Task): void {
    this.#parked.push(task);
  }

  /** It waits for what has this name. */
  parkUnder(task: Task, name: string): void {
    let heap = this.#named.get(name);
    if (heap === undefined) this.#named.set(name, (heap = new Heap<Task>(earlier)));
    heap.push(task);
    this.#names.set(task, name);
  }

  isParkedByName(task: Task): boolean {
    return this.#names.has(task);
  }

  /** It waits no longer for what it waited for. */
  leavePark(task: Task): void {
    this.#names.delete(task);
  }

  /** Takes the first of those that wait for what has this name. */
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

  /** The next task to start; `free` says whether one that counts towards the parallelism may. */
  nextStart(free: boolean): Task | undefined {
    const unlimited = this.#startUnlimited.peek();
    const limited = free ? this.#start.peek() : undefined;
    if (unlimited === undefined) return limited === undefined ? undefined : this.#start.pop();
    return limited !== undefined && earlier(limited, unlimited)
      ? this.#start.pop()
      : this.#startUnlimited.pop();
  }

  /** Tasks whose time has come. */
  *due(now: number): Iterable<Task> {
    for (let next = this.#later.peek(); next !== undefined && next.at <= now; next = this.#later.peek()) {
      this.#later.pop();
      yield next.task;
    }
  }

  /**
   * When the next one is due: milliseconds since 1970. Entries that a task no longer follows are dropped on the way.
   */
  nextDue(): number | undefined {
    for (let next = this.#later.peek(); next !== undefined; next = this.#later.peek()) {
      if (next.task.notBefore === next.at && !isReady(next.task.status)) return next.at;
      this.#later.pop();
    }
    return undefined;
  }

  /** Hands back the parked tasks, to be looked at again. */
  reconsider(): readonly Task[] {
    const parked = this.#parked;
    this.#parked = [];
    return parked;
  }
}

/** Where a task belongs: it needs a decision only, or it may start. */
export type Place = 'decide' | 'start';

/** Where the task belongs now; undefined: it waits for others, or has come to a rest [CHG-13]. */
export function placeOf(task: Task, hasUndo: boolean): Place | undefined {
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
