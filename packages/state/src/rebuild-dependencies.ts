import type { SerializedResource } from './serialized.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Takes references to resources that are gone out of a list of resources, as every fold of a refresh does (state.md 4.6): only what stands
 * earlier in the list counts for dependencies, and what stands anywhere for parents. URNs keep their text.
 */
export function rebuildDependencies(resources: readonly SerializedResource[]): readonly SerializedResource[] {
  const seen = new Set<string>();
  const rebuilt = resources.map((resource) => {
    const kept = withoutDangling(resource, seen);
    seen.add(resource.urn);
    return kept;
  });
  return rebuilt.map((resource) => (parentIsGone(resource, seen) ? withoutParent(resource) : resource));
}

function withoutDangling(resource: SerializedResource, seen: ReadonlySet<string>): SerializedResource {
  const changed: Mutable<SerializedResource> = { ...resource };
  for (const key of ['dependencies', 'replaceWith'] as const) {
    const urns = resource[key];
    if (urns === undefined || urns.length === 0) continue;
    const kept = urns.filter((urn) => seen.has(urn));
    if (kept.length === 0) delete changed[key];
    else changed[key] = kept;
  }
  const byKey = resource.propertyDependencies;
  if (byKey !== undefined && Object.keys(byKey).length > 0)
    changed.propertyDependencies = keepSeen(byKey, seen);
  const { deletedWith } = resource;
  if (deletedWith !== undefined && deletedWith !== '' && !seen.has(deletedWith)) delete changed.deletedWith;
  return changed;
}

/** A key whose list becomes or was empty disappears. */
function keepSeen(
  byKey: Readonly<Record<string, readonly string[] | null>>,
  seen: ReadonlySet<string>,
): Readonly<Record<string, readonly string[]>> {
  const kept = Object.create(null) as Record<string, readonly string[]>;
  for (const key of Object.keys(byKey)) {
    const urns = (byKey[key] ?? []).filter((urn) => seen.has(urn));
    if (urns.length > 0) kept[key] = urns;
  }
  return kept;
}

function parentIsGone({ parent }: SerializedResource, present: ReadonlySet<string>): boolean {
  return parent !== undefined && parent !== '' && !present.has(parent);
}

function withoutParent(resource: SerializedResource): SerializedResource {
  const { parent: _parent, ...rest } = resource;
  return rest;
}
