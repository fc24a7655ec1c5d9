import type { Routine } from './routine.js';
import type { Task, TaskView } from './task.js';

/** The handlers that run now: do, undo and cleanup. */
export class LiveRoutines {
  readonly #routines = new Map<Task, Routine>();
  readonly #tasks = new Set<TaskView>();
  #slots = 0;

  /** Tasks with a live handler. */
  get tasks(): ReadonlySet<TaskView> {
    return this.#tasks;
  }

  /** How many of them count towards the parallelism: cleanups and unlimited kinds do not. */
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

  /** Whether it was there: an answer of a routine that was let go counts for nothing. */
  leave(routine: Routine): boolean {
    const { task } = routine;
    if (this.#routines.get(task) !== routine) return false;
    this.#routines.delete(task);
    this.#tasks.delete(task);
    if (takesSlot(routine)) this.#slots -= 1;
    return true;
  }

  /** Asks the handlers of these kinds (undefined: all) to end at once. */
  kill(kinds?: ReadonlySet<string>): void {
    for (const routine of this.#routines.values()) {
      if (kinds === undefined || kinds.has(routine.task.kind)) routine.kill(0);
    }
  }
}

function takesSlot(routine: Routine): boolean {
  return routine.mode !== 'cleanup' && routine.kind.unlimited !== true;
}
