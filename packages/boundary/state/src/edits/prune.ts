import { isUrn, reparentUrn } from '@cairn/addresses';
import { changedReferences, withChangedReferences } from '../graph/change-references.js';
import type { ReferenceKind } from '../graph/references.js';
import { renameInResource, renameInSnippet } from '../rename-everywhere.js';
import type { SerializedDeployment, SerializedResource } from '../serialized.js';

/**
 * What pruning did to one entry. `to`: its URN afterwards, when that has changed; `lost`: what it does not refer to any
 * more.
 */
export interface PrunedEntry {
  readonly urn: string;
  readonly to: string | undefined;
  readonly lost: readonly string[];
}

/**
 * Takes references to entries that are not there out of a sorted list [INT-6]. Who loses its parent, or whose parent
 * has got another URN, gets the URN that it then has, and so do its children. Provider references stay, also those that
 * lead nowhere.
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

/** The same for what else of a deployment has URNs: what is pending, and snippets, follow the entries. */
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
