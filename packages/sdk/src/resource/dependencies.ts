import { STATE } from './state.js';
import type { AnyResource } from './state.js';
import type { ResourceState } from './state.js';

/**
 * URNs of the resources with objects that `resources` stand for: components count as all their children, at any depth
 * [PRG-8]. `dependent` itself and its ancestors are left out, they cannot be waited for.
 */
export async function dependencyUrns(
  resources: Iterable<AnyResource>,
  dependent: ResourceState,
): Promise<readonly string[]> {
  const found = new Set<ResourceState>();
  expand(resources, dependent, found, new Set());
  const urns: string[] = [];
  for (const state of found) urns.push((state.done ?? (await state.registered())).urn);
  return urns;
}

function expand(
  resources: Iterable<AnyResource>,
  dependent: ResourceState,
  found: Set<ResourceState>,
  visited: Set<ResourceState>,
): void {
  for (const resource of resources) {
    const state = resource[STATE];
    if (visited.has(state) || isSelfOrAncestor(state, dependent)) continue;
    visited.add(state);
    if (state.kind === 'component') expand(state.children, dependent, found, visited);
    else found.add(state);
  }
}

function isSelfOrAncestor(state: ResourceState, dependent: ResourceState): boolean {
  for (let at: ResourceState | undefined = dependent; at !== undefined; at = at.parent)
    if (at === state) return true;
  return false;
}
