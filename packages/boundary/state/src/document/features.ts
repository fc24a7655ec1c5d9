import type { SerializedDeployment, SerializedResource } from './serialized.js';

/**
 * Features by name, with the condition under which a resource needs each [STATE-3]. A deployment that needs one has
 * version 4.
 */
const FEATURES = {
  refreshBeforeUpdate: (resource) => resource.refreshBeforeUpdate === true,
  views: (resource) => (resource.viewOf ?? '') !== '',
  hooks: (resource) => resource.resourceHooks !== undefined && Object.keys(resource.resourceHooks).length > 0,
  taint: (resource) => resource.taint === true,
  replaceWith: (resource) => (resource.replaceWith?.length ?? 0) > 0,
  'snippets-prototype': (resource) => (resource.snippetID ?? '') !== '',
  extensionParameterization: (resource) => (resource.extensionRef ?? '') !== '',
  byteString: () => false,
} as const satisfies Record<string, (resource: SerializedResource) => boolean>;

type Feature = keyof typeof FEATURES;

/** Returns the features that a deployment needs, sorted. Pending operations count like resources. */
export function neededFeatures(deployment: SerializedDeployment): readonly string[] {
  const needed = new Set<Feature>();
  if (deployment.snippets.length > 0) needed.add('snippets-prototype');
  const count = deployment.resources.length + deployment.pendingOperations.length;
  if (deployment.byteStrings && count > 0) needed.add('byteString');
  for (const resource of deployment.resources) collect(resource, needed);
  for (const operation of deployment.pendingOperations) collect(operation.resource, needed);
  return [...needed].sort();
}

/** Returns the names from a file that this version does not know. */
export function unknownFeatures(names: readonly string[]): readonly string[] {
  return names.filter((name) => !Object.hasOwn(FEATURES, name));
}

function collect(resource: SerializedResource, needed: Set<Feature>): void {
  for (const name in FEATURES) {
    if (FEATURES[name as Feature](resource)) needed.add(name as Feature);
  }
}
