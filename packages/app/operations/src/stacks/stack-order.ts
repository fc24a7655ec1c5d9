import type { Backend, StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { SerializedDeployment } from '@cairn/state';
import { loadProject } from '@cairn/workspace';
import { withBackend } from '../access/open-backend.js';
import type { Reach } from '../access/open-backend.js';
import { referredStack, stackOn, stacksOfProject } from '../access/stack-reference.js';
import type { Ports } from '../ports.js';

/** One of several stacks, and those among them whose outputs it refers to. */
export interface OrderedStack {
  readonly stack: string;
  readonly needs: readonly string[];
}

/**
 * Returns stacks of the project here that match any of the patterns (`*` matches anything) [CLI-16]. Each comes after
 * those whose outputs its state refers to, otherwise they are ordered by name. Throws CAIRN-STACK-NOT-FOUND when none
 * matches, and CAIRN-USAGE when they refer to each other in a circle.
 */
export async function stacksInOrder(
  ports: Ports,
  reach: Reach,
  patterns: readonly string[],
): Promise<readonly OrderedStack[]> {
  const project = await loadProject(ports.cwd);
  return withBackend(ports, reach, project, async (backend, url) => {
    const ids = (await stacksOfProject(backend, project.name)).filter(({ stack }) =>
      matches(patterns, stack),
    );
    if (ids.length === 0)
      throw cairnError(
        'CAIRN-STACK-NOT-FOUND',
        `no stack of ${project.name} in ${url} matches ${patterns.join(', ')}`,
        {
          hint: 'Run `cairn stack ls` to list them.',
        },
      );
    const needs = new Map<string, readonly string[]>();
    for (const id of ids) {
      const { deployment } = await backend.read(id, { integrity: 'skip' });
      needs.set(id.stack, deployment === undefined ? [] : referred(ports, backend, id, deployment));
    }
    return inOrder(needs);
  });
}

function matches(patterns: readonly string[], stack: string): boolean {
  return patterns.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(stack);
  });
}

/** Returns stacks of the same project to whose outputs the state refers. */
function referred(
  ports: Ports,
  backend: Backend,
  id: StackId,
  { resources }: SerializedDeployment,
): readonly string[] {
  return resources.flatMap(({ type, inputs }) => {
    const name = type === 'pulumi:pulumi:StackReference' ? inputs?.['name'] : undefined;
    if (typeof name !== 'string') return [];
    try {
      const other = stackOn(backend, { ...id, ...referredStack(ports, name, id.project) });
      if (other.organization !== id.organization) return [];
      return other.project === id.project && other.stack !== id.stack ? [other.stack] : [];
    } catch {
      return [];
    }
  });
}

/**
 * Orders the stacks, each after those that it needs. Among those that could come next, the first by name. O(n² log n).
 */
export function inOrder(needs: ReadonlyMap<string, readonly string[]>): readonly OrderedStack[] {
  const left = new Map(
    [...needs].map(([stack, all]) => [stack, [...new Set(all)].filter((other) => needs.has(other)).sort()]),
  );
  const ordered: OrderedStack[] = [];
  while (left.size > 0) {
    const ready = [...left].filter(([, all]) => all.every((other) => !left.has(other)));
    const [next] = ready.sort(([a], [b]) => (a < b ? -1 : 1));
    if (next === undefined)
      throw cairnError('CAIRN-USAGE', 'the stacks refer to each other in a cycle: none can be first', {
        causes: [...left].map(
          ([stack, all]) => `${stack} refers to ${all.filter((other) => left.has(other)).join(', ')}`,
        ),
        hint: 'Name one at a time with --stack.',
      });
    const [stack, all] = next;
    left.delete(stack);
    ordered.push({ stack, needs: all });
  }
  return ordered;
}
