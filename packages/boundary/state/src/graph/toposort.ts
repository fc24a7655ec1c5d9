import { cairnError } from '@cairn/diagnostics';
import { ownReference } from '../document/integrity.js';
import type { SerializedResource } from '../document/serialized.js';
import { eachReference } from './references.js';
import { needsFirst } from './walk.js';

/**
 * Returns the entries with everything before its dependents, otherwise in their present order. Among several entries
 * with one URN, a provider reference means the one with its id. Otherwise old entries refer to old ones, and new ones
 * to new ones. References that lead nowhere are ignored. `cycles` decides whether a cycle throws
 * `CAIRN-STATE-INTEGRITY`, naming it, or remains.
 */
export function toposort(
  resources: readonly SerializedResource[],
  cycles: 'refuse' | 'leave',
): readonly SerializedResource[] {
  const find = finder(resources);
  const needsOf = (at: number): readonly number[] => {
    const resource = resources[at] as SerializedResource;
    const isOld = resource.delete === true;
    const needs: number[] = [];
    eachReference(resource, (urn, kind, detail) => {
      const need = find(urn, kind === 'provider' ? detail : undefined, isOld);
      if (need !== undefined) needs.push(need);
    });
    return needs;
  };
  const refuse = (cycle: readonly number[]): void => {
    throw cyclic(cycle.map((at) => (resources[at] as SerializedResource).urn));
  };
  return needsFirst(resources.keys(), needsOf, cycles === 'refuse' ? refuse : undefined).map(
    (at) => resources[at] as SerializedResource,
  );
}

type Find = (urn: string, reference: string | undefined, old: boolean) => number | undefined;

function finder(resources: readonly SerializedResource[]): Find {
  const live = new Map<string, number>();
  const old = new Map<string, number>();
  const providers = new Map<string, number>();
  for (const [index, resource] of resources.entries()) {
    const known = resource.delete === true ? old : live;
    // Of several live entries, which should not exist, the first; of several old ones the last.
    if (resource.delete === true || !live.has(resource.urn)) known.set(resource.urn, index);
    providers.set(ownReference(resource), index);
  }
  return (urn, reference, isOld) => {
    const exact = reference === undefined ? undefined : providers.get(reference);
    const [first, second] = isOld ? [old, live] : [live, old];
    return exact ?? first.get(urn) ?? second.get(urn);
  };
}

function cyclic(urns: readonly string[]): Error {
  return cairnError(
    'CAIRN-STATE-INTEGRITY',
    'the resources have cyclic dependencies: none of them can come first',
    {
      causes: [...urns, urns[0] ?? ''].map((urn, index) => (index === 0 ? urn : `depends on ${urn}`)),
      hint: 'Remove one of these references with `cairn state edit --disable-integrity-checking`.',
    },
  );
}
