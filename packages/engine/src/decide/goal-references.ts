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

/** Everything a goal refers to: provider, parent, dependencies, property dependencies, deletedWith, replaceWith; each once. */
export function goalReferences(goal: Referring): ReadonlySet<Urn> {
  const found = new Set<Urn>(goal.dependencies);
  if (goal.provider !== undefined) found.add(parseProviderReference(goal.provider).urn);
  if (goal.parent !== undefined) found.add(goal.parent);
  for (const urns of Object.values(goal.propertyDependencies ?? {})) for (const urn of urns) found.add(urn);
  if (goal.deletedWith !== undefined) found.add(goal.deletedWith);
  for (const urn of goal.replaceWith ?? []) found.add(urn);
  return found;
}
