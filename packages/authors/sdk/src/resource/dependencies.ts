import { STATE } from './state.js';
import type { AnyResource } from './state.js';
import type { ResourceState } from './state.js';

/**
 * Returns URNs of the resources with objects that `resources` represent. Components count as all their children, at any
 * depth. `dependent` itself and its ancestors are omitted, because waiting for them is impossible.
 */
// [PRG-8]
export function dependencyUrns(
  resources: Iterable<AnyResource>,
  dependent: ResourceState,
): readonly string[] | Promise<readonly string[]> {
  const found = new Set<ResourceState>();
  expand(resources, dependent, found, new Set());
  const urns: string[] = [];
  for (const { done } of found) {
    if (done === undefined) return laterUrns(found);
    urns.push(done.urn);
  }
  return urns;
}

async function laterUrns(states: Iterable<ResourceState>): Promise<readonly string[]> {
  const urns: string[] = [];
  for (const state of states) urns.push((state.done ?? (await state.registered())).urn);
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
    if (state.kind !== 'component') {
      found.add(state);
      continue;
    }
    visited.add(state);
    expand(state.children, dependent, found, visited);
  }
}

function isSelfOrAncestor(state: ResourceState, dependent: ResourceState): boolean {
  for (let at: ResourceState | undefined = dependent; at !== undefined; at = at.parent)
    if (at === state) return true;
  return false;
}
