import type { Status } from './status.js';
import type { TaskView } from './task.js';

/**
 * Called with every status of a task; returning true ends the observation. Must be quick, must not throw and must not
 * alter the change.
 */
export type TaskObserver = (task: TaskView, from: Status, to: Status) => boolean | void;

/**
 * Called with every status of the change that differs from the last reported one. `from` is undefined the first time.
 */
export type ChangeObserver = (from: Status | undefined, to: Status) => boolean | void;

/**
 * Observers of the statuses of one change [CHG-10], in the order in which they were added. Costs nothing without
 * observers.
 */
export class StatusObservers {
  readonly #tasks = new Set<TaskObserver>();
  readonly #change = new Set<ChangeObserver>();
  #told: Status | undefined;

  /** Returns a function that ends the observation. */
  observeTasks(observer: TaskObserver): () => void {
    return join(this.#tasks, observer);
  }

  observeChange(observer: ChangeObserver): () => void {
    return join(this.#change, observer);
  }

  taskChanged(task: TaskView, from: Status): void {
    for (const observer of [...this.#tasks]) {
      if (observer(task, from, task.status) === true) this.#tasks.delete(observer);
    }
  }

  /** Called when the status of the change may have changed. `derive` is only called if there are observers. */
  changeMoved(derive: () => Status): void {
    if (this.#change.size === 0) return;
    const from = this.#told;
    const to = derive();
    if (to === from) return;
    this.#told = to;
    for (const observer of [...this.#change]) if (observer(from, to) === true) this.#change.delete(observer);
  }
}

function join<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => {
    all.delete(one);
  };
}
