import { makeProviderReference, parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
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

/** The entry with its references renamed; itself when it has none of the renamed ones. */
export function withReferences(entry: ResourceEntry, rename: (urn: Urn) => Urn): ResourceEntry {
  let touched = false;
  eachReference(entry, (urn) => (touched ||= rename(urn) !== urn));
  if (!touched) return entry;
  const optional = (urn: Urn | undefined) => urn && rename(urn);
  return withEntry(entry, {
    provider: entry.provider && renameProvider(entry.provider, rename),
    parent: optional(entry.parent),
    dependencies: entry.dependencies.map(rename),
    propertyDependencies: Object.fromEntries(
      Object.entries(entry.propertyDependencies).map(([key, urns]) => [key, urns.map(rename)]),
    ),
    deletedWith: optional(entry.deletedWith),
    replaceWith: entry.replaceWith.map(rename),
  });
}

function renameProvider(reference: ProviderReference, rename: (urn: Urn) => Urn): ProviderReference {
  const { urn, id } = parseProviderReference(reference);
  return makeProviderReference(rename(urn), id);
}
