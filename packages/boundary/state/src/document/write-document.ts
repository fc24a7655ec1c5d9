import { neededFeatures } from './features.js';
import { goBytes, goText } from '../values/go-json-writer.js';
import type { GoTarget, TextBytes } from '../values/go-json-writer.js';
import { JsonIndenter, goJson, goJsonString } from '../values/go-json.js';
import { escapeHtmlIn } from '../values/go-string.js';
import { sortedKeys } from '../values/sorted-keys.js';
import type { Json } from '../values/go-json.js';
import { manifestText } from './manifest.js';
import { packagePartText, snippetText } from './package-text.js';
import { writeResource } from './resource-format.js';
import { copiedResources } from './copied-resources.js';
import type { CopySource } from './copied-resources.js';
import { mapText, structText } from './struct-text.js';
import type { SecretsProviderRecord, SerializedDeployment, SerializedOperation } from './serialized.js';

/** Bytes of a buffer for pieces. */
const CHUNK = 1 << 20;

/** Bytes that are allocated for text which is only expected. */
const EXPECTED_MOST = 1 << 30;

/** Version and features under which a deployment must be written [STATE-3]. */
interface FormatVersion {
  readonly version: 3 | 4;
  readonly features: readonly string[];
}

/** Returns version 4 exactly if a feature is needed. */
export function formatVersion(deployment: SerializedDeployment): FormatVersion {
  const features = neededFeatures(deployment);
  return { version: features.length === 0 ? 3 : 4, features };
}

/**
 * Options of a stack file. `room` is the number of bytes to allocate at once, when the length of the text is roughly
 * known; memory that is not written costs nothing. `escapeHtml` writes the deployment as a person's document is stored:
 * by import, by an edit and when a stack is made [STATE-1]. `copyFrom` is a file from which resources are copied that
 * are still the same; not with `escapeHtml`.
 */
interface CheckpointOptions {
  readonly room?: number;
  readonly escapeHtml?: boolean;
  readonly copyFrom?: CopySource | undefined;
}

/**
 * Returns the bytes of a stack file [STATE-3]: compact, UTF-8. `stackName` is the full name. Without a deployment it
 * has the body of version 0 with which a stack begins.
 */
export function checkpointBytes(
  stackName: string,
  deployment: SerializedDeployment | undefined,
  { room = CHUNK, escapeHtml = false, copyFrom }: CheckpointOptions = {},
): Uint8Array {
  if (deployment === undefined)
    return Buffer.from(`{"version":0,"checkpoint":{"stack":${goJsonString(stackName)}}}`);
  const most = Math.max(room, CHUNK);
  if (copyFrom !== undefined && !escapeHtml)
    return joinPieces(
      filePieces(stackName, deployment, copiedResources(deployment.resources, copyFrom)),
      most,
      0,
    );
  const { resources } = deployment;
  const pieces = escapeHtml
    ? escapedPieces(checkpointPieces(stackName, deployment))
    : filePieces(stackName, deployment, listPieces('resources', resources, writeResource, goBytes));
  return joinPieces(pieces, most, resources.length);
}

/**
 * Escapes HTML in pieces. Outside of texts JSON has none of these characters; texts passed through as read are escaped
 * too.
 */
function* escapedPieces(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield escapeHtmlIn(piece);
}

/**
 * Returns the text of an export document [STATE-10], with a 4-space indent and a line break at the end. Without a
 * deployment its body is `null`.
 */
export function untypedDeploymentText(deployment: SerializedDeployment | undefined): string {
  return [...untypedDeploymentPieces(deployment)].join('');
}

/**
 * Yields the text of {@link untypedDeploymentText} in pieces of at most a resource each, for documents larger than the
 * largest string.
 */
export function* untypedDeploymentPieces(deployment: SerializedDeployment | undefined): Generator<string> {
  if (deployment === undefined) {
    yield '{\n    "version": 3,\n    "deployment": null\n}\n';
    return;
  }
  const indenter = new JsonIndenter(4);
  yield indenter.next(`{${versionText(formatVersion(deployment))},"deployment":`);
  for (const piece of deploymentPieces(deployment, resourcePieces(deployment))) yield indenter.next(piece);
  yield `${indenter.next('}')}\n`;
}

/** Returns a deployment's body as a JSON value, for other JSON that contains it. */
export function deploymentJson(deployment: SerializedDeployment): Json {
  return JSON.parse([...deploymentPieces(deployment, resourcePieces(deployment))].join('')) as Json;
}

