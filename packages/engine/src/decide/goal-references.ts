import { parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';

/** What a goal may refer to; reads have fewer of them. */
export interface Referring {
  readonly parent: Urn | undefined;
  readonly provider: ProviderReference | undefined;
  readonly dependencies: readonly Urn[];
  readonly propertyDependencies?: Readonly<Record<string, readonly Urn[]>>;
  readonly deletedWith?: Urn | undefined;
  readonly replaceWith?: readonly Urn[];
}

const computed = new WeakMap<Referring, ReadonlySet<Urn>>();

/**
 * Everything a goal refers to: dependencies, provider, parent, property dependencies, deletedWith, replaceWith; each once.
 * Computed once per goal.
 */
export function goalReferences(goal: Referring): ReadonlySet<Urn> {
  const known = computed.get(goal);
  if (known !== undefined) return known;
  const found = collect(goal);
  computed.set(goal, found);
  return found;
}

function collect(goal: Referring): ReadonlySet<Urn> {
  const found = new Set<Urn>(goal.dependencies);
  if (goal.provider !== undefined) found.add(parseProviderReference(goal.provider).urn);
  if (goal.parent !== undefined) found.add(goal.parent);
  const byProperty = goal.propertyDependencies ?? {};
  for (const key of Object.keys(byProperty)) for (const urn of byProperty[key] ?? []) found.add(urn);
  if (goal.deletedWith !== undefined) found.add(goal.deletedWith);
  for (const urn of goal.replaceWith ?? []) found.add(urn);
  return found;
}
