/** Facts about a task that the check needs. */
export interface DependencyNode {
  readonly id: string;
  readonly kind: string;
  readonly waits: readonly DependencyNode[];
  readonly halts: readonly DependencyNode[];
}

/** Tasks that can never all start. */
export interface DependencyCycle {
  /** Ids that could not be put in order (the cycle and what comes after it), sorted as strings. */
  readonly ids: readonly string[];
  readonly message: string;
}

/** Sorts the tasks; the remaining tasks, if any, are a cycle and its dependents [CHG-18]. O(tasks + edges). */
export function findCycle(tasks: readonly DependencyNode[]): DependencyCycle | undefined {
  const unmet = new Map(tasks.map((task) => [task, task.waits.length]));
  const order = tasks.filter((task) => task.waits.length === 0);
  for (let at = 0; at < order.length; at += 1) {
    for (const dependent of (order[at] as DependencyNode).halts) {
      const left = (unmet.get(dependent) ?? 0) - 1;
      unmet.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  if (order.length === tasks.length) return undefined;
  const ordered = new Set(order);
  const rest = tasks.filter((task) => !ordered.has(task)).sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    ids: rest.map((task) => task.id),
    message: `dependency cycle involving tasks [${rest.map((task) => `${task.id}:${task.kind}`).join(' ')}]`,
  };
}
