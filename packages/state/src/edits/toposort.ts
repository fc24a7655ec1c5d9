import { cairnError } from '@cairn/diagnostics';
import { dependenciesOf } from '../references.js';
import type { EntryDependency } from '../references.js';
import { ownReference } from '../integrity.js';
import type { SerializedResource } from '../serialized.js';

/**
 * The entries with everything before what refers to it, otherwise in the order in which they are (state.md 2.3). Of several entries with the
 * URN that is referred to, a provider reference means the one with its id; else the old refer to the old and the new to the new. What refers
 * to nothing waits for nobody. Throws `CAIRN-STATE-INTEGRITY` naming a cycle.
 */
export function toposort(resources: readonly SerializedResource[]): readonly SerializedResource[] {
  const find = finder(resources);
  const sorted: SerializedResource[] = [];
  const state = new Uint8Array(resources.length);
  // An own stack of positions instead of recursion: a chain may be as long as the state.
  for (const start of resources.keys()) {
    const path: { readonly at: number; readonly needs: readonly number[]; next: number }[] = [];
    const enter = (at: number): void => {
      state[at] = UNDER_WAY;
      const resource = resources[at] as SerializedResource;
      const needs = dependenciesOf(resource).flatMap((each) => find(each, resource.delete === true) ?? []);
      path.push({ at, needs, next: 0 });
    };
    if (state[start] === NEW) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const need = top.needs[top.next];
      top.next += 1;
      if (need === undefined) {
        state[top.at] = SORTED;
        sorted.push(resources[top.at] as SerializedResource);
        path.pop();
      } else if (state[need] === UNDER_WAY) {
        throw cycle(
          resources,
          path.map(({ at }) => at),
          need,
        );
      } else if (state[need] === NEW) {
        enter(need);
      }
    }
  }
  return sorted;
}

const NEW = 0;
const UNDER_WAY = 1;
const SORTED = 2;

type Find = (dependency: EntryDependency, old: boolean) => number | undefined;

function finder(resources: readonly SerializedResource[]): Find {
  const live = new Map<string, number>();
  const old = new Map<string, number>();
  const providers = new Map<string, number>();
  for (const [index, resource] of resources.entries()) {
    const known = resource.delete === true ? old : live;
    // Of several that live, which should not be, the first; of several old ones the last.
    if (resource.delete === true || !live.has(resource.urn)) known.set(resource.urn, index);
    providers.set(ownReference(resource), index);
  }
  return ({ urn, reference }, isOld) => {
    const exact = reference === undefined ? undefined : providers.get(reference);
    const [first, second] = isOld ? [old, live] : [live, old];
    return exact ?? first.get(urn) ?? second.get(urn);
  };
}

function cycle(resources: readonly SerializedResource[], path: readonly number[], back: number): Error {
  const urns = path.slice(path.indexOf(back)).map((index) => resources[index]?.urn ?? '');
  return cairnError(
    'CAIRN-STATE-INTEGRITY',
    'the resources have cyclic dependencies: none of them can come first',
    {
      causes: [...urns, urns[0] ?? ''].map((urn, index) => (index === 0 ? urn : `depends on ${urn}`)),
      hint: 'Take one of these references out with `cairn state edit --disable-integrity-checking`.',
    },
  );
}
