import { isProviderType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Claim } from '@cairn/changes';
import { eachReference, references, refersToAny } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { newOf, oldOf } from '../model/step.js';
import type { Step } from '../model/step.js';
import { targetSet } from './target-set.js';

/** Parts of an operation's scope that claims need. */
interface ClaimScope {
  /** URNs or globs. */
  readonly targets: readonly string[];
  readonly targetDependents: boolean;
}

/**
 * Returns the claims that an operation with targets holds from its beginning [REC-16]. The named entries, their
 * dependents and views are claimed exclusively, and the entries they refer to shared. So no other operation alters or
 * deletes them meanwhile. Keys are URNs. Resources that are not in the state yet are claimed when their step begins,
 * see {@link claimsOfStep}. So are others that a step turns out to touch. Undefined means everything: the operation is
 * not limited or names nothing that exists. A named provider conflicts with every operation that uses it. O(V+E) at
 * most.
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
  return merged(own, used);
}

/**
 * Tells whether an entry joins the set. Entries follow their references, so one pass finds the dependents of
 * dependents. Providers never join.
 */
function joins(entry: ResourceEntry, own: ReadonlySet<Urn>, dependents: boolean): boolean {
  if (entry.viewOf !== undefined && own.has(entry.viewOf)) return true;
  return dependents && !isProviderType(entry.type) && refersToAny(entry, own);
}

/**
 * Returns the claims that one step needs before it begins. Its resource is exclusive. Old and new references are
 * shared.
 */
export function claimsOfStep(step: Step): readonly Claim[] {
  const used = new Set<Urn>();
  for (const entry of [newOf(step), oldOf(step)])
    if (entry !== undefined) eachReference(entry, (urn) => used.add(urn));
  return merged(new Set([step.urn]), used);
}

function merged(own: ReadonlySet<Urn>, used: ReadonlySet<Urn>): readonly Claim[] {
  const claims: Claim[] = [];
  for (const key of own) claims.push({ key, mode: 'exclusive' });
  for (const key of used) if (!own.has(key)) claims.push({ key, mode: 'shared' });
  return claims;
}
