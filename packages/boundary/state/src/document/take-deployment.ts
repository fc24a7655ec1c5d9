import { corruptState } from './corrupt-state.js';
import { NAMES } from './deployment-parts.js';
import { isJsonObject } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { isFormFault, takeResource } from './resource-format.js';
import { noManifest } from './serialized.js';
import { SharedTexts } from './shared-texts.js';
import type {
  IntegrityErrorMetadata,
  Manifest,
  PendingOperationType,
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from './serialized.js';
import type { Snippet } from './snippet.js';

const OPERATION_TYPES = {
  creating: true,
  updating: true,
  deleting: true,
  reading: true,
  importing: true,
} as const satisfies Record<PendingOperationType, true>;

/** Facts that the body does not contain. `managerState` is the exact text of `secrets_providers.state`. */
interface DeploymentSurroundings {
  readonly source: string;
  readonly managerState: string | undefined;
  readonly byteStrings: boolean;
}

/**
 * Checks the form of a parsed deployment body of version 3 or 4 and takes it over. Afterwards every key that this
 * software knows has the right type. Fails with `CAIRN-STATE-CORRUPT` naming the place.
 */
export function takeDeployment(body: JsonObject, surroundings: DeploymentSurroundings): SerializedDeployment {
  const { source } = surroundings;
  const texts = new SharedTexts();
  return {
    manifest: takeManifest(body, source),
    secretsProvider: takeSecretsProvider(body, surroundings),
    resources: listAt(body, 'resources', source).map((item, index) =>
      texts.share(takeResourceAt(item, `resources[${index}]`, source)),
    ),
    pendingOperations: listAt(body, 'pending_operations', source).map((item, index) =>
      takeOperationAt(item, `pending_operations[${index}]`, source),
    ),
    integrityError: takeIntegrityError(objectAt(body, 'metadata', source)),
    snippets: listAt(body, 'snippets', source).map((item, index) =>
      takeSnippet(item, `snippets[${index}]`, source),
    ),
    extensions: objectAt(body, 'extensions', source) ?? {},
    byteStrings: surroundings.byteStrings,
  };
}

/** Takes one resource at a place of a document. Fails with `CAIRN-STATE-CORRUPT`. */
export function takeResourceAt(item: Json | undefined, place: string, source: string): SerializedResource {
  if (!isJsonObject(item)) throw corruptState(source, place, 'is not an object');
  const result = takeResource(item);
  if (!isFormFault(result)) return result;
  const urn = typeof item['urn'] === 'string' ? ` (${item['urn']})` : '';
  throw corruptState(source, `${place}${urn}: "${result.key}"`, `is not ${result.expected}`);
}

/** Takes one pending operation at a place of a document. Fails with `CAIRN-STATE-CORRUPT`. */
export function takeOperationAt(item: Json | undefined, place: string, source: string): SerializedOperation {
  if (!isJsonObject(item)) throw corruptState(source, place, 'is not an object');
  const operation = NAMES.operation.exactly(item);
  const { type } = operation;
  if (typeof type !== 'string' || !Object.hasOwn(OPERATION_TYPES, type)) {
    throw corruptState(
      source,
      `${place}: "type"`,
      `is not one of ${Object.keys(OPERATION_TYPES).join(', ')}`,
    );
  }
  return {
    resource: takeResourceAt(operation['resource'], `${place}.resource`, source),
    type: type as PendingOperationType,
  };
}

/** Takes one snippet at a place of a document. Fails with `CAIRN-STATE-CORRUPT`. */
export function takeSnippet(raw: Json, place: string, source: string): Snippet {
  if (!isJsonObject(raw)) throw corruptState(source, place, 'is not an object');
  const item = NAMES.snippet.exactly(raw);
  const text = (key: string): string => textAt(item, key, place, source);
  const references = objectAt(item, 'references', source);
  return {
    uuid: text('uuid'),
    name: text('name'),
    type: text('type'),
    code: text('code'),
    descriptor: item['descriptor'] ?? {},
    ...(references === undefined ? {} : { references: references as Readonly<Record<string, string>> }),
  };
}

function takeManifest(body: JsonObject, source: string): Manifest {
  const found = objectAt(body, 'manifest', source);
  if (found === undefined) return noManifest;
  const manifest = NAMES.manifest.exactly(found);
  const plugins = listAt(manifest, 'plugins', source);
  const time = textAt(manifest, 'time', '"manifest"', source);
  return {
    time: time === '' ? noManifest.time : time,
    magic: textAt(manifest, 'magic', '"manifest"', source),
    version: textAt(manifest, 'version', '"manifest"', source),
    ...(plugins.length === 0 ? {} : { plugins: plugins.map(withoutPath) }),
  };
}

/** Drops a plugin's path on reading [STATE-4]. */
function withoutPath(plugin: Json): Json {
  if (!isJsonObject(plugin)) return plugin;
  const { name = '', type = '', version = '' } = NAMES.plugin.exactly(plugin);
  return { name, path: '', type, version };
}

function takeSecretsProvider(
  body: JsonObject,
  surroundings: DeploymentSurroundings,
): SecretsProviderRecord | undefined {
  const found = objectAt(body, 'secrets_providers', surroundings.source);
  if (found === undefined) return undefined;
  const manager = NAMES.secretsProvider.exactly(found);
  const type = textAt(manager, 'type', '"secrets_providers"', surroundings.source);
  return { type, state: surroundings.managerState };
}

function takeIntegrityError(metadata: JsonObject | undefined): IntegrityErrorMetadata | undefined {
  const found = metadata && NAMES.metadata.exactly(metadata)['integrity_error'];
  if (!isJsonObject(found)) return undefined;
  const error = NAMES.integrityError.exactly(found);
  const texts = ['version', 'command', 'error'] as const;
  const kept: Partial<Record<(typeof texts)[number], string>> = {};
  for (const key of texts) {
    const value = error[key];
    if (typeof value === 'string') kept[key] = value;
  }
  const envVars = error['env_vars'];
  return isJsonObject(envVars) && Object.values(envVars).every((value) => typeof value === 'string')
    ? { ...kept, envVars: envVars as Readonly<Record<string, string>> }
    : kept;
}

function listAt(body: JsonObject, key: string, source: string): readonly Json[] {
  const value = body[key] ?? [];
  if (!Array.isArray(value)) throw corruptState(source, `"${key}"`, 'is not a list');
  return value as readonly Json[];
}

function objectAt(body: JsonObject, key: string, source: string): JsonObject | undefined {
  const value = body[key] ?? null;
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw corruptState(source, `"${key}"`, 'is not an object');
  return value;
}

function textAt(object: JsonObject, key: string, place: string, source: string): string {
  const value = object[key] ?? '';
  if (typeof value !== 'string') throw corruptState(source, `${place}: "${key}"`, 'is not a string');
  return value;
}
