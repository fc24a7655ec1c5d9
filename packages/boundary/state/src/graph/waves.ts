import type { Urn } from '@cairn/addresses';
import { eachReference } from './references.js';
import type { Referring } from './references.js';

/** Entry as far as waves read it. */
interface WaveEntry extends Referring<Urn> {
  readonly urn: Urn;
  readonly custom: boolean;
}

/** Demand on the children of a component by entries that depend on the component itself. */
type Demands = Map<Urn, number>;

/**
 * Splits entries to be deleted into waves, dependents first; each wave has no order inside [DEL-3]. `entries` is the
 * old snapshot in its order, and `selected` chooses those to delete. An entry that depends on a component also depends
 * on the component's descendants that precede it. O(V+E), apart from walking up nested components.
 */
export function deleteWaves<T>(
  entries: readonly T[],
  entryOf: (item: T) => WaveEntry,
  selected: (item: T) => boolean,
): readonly (readonly T[])[] {
  const demand: Demands = new Map();
  const childDemand: Demands = new Map();
  const parents = new Map<Urn, Urn | undefined>();
  const components = new Set<Urn>();
  for (const item of entries) {
    const { urn, parent, custom } = entryOf(item);
    parents.set(urn, parent);
    if (!custom) components.add(urn);
  }
  const waves: T[][] = [];
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const item = entries[index] as T;
    const entry = entryOf(item);
    let level = demand.get(entry.urn) ?? 0;
    if (childDemand.size > 0) level = Math.max(level, demandFromAbove(entry, parents, childDemand));
    const going = selected(item);
    if (going) (waves[level] ??= []).push(item);
    pushDown(entry, going ? level + 1 : level, demand, childDemand, components, parents);
  }
  return waves.filter((wave) => wave !== undefined).map((wave) => wave.toReversed());
}

function pushDown(
  entry: WaveEntry,
  level: number,
  demand: Demands,
  childDemand: Demands,
  components: ReadonlySet<Urn>,
  parents: ReadonlyMap<Urn, Urn | undefined>,
): void {
  if (level === 0) return;
  const need = (urn: Urn, demands: Demands) => {
    if ((demands.get(urn) ?? 0) < level) demands.set(urn, level);
  };
  eachReference<Urn>(entry, (urn, kind) => {
    need(urn, demand);
    if (kind === 'provider' || kind === 'parent') return;
    if (components.has(urn) && !isAncestor(urn, entry, parents)) need(urn, childDemand);
  });
}

function demandFromAbove(
  entry: WaveEntry,
  parents: ReadonlyMap<Urn, Urn | undefined>,
  demands: Demands,
): number {
  let level = 0;
  for (let urn = entry.parent; urn !== undefined; urn = parents.get(urn))
    level = Math.max(level, demands.get(urn) ?? 0);
  return level;
}

function isAncestor(urn: Urn, entry: WaveEntry, parents: ReadonlyMap<Urn, Urn | undefined>): boolean {
  for (let above = entry.parent; above !== undefined; above = parents.get(above))
    if (above === urn) return true;
  return false;
}
