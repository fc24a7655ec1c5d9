import type { Crypter } from '@cairn/crypters';
import { ValueEncoder } from '../values/encode-value.js';
import type { SecretEncodeOptions } from '../values/encode-value.js';
import { decodeExtensions, encodeExtension, usedExtensions } from './extension.js';
import { decodeOperation, decodeResource, encodeOperation, encodeResource } from './resource-codec.js';
import { emptyDeployment } from '../document/serialized.js';
import { isJsonObject } from '../values/go-json.js';
import type { Json } from '../values/go-json.js';
import type { Manifest, SerializedDeployment } from '../document/serialized.js';
import type { Snapshot } from './snapshot.js';

/**
 * Decodes the entries of a deployment, with secrets opened by the crypter. Positions remain: an entry's index is its
 * base index in journals. Fails with `CAIRN-STATE-CORRUPT` naming the resource, or with the crypter's own error.
 * `source` is the file, for messages.
 */
export function decodeSnapshot(deployment: SerializedDeployment, crypter: Crypter, source: string): Snapshot {
  return {
    resources: deployment.resources.map((resource) => decodeResource(resource, crypter, source)),
    pendingOperations: deployment.pendingOperations.map((operation) =>
      decodeOperation(operation, crypter, source),
    ),
    secretsProvider: deployment.secretsProvider,
    pluginVersions: pluginVersions(deployment.manifest),
    snippets: deployment.snippets,
    extensions: decodeExtensions(deployment.extensions, source),
  };
}

/**
 * Returns plugin versions by name. Old files list the resource plugins in use, as `{ name, type, version }` [STATE-5].
 */
function pluginVersions({ plugins = [] }: Manifest): Readonly<Record<string, string>> {
  const versions: [string, string][] = [];
  for (const plugin of plugins) {
    if (!isJsonObject(plugin) || plugin['type'] !== 'resource') continue;
    const { name, version } = plugin;
    if (typeof name === 'string' && typeof version === 'string' && version !== '')
      versions.push([name, version.replace(/^v/, '')]);
  }
  return Object.fromEntries(versions);
}

/** Encodes a snapshot in the form of the file, with every secret sealed again and only the extensions in use. */
export function encodeSnapshot(
  snapshot: Snapshot,
  manifest: Manifest,
  crypter: Crypter,
  options?: SecretEncodeOptions,
): SerializedDeployment {
  const encoder = new ValueEncoder(crypter, options);
  const resources = snapshot.resources.map((entry) => encodeResource(entry, encoder));
  const pendingOperations = snapshot.pendingOperations.map((operation) =>
    encodeOperation(operation, encoder),
  );
  return {
    ...emptyDeployment,
    manifest,
    secretsProvider: snapshot.secretsProvider,
    resources,
    pendingOperations,
    snippets: snapshot.snippets ?? [],
    extensions: encodeExtensions(snapshot),
    byteStrings: encoder.byteStrings,
  };
}

/** Encodes only the extensions that an entry, or a pending one, still needs. */
function encodeExtensions(snapshot: Snapshot): Readonly<Record<string, Json>> {
  const pending = snapshot.pendingOperations.map(({ resource }) => resource);
  const used = usedExtensions(snapshot.extensions ?? {}, [...snapshot.resources, ...pending]);
  return Object.fromEntries(
    Object.entries(used).map(([ref, extension]) => [ref, encodeExtension(extension)]),
  );
}
