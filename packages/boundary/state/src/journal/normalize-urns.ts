import { ROOT_STACK_TYPE, isUrn, reparentUrn, urnType } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import { renameInResource, renameInSnippet } from '../graph/rename-everywhere.js';
import type { Rename } from '../graph/rename-everywhere.js';
import type {
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from '../document/serialized.js';

/**
 * Resolves aliases as every write does [ADDR-8]. The URN of the resource replaces each of its aliases, in all
 * references. Children of a renamed parent are renamed with it, and `aliases` is removed. Costs nothing when no
 * resource has an alias. Fails with `CAIRN-STATE-INTEGRITY` when two resources claim one alias.
 */
export function normalizeUrns(deployment: SerializedDeployment): SerializedDeployment {
  if (!mentionsAliases(deployment)) return deployment;
  const renamed = aliasMap(deployment.resources);
  const rename: Rename = (urn) => renamed.get(urn) ?? urn;
  return {
    ...deployment,
    resources: deployment.resources.map((resource) => withoutAliases(resource, rename)),
    pendingOperations: deployment.pendingOperations.map((operation): SerializedOperation => ({
      ...operation,
      resource: withoutAliases(operation.resource, rename),
    })),
    snippets: deployment.snippets.map((snippet) => renameInSnippet(snippet, rename)),
  };
}

function mentionsAliases({ resources, pendingOperations }: SerializedDeployment): boolean {
  return (
    resources.some((resource) => resource.aliases !== undefined) ||
    pendingOperations.some(({ resource }) => resource.aliases !== undefined)
  );
}

function aliasMap(resources: readonly SerializedResource[]): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const claim = (alias: string, urn: string): void => {
    const other = renamed.get(alias);
    if (other !== undefined && other !== urn) {
      throw cairnError(
        'CAIRN-STATE-INTEGRITY',
        `two resources claim the alias ${alias}: ${other} and ${urn}`,
        {
          hint: 'Remove the alias from one of the two in the program.',
        },
      );
    }
    renamed.set(alias, urn);
  };
  for (const resource of resources) {
    for (const alias of resource.aliases ?? []) claim(alias, resource.urn);
    const parent = resource.parent ?? '';
    const newParent = renamed.get(parent);
    if (newParent === undefined || !isUrn(newParent) || !isUrn(resource.urn)) continue;
    if (urnType(newParent) === ROOT_STACK_TYPE) continue;
    const moved = reparentUrn(resource.urn, newParent);
    if (moved !== resource.urn) claim(resource.urn, moved);
  }
  return renamed;
}

function withoutAliases(resource: SerializedResource, rename: Rename): SerializedResource {
  const { aliases: _aliases, ...rest } = resource;
  return renameInResource(rest, rename);
}
