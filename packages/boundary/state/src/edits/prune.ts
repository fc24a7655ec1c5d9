import { isUrn, reparentUrn } from '@cairn/addresses';
import { changedReferences, withChangedReferences } from '../graph/change-references.js';
import type { ReferenceKind } from '../document/entry-fields.js';
import { renameInResource, renameInSnippet } from '../graph/rename-everywhere.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';

/**
 * Result of pruning for one entry. `to` is its new URN, if that has changed; `lost` are the references that it no
 * longer has.
 */
export interface PrunedEntry {
  readonly urn: string;
  readonly to: string | undefined;
  readonly lost: readonly string[];
}

/**
 * Removes references to missing entries from a sorted list [INT-6]. Entries whose parent is removed or renamed get a
 * new URN, and so do their descendants. Provider references remain, even if they lead nowhere.
 */
export function prune(resources: readonly SerializedResource[]): {
  readonly resources: readonly SerializedResource[];
  readonly pruned: readonly PrunedEntry[];
} {
  const seen = new Set<string>();
  const renamed = new Map<string, string>();
  const pruned: PrunedEntry[] = [];
  const kept = resources.map((resource) => {
    const lost: string[] = [];
    const whole = withoutDangling(resource, seen, lost);
    const parent = whole.parent === undefined ? undefined : (renamed.get(whole.parent) ?? whole.parent);
    const moves = parent !== resource.parent && (resource.parent ?? '') !== '';
    const urn = moves ? underParent(resource.urn, parent) : resource.urn;
    seen.add(resource.urn);
    if (urn !== resource.urn) renamed.set(resource.urn, urn);
    const { urn: _own, ...named } = renameInResource(whole, (each) => renamed.get(each) ?? each);
    if (urn !== resource.urn || lost.length > 0)
      pruned.push({ urn: resource.urn, to: urn === resource.urn ? undefined : urn, lost });
    return { ...named, urn };
  });
  return { resources: kept, pruned };
}

/** Applies the new URNs to the other parts of a deployment: pending operations and snippets. */
export function followPruned(
  deployment: SerializedDeployment,
  pruned: readonly PrunedEntry[],
): Pick<SerializedDeployment, 'pendingOperations' | 'snippets'> {
  const renamed = new Map(pruned.flatMap(({ urn, to }) => (to === undefined ? [] : [[urn, to] as const])));
  const { pendingOperations, snippets } = deployment;
  if (renamed.size === 0) return { pendingOperations, snippets };
  const rename = (urn: string): string => renamed.get(urn) ?? urn;
  return {
    pendingOperations: pendingOperations.map((operation) => ({
      ...operation,
      resource: renameInResource(operation.resource, rename),
    })),
    snippets: snippets.map((snippet) => renameInSnippet(snippet, rename)),
  };
}

function underParent(urn: string, parent: string | undefined): string {
  if (!isUrn(urn) || (parent !== undefined && !isUrn(parent))) return urn;
  return reparentUrn(urn, parent);
}

function withoutDangling(
  resource: SerializedResource,
  seen: ReadonlySet<string>,
  lost: string[],
): SerializedResource {
  const changed = changedReferences(resource, (urn, kind, key) => {
    if (seen.has(urn)) return urn;
    lost.push(`${WHAT[kind](key)} ${JSON.stringify(urn)}`);
    return undefined;
  });
  return withChangedReferences(resource, changed);
}

const WHAT: Readonly<Record<ReferenceKind, (key?: string) => string>> = {
  provider: () => 'provider',
  parent: () => 'parent',
  dependency: () => 'dependency',
  'property-dependency': (key = '') => `property dependency (of "${key}")`,
  'deleted-with': () => 'deleted with',
  'replace-with': () => 'replaced with',
};
