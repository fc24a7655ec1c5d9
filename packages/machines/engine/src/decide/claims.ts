import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Claim } from '@cairn/changes';
import { references, refersToAny } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { newOf, oldOf } from '../model/step.js';
import type { Step } from '../model/step.js';
import { targetSet } from './target-set.js';

/** What an operation is limited to, as far as claims go. */
interface ClaimScope {
  /** URNs or globs. */
  readonly targets: readonly string[];
  readonly targetDependents: boolean;
}

/**
 * What an operation with targets holds from its beginning [REC-16]: the entries that are named, with dependents and
 * views exclusively, and what they refer to shared, so that nobody alters or deletes it meanwhile. Keys are URNs.
 * Resources that are not in the state yet, and whatever else a step turns out to touch, are claimed when their step
 * begins, see {@link claimsOfStep}. Undefined: everything, because the operation is not limited or names nothing that
 * exists. A provider that is named is held against all that use it. O(V+E) at most.
 */
export function claimsOf(
  { targets, targetDependents }: ClaimScope,
  entries: readonly ResourceEntry[],
): readonly Claim[] | undefined {
  const wanted = targetSet(targets);
  if (!wanted.constrained) return undefined;
  const own = new Set<Urn>(entries.map(({ urn }) => urn).filter((urn) => wanted.names(urn)));
  if (own.size === 0) return undefined;
  for (const entry of entries) if (joins(entry, own, targetDependents)) own.add(entry.urn);
  const used = new Set<Urn>();
  for (const entry of entries) if (own.has(entry.urn)) for (const urn of references(entry)) used.add(urn);
  return merged([...own], used);
}

/** Entries stand behind what they refer to, so one pass finds the dependents of dependents. Providers join nobody. */
function joins(entry: ResourceEntry, own: ReadonlySet<Urn>, dependents: boolean): boolean {
  if (entry.viewOf !== undefined && own.has(entry.viewOf)) return true;
  return dependents && !isProviderType(entry.type) && refersToAny(entry, own);
}

/**
 * What one step must hold before it begins: its resource alone, and what that refers to, now or afterwards, with
 * others.
 */
export function claimsOfStep(step: Step): readonly Claim[] {
  const used = new Set<Urn>();
  for (const entry of [newOf(step), oldOf(step)])
    if (entry !== undefined) for (const urn of references(entry)) used.add(urn);
  return merged([step.urn], used);
}

function merged(own: readonly Urn[], used: ReadonlySet<Urn>): readonly Claim[] {
  const exclusive = new Set(own);
  return [
    ...[...exclusive].map((key) => ({ key, mode: 'exclusive' }) as const),
    ...[...used].filter((urn) => !exclusive.has(urn)).map((key) => ({ key, mode: 'shared' }) as const),
  ];
}
