import type { Routine } from './routine.js';
import type { Task, TaskView } from './task.js';

/** Handlers that run now: do, undo and cleanup. */
export class LiveRoutines {
  readonly #routines = new Map<Task, Routine>();
  readonly #tasks = new Set<TaskView>();
  #slots = 0;

  /** Tasks with a live handler. */
  get tasks(): ReadonlySet<TaskView> {
    return this.#tasks;
  }

  /** Number of tasks that count towards the parallelism. Cleanups and unlimited kinds do not count. */
  get slots(): number {
    return this.#slots;
  }

  has(task: Task): boolean {
    return this.#routines.has(task);
  }

  of(task: Task): Routine | undefined {
    return this.#routines.get(task);
  }

  enter(routine: Routine): void {
    this.#routines.set(routine.task, routine);
    this.#tasks.add(routine.task);
    if (takesSlot(routine)) this.#slots += 1;
  }

  /** Removes a routine. Returns false if it was not live: the answer of a released routine is ignored. */
  leave(routine: Routine): boolean {
    const { task } = routine;
    if (this.#routines.get(task) !== routine) return false;
    this.#routines.delete(task);
    this.#tasks.delete(task);
    if (takesSlot(routine)) this.#slots -= 1;
    return true;
  }

  /** Asks the handlers of these kinds to end at once. Defaults to all kinds. */
  kill(kinds?: ReadonlySet<string>): void {
    for (const routine of this.#routines.values()) {
      if (kinds === undefined || kinds.has(routine.task.kind)) routine.kill(0);
    }
  }
}

function takesSlot(routine: Routine): boolean {
  return routine.mode !== 'cleanup' && routine.kind.unlimited !== true;
}
