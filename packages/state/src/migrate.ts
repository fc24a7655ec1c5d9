import { isJsonObject } from './go-json.js';
import type { Json, JsonObject } from './go-json.js';

/**
 * A deployment of version 1 or 2 in the form of version 3 (state.md 1.8): `defaults` is dropped, and every input key depends on
 * everything the resource depends on. Neither version had pending operations or secrets.
 */
export function migrateDeployment(deployment: JsonObject, version: number): JsonObject {
  const resources = deployment['resources'];
  return {
    manifest: deployment['manifest'] ?? null,
    resources: Array.isArray(resources)
      ? (resources as readonly Json[]).map((item) => migrateResource(item, version))
      : [],
  };
}

function migrateResource(item: Json, version: number): Json {
  if (!isJsonObject(item)) return item;
  const { defaults: _defaults, ...kept } = item;
  const resource: { [key: string]: Json } = { ...kept };
  if (version === 1) {
    delete resource['external'];
    delete resource['provider'];
  }
  const inputs = resource['inputs'];
  if (isJsonObject(inputs)) {
    const dependencies = resource['dependencies'] ?? null;
    const byKey = Object.create(null) as { [key: string]: Json };
    for (const key of Object.keys(inputs)) byKey[key] = dependencies;
    resource['propertyDependencies'] = byKey;
  }
  return resource;
}
