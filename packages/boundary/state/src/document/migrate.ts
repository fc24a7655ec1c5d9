import { NAMES } from './deployment-parts.js';
import { isJsonObject } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { exactResource } from './resource-format.js';

/**
 * Migrates a deployment of version 1 or 2 to the form of version 3 [STATE-9]. `defaults` is dropped, and every input
 * key depends on everything the resource depends on. Version 1 had no pending operations, and neither had secrets.
 */
export function migrateDeployment(deployment: JsonObject, version: number): JsonObject {
  const pending = version === 1 ? null : (deployment['pending_operations'] ?? null);
  return {
    manifest: deployment['manifest'] ?? null,
    resources: eachOf(deployment['resources'] ?? null, (item) => migrateResource(item, version)),
    pending_operations: eachOf(pending, (item) => migrateOperation(item, version)),
  };
}

/** Migrates each item. A value that is not a list remains; the check of the form refuses it. */
function eachOf(list: Json, migrate: (item: Json) => Json): Json {
  return Array.isArray(list) ? (list as readonly Json[]).map(migrate) : list;
}

function migrateOperation(item: Json, version: number): Json {
  if (!isJsonObject(item)) return item;
  const operation = NAMES.operation.exactly(item);
  return { ...operation, resource: migrateResource(operation['resource'] ?? null, version) };
}

function migrateResource(item: Json, version: number): Json {
  if (!isJsonObject(item)) return item;
  const resource: { [key: string]: Json } = { ...exactResource(item) };
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