/** Yields the text of {@link checkpointBytes} in pieces of about a resource each. */
export function checkpointPieces(stackName: string, deployment: SerializedDeployment): Generator<string> {
  return filePieces(stackName, deployment, resourcePieces(deployment));
}

function* filePieces<P>(
  stackName: string,
  deployment: SerializedDeployment,
  resources: Iterable<P>,
): Generator<P | string> {
  const version = versionText(formatVersion(deployment));
  yield `{${version},"checkpoint":{"stack":${goJsonString(stackName)},"latest":`;
  yield* deploymentPieces(deployment, resources);
  yield '}}';
}

function versionText({ version, features }: FormatVersion): string {
  return `"version":${version}${features.length === 0 ? '' : `,"features":${goJson(features)}`}`;
}

function resourcePieces({ resources }: SerializedDeployment): Generator<string> {
  return listPieces('resources', resources, writeResource, goText);
}

/** `resources` are the pieces of the member with the resources. */
function* deploymentPieces<P>(
  deployment: SerializedDeployment,
  resources: Iterable<P>,
): Generator<P | string> {
  yield `{"manifest":${manifestText(deployment.manifest)}`;
  if (deployment.secretsProvider !== undefined)
    yield `,"secrets_providers":${secretsProviderText(deployment.secretsProvider)}`;
  yield* resources;
  yield* listPieces('pending_operations', deployment.pendingOperations, writeOperation, goText);
  yield `,"metadata":${metadataText(deployment)}`;
  yield* listPieces('snippets', deployment.snippets, (to, snippet) => to.raw(snippetText(snippet)), goText);
  if (sortedKeys(deployment.extensions).length > 0) {
    yield `,"extensions":${mapText(deployment.extensions, packagePartText)}`;
  }
  yield '}';
}

/** `made` makes a piece of what is written. */
function* listPieces<T, P>(
  key: string,
  items: readonly T[],
  write: (to: GoTarget, item: T) => void,
  made: (write: (to: GoTarget) => void) => P,
): Generator<P | string> {
  if (items.length === 0) return;
  let separator = `,"${key}":[`;
  for (const item of items) {
    const before = separator;
    yield made((to) => {
      to.raw(before);
      write(to, item);
    });
    separator = ',';
  }
  yield ']';
}

/** Writes settings as the exact text that was read. */
export function secretsProviderText({ type, state }: SecretsProviderRecord): string {
  return `{"type":${goJsonString(type)}${state === undefined ? '' : `,"state":${state}`}}`;
}

function writeOperation(to: GoTarget, { resource, type }: SerializedOperation): void {
  to.raw('{"resource":');
  writeResource(to, resource);
  to.raw(',"type":');
  to.string(type);
  to.raw('}');
}

export function metadataText({ integrityError }: SerializedDeployment): string {
  if (integrityError === undefined) return '{}';
  const { version, command, error, envVars = {} } = integrityError;
  const body = structText(
    [
      ['version', version],
      ['command', command],
      ['error', error],
      ['env_vars', Object.keys(envVars).length === 0 ? undefined : envVars],
    ],
    (value) => value !== '',
  );
  return `{"integrity_error":${body}}`;
}

/**
 * Writes the pieces one after the other into one buffer: no string of the whole is made. If the buffer is too small, it
 * grows to what `count` pieces of the average length so far need, so that a large text is hardly ever copied.
 */
function joinPieces(pieces: Iterable<string | TextBytes>, room: number, count: number): Uint8Array {
  let buffer: Buffer = Buffer.allocUnsafeSlow(room);
  let used = 0;
  let done = 0;
  for (const piece of pieces) {
    const isText = typeof piece === 'string';
    if (used + (isText ? piece.length * 3 : piece.end - piece.start) > buffer.length) {
      const least = used + (isText ? Buffer.byteLength(piece) : piece.end - piece.start);
      if (least > buffer.length) buffer = grown(buffer.subarray(0, used), least, count / (done + 1));
    }
    used += isText ? buffer.write(piece, used) : piece.bytes.copy(buffer, used, piece.start, piece.end);
    done += 1;
  }
  return buffer.subarray(0, used);
}

/**
 * Returns a larger buffer that begins with the written bytes. `times` is how many times as many are expected, which is
 * believed up to {@link EXPECTED_MOST}.
 */
function grown(written: Buffer, least: number, times: number): Buffer {
  const expected = Math.min(least * times * 1.1, EXPECTED_MOST);
  const buffer = Buffer.allocUnsafeSlow(Math.ceil(Math.max(least * 1.25, expected)) + CHUNK);
  written.copy(buffer);
  return buffer;
}
