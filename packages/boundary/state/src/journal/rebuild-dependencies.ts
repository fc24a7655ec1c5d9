import { changedReferences, withChangedReferences } from '../graph/change-references.js';
import type { SerializedResource } from '../document/serialized.js';

/**
 * Removes references to missing resources from a list of resources, as every fold of a refresh does. Dependencies must
 * be earlier in the list; parents may be anywhere in it. URNs keep their text, and so does `viewOf`.
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
