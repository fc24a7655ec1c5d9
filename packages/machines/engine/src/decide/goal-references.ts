import type { ProviderReference, Urn } from '@cairn/addresses';
import { references } from '@cairn/state';
import type { Referring as RefersTo } from '@cairn/state';

/** Possible references of a goal. Reads have fewer of them. */
export interface GoalReferences extends Omit<RefersTo<Urn>, 'viewOf'> {
  readonly parent: Urn | undefined;
  readonly provider: ProviderReference | undefined;
  readonly dependencies: readonly Urn[];
  readonly propertyDependencies?: Readonly<Record<string, readonly Urn[]>>;
}

const computed = new WeakMap<GoalReferences, readonly Urn[]>();

/** Returns all references of a goal, as its entry will have them, each once. Computed once per goal. */
export function goalReferences(goal: GoalReferences): readonly Urn[] {
  const known = computed.get(goal);
  if (known !== undefined) return known;
  const found = references<Urn>(goal);
  computed.set(goal, found);
  return found;
}
