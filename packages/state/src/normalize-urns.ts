import { ROOT_STACK_TYPE, isUrn, reparentUrn, urnType } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import type { SerializedDeployment, SerializedOperation, SerializedResource, Snippet } from './serialized.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Resolves aliases as every write does (state.md 1.6): each alias is replaced by the URN of the resource that has it, wherever it is
 * referred to; children of a renamed parent are renamed with it; `aliases` goes. Costs nothing when no resource has an alias.
 * Fails with `CAIRN-STATE-INTEGRITY` when two resources claim one alias.
 */
export function normalizeUrns(deployment: SerializedDeployment): SerializedDeployment {
  if (!deployment.resources.some((resource) => resource.aliases !== undefined)) return deployment;
  const renamed = aliasMap(deployment.resources);
  const rename = (urn: string): string => renamed.get(urn) ?? urn;
  return {
    ...deployment,
    resources: deployment.resources.map((resource) => renameIn(resource, rename)),
    pendingOperations: deployment.pendingOperations.map((operation): SerializedOperation => ({
      ...operation,
      resource: renameIn(operation.resource, rename),
    })),
    snippets: deployment.snippets.map((snippet) => renameSnippet(snippet, rename)),
  };
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

function renameIn(resource: SerializedResource, rename: (urn: string) => string): SerializedResource {
  const { aliases: _aliases, ...rest } = resource;
  const renamed: Mutable<SerializedResource> = { ...rest, urn: rename(resource.urn) };
  for (const key of ['parent', 'deletedWith', 'viewOf'] as const) {
    const urn = resource[key];
    if (urn !== undefined) renamed[key] = rename(urn);
  }
  for (const key of ['dependencies', 'replaceWith'] as const) {
    const urns = resource[key];
    if (urns !== undefined) renamed[key] = urns.map(rename);
  }
  if (resource.provider !== undefined) renamed.provider = renameProvider(resource.provider, rename);
  if (resource.propertyDependencies !== undefined) {
    renamed.propertyDependencies = renameLists(resource.propertyDependencies, rename);
  }
  return renamed;
}

function renameProvider(reference: string, rename: (urn: string) => string): string {
  const at = reference.lastIndexOf('::');
  return at < 0 ? reference : rename(reference.slice(0, at)) + reference.slice(at);
}

function renameLists(
  lists: Readonly<Record<string, readonly string[] | null>>,
  rename: (urn: string) => string,
): Readonly<Record<string, readonly string[] | null>> {
  const renamed = Object.create(null) as Record<string, readonly string[] | null>;
  for (const key of Object.keys(lists)) renamed[key] = lists[key]?.map(rename) ?? null;
  return renamed;
}

function renameSnippet(snippet: Snippet, rename: (urn: string) => string): Snippet {
  if (snippet.references === undefined) return snippet;
  const references = Object.create(null) as Record<string, string>;
  for (const key of Object.keys(snippet.references))
    references[key] = rename(snippet.references[key] as string);
  return { ...snippet, references };
}
