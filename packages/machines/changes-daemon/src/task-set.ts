import type { ChangeTx, NewTask } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import type { DependencyNode } from './cycles.js';
import { findCycle } from './cycles.js';

/** Planned task that is not yet part of a change. Its edges may lead anywhere until it is added. */
export class PlannedTask {
  readonly waits: PlannedTask[] = [];
  readonly halts: PlannedTask[] = [];
  readonly lanes: number[] = [];

  constructor(readonly task: Omit<NewTask, 'waits' | 'lanes'>) {}

  /** Adds the edge in both directions, once. */
  waitFor(other: PlannedTask): void {
    if (this.waits.includes(other)) return;
    this.waits.push(other);
    other.halts.push(this);
  }

  /** Makes the task wait for every member. */
  waitAll(set: TaskSet): void {
    for (const other of set.tasks) this.waitFor(other);
  }

  joinLane(lane: number): void {
    if (!this.lanes.includes(lane)) this.lanes.push(lane);
  }
}

/**
 * Tasks that are planned together, in order and each once. Tasks that other code refers to have names, e.g. the last
 * one before a point of no return [CHG-4]. The set is never stored: {@link addTo} makes it part of a change.
 */
export class TaskSet {
  readonly #tasks = new Set<PlannedTask>();
  readonly #edges = new Map<string, PlannedTask>();

  constructor(...tasks: readonly PlannedTask[]) {
    for (const task of tasks) this.add(task);
  }

  get tasks(): readonly PlannedTask[] {
    return [...this.#tasks];
  }

  add(task: PlannedTask): void {
    this.#tasks.add(task);
  }

  addAll(set: TaskSet): void {
    for (const task of set.tasks) this.add(task);
  }

  /** Adds the tasks like {@link addAll}, with their names. A name that already means another task is a bug. */
  addAllWithEdges(set: TaskSet): void {
    for (const [name, task] of set.#edges) {
      const known = this.#edges.get(name);
      if (known !== undefined && known !== task)
        throw new BugError(`cannot add taskset: duplicated edge "${name}"`);
    }
    this.addAll(set);
    for (const [name, task] of set.#edges) this.#edges.set(name, task);
  }

  /** Makes every member wait for the task. */
  waitFor(task: PlannedTask): void {
    for (const member of this.#tasks) member.waitFor(task);
  }

  /** Makes every member wait for every member of the other set. */
  waitAll(set: TaskSet): void {
    for (const task of set.tasks) this.waitFor(task);
  }

  joinLane(lane: number): void {
    for (const member of this.#tasks) member.joinLane(lane);
  }

  /** Names a task. If the name is given again, it means the later task. */
  markEdge(name: string, task: PlannedTask): void {
    this.#edges.set(name, task);
  }

  maybeEdge(name: string): PlannedTask | undefined {
    return this.#edges.get(name);
  }

  edge(name: string): PlannedTask {
    const task = this.#edges.get(name);
    if (task === undefined) throw new BugError(`missing "${name}" edge in task set`);
    return task;
  }

  /**
   * Adds the tasks to a change, each after its dependencies, and returns their ids. All dependencies must be in the
   * set. A cycle, or an edge that leads out of the set, is a bug.
   */
  addTo(t: ChangeTx): ReadonlyMap<PlannedTask, string> {
    this.#refuseLooseEnds();
    const ids = new Map<PlannedTask, string>();
    const left = new Map(this.tasks.map((task) => [task, task.waits.length]));
    const free = this.tasks.filter((task) => task.waits.length === 0);
    for (let at = 0; at < free.length; at += 1) {
      const next = free[at] as PlannedTask;
      ids.set(
        next,
        t.addTask({
          ...next.task,
          waits: next.waits.map((other) => ids.get(other) as string),
          lanes: next.lanes,
        }),
      );
      for (const dependent of next.halts) {
        const unmet = (left.get(dependent) ?? 0) - 1;
        left.set(dependent, unmet);
        if (unmet === 0 && this.#tasks.has(dependent)) free.push(dependent);
      }
    }
    return ids;
  }

  #refuseLooseEnds(): void {
    const nodes = new Map<PlannedTask, Node>();
    for (const [at, { task }] of this.tasks.entries())
      nodes.set(this.tasks[at] as PlannedTask, { id: String(at + 1), kind: task.kind, waits: [], halts: [] });
    for (const [task, node] of nodes) {
      for (const other of task.waits) {
        const needed = nodes.get(other);
        if (needed === undefined) throw new BugError('a task of the set waits for one that is not in it');
        node.waits.push(needed);
        needed.halts.push(node);
      }
    }
    const cycle = findCycle([...nodes.values()]);
    if (cycle !== undefined) throw new BugError(cycle.message);
  }
}

interface Node extends DependencyNode {
  readonly waits: Node[];
  readonly halts: Node[];
}
