import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';

/** Kinds of references an entry holds (state.md 2.2). */
export type ReferenceKind =
  'provider' | 'parent' | 'dependency' | 'property-dependency' | 'deleted-with' | 'replace-with';

/** Tells `visit` every URN the entry refers to, with the kind; a URN may come several times. */
export function eachReference(entry: ResourceEntry, visit: (urn: Urn, kind: ReferenceKind) => void): void {
  if (entry.provider !== undefined) visit(parseProviderReference(entry.provider).urn, 'provider');
  if (entry.parent !== undefined) visit(entry.parent, 'parent');
  for (const urn of entry.dependencies) visit(urn, 'dependency');
  for (const key of Object.keys(entry.propertyDependencies)) {
    for (const urn of entry.propertyDependencies[key] ?? []) visit(urn, 'property-dependency');
  }
  if (entry.deletedWith !== undefined) visit(entry.deletedWith, 'deleted-with');
  for (const urn of entry.replaceWith) visit(urn, 'replace-with');
}

/** Every URN the entry refers to, each once, in the order of {@link eachReference}. */
export function references(entry: ResourceEntry): ReadonlySet<Urn> {
  const found = new Set<Urn>();
  eachReference(entry, (urn) => found.add(urn));
  return found;
}
