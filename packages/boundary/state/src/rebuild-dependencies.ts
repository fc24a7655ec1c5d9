import { changedReferences, withChangedReferences } from './graph/change-references.js';
import type { SerializedResource } from './serialized.js';

/**
 * Takes references to resources that are gone out of a list of resources, as every fold of a refresh does: only what
 * stands earlier in the list counts for dependencies, and what stands anywhere for parents. URNs keep their text; so
 * does `viewOf`.
 */
export function rebuildDependencies(resources: readonly SerializedResource[]): readonly SerializedResource[] {
  const present = new Set(resources.map(({ urn }) => urn));
  const seen = new Set<string>();
  return resources.map((resource) => {
    const kept = withChangedReferences(
      resource,
      changedReferences(
        resource,
        (urn, kind) => ((kind === 'parent' ? present : seen).has(urn) ? urn : undefined),
        'go',
      ),
    );
    seen.add(resource.urn);
    return kept;
  });
}
