import { fail } from '@cairn/diagnostics';
import { corruptState } from './corrupt-state.js';
import { unknownFeatures } from './features.js';
import { isJsonObject } from './go-json.js';
import type { Json, JsonObject } from './go-json.js';
import { jsonFault, lineAndColumn, rawJsonAt } from './json-scan.js';
import { migrateDeployment } from './migrate.js';
import { takeDeployment } from './take-deployment.js';
import type { SerializedDeployment } from './serialized.js';

/** Newest version of the format that this software reads and writes. */
export const NEWEST_VERSION = 4;

/** A file around a deployment, as read. `deployment` is undefined for a stack that was never deployed. */
export interface ReadDocument {
  /** 3 or 4; older ones have been migrated. */
  readonly version: number;
  readonly deployment: SerializedDeployment | undefined;
}

/**
 * Reads a stack file: version, features and a checkpoint (state.md 1.1). `source` names the file in errors. Fails with
 * `CAIRN-STATE-CORRUPT` (cut off, not JSON, wrong form), `CAIRN-STATE-TOO-NEW` (version above 4, unknown features).
 */
export function readCheckpoint(text: string, source: string): ReadDocument {
  const document = parseObject(text, source);
  const version = versionOf(document, source);
  const inner = version === 0 ? document : objectAt(document, 'checkpoint', source);
  const path = version === 0 ? ['latest'] : ['checkpoint', 'latest'];
  const latest = inner?.['latest'] ?? null;
  return readVersioned({ text, source, document, version: version === 0 ? 1 : version, body: latest, path });
}

/**
 * Reads an export document: version, features and a deployment (state.md 1.1, 1.9). Fails as {@link readCheckpoint} does, and with
 * `CAIRN-STATE-TOO-OLD` for a version below 1.
 */
export function readUntypedDeployment(text: string, source: string): ReadDocument {
  const document = parseObject(text, source);
  const version = versionOf(document, source);
  if (version < 1) {
    fail(
      'CAIRN-STATE-TOO-OLD',
      `cannot read ${source}: it is of deployment version ${version}, older than any this software reads`,
      {
        hint: 'Give a document written by `cairn stack export` or `pulumi stack export`.',
      },
    );
  }
  // `null` is an export of a stack that has no state yet; a document that lacks the key is no export at all.
  if (!('deployment' in document)) throw corruptState(source, '"deployment"', 'is missing');
  return readVersioned({
    text,
    source,
    document,
    version,
    body: document['deployment'] ?? null,
    path: ['deployment'],
  });
}

interface Versioned {
  readonly text: string;
  readonly source: string;
  readonly document: JsonObject;
  readonly version: number;
  readonly body: Json;
  /** Keys that lead to the body. */
  readonly path: readonly string[];
}

function readVersioned({ text, source, document, version, body, path }: Versioned): ReadDocument {
  refuseNewer(document, version, source);
  const reported = Math.max(version, 3);
  if (body === null) return { version: reported, deployment: undefined };
  const place = `"${path.join('.')}"`;
  if (!isJsonObject(body)) throw corruptState(source, place, 'is not an object');
  const deployment = version < 3 ? migrateDeployment(body, version) : body;
  const managerState = secretsState(text, [...path, 'secrets_providers', 'state'], deployment);
  const byteStrings = featuresOf(document, source).includes('byteString');
  return { version: reported, deployment: takeDeployment(deployment, { source, managerState, byteStrings }) };
}

function refuseNewer(document: JsonObject, version: number, source: string): void {
  const hint = 'Install a newer version of cairn, or use the tool that wrote it.';
  if (version > NEWEST_VERSION) {
    fail(
      'CAIRN-STATE-TOO-NEW',
      `cannot read the state in ${source}: it is of version ${version}, and this software reads up to ${NEWEST_VERSION}`,
      { hint },
    );
  }
  const unknown = version >= 4 ? unknownFeatures(featuresOf(document, source)) : [];
  if (unknown.length > 0) {
    fail(
      'CAIRN-STATE-TOO-NEW',
      `cannot read the state in ${source}: it uses unknown features: ${unknown.join(', ')}`,
      { hint },
    );
  }
}

function featuresOf(document: JsonObject, source: string): readonly string[] {
  const features = document['features'] ?? [];
  if (Array.isArray(features) && features.every((name) => typeof name === 'string'))
    return features as string[];
  throw corruptState(source, '"features"', 'is not a list of texts');
}

function versionOf(document: JsonObject, source: string): number {
  const version = document['version'] ?? 0;
  if (typeof version === 'number' && Number.isInteger(version) && version >= 0) return version;
  throw corruptState(source, '"version"', 'is not a whole number');
}

function objectAt(document: JsonObject, key: string, source: string): JsonObject | undefined {
  const value = document[key] ?? null;
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw corruptState(source, `"${key}"`, 'is not an object');
  return value;
}

/** The exact text of the secrets manager's settings, because other tools compare its bytes (state.md 6.1). */
function secretsState(text: string, path: readonly string[], deployment: JsonObject): string | undefined {
  const manager = deployment['secrets_providers'];
  const state = isJsonObject(manager) ? manager['state'] : undefined;
  if (state === undefined || state === null) return undefined;
  const canonical = JSON.stringify(state);
  const raw = rawJsonAt(text, path);
  return raw !== undefined && JSON.stringify(JSON.parse(raw)) === canonical ? compactJson(raw) : canonical;
}

/** Without white space between tokens; texts stay as they are written. */
function compactJson(raw: string): string {
  return raw.replace(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (token) => (token.startsWith('"') ? token : ''));
}

function parseObject(text: string, source: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (thrown) {
    throw notJson(text, source, thrown);
  }
  if (!isJsonObject(parsed)) throw corruptState(source, '', 'the document is not a JSON object');
  return parsed;
}

function notJson(text: string, source: string, cause: unknown): Error {
  if (text.trim() === '') return corruptState(source, '', 'the file is empty');
  const fault = jsonFault(text);
  if (fault === undefined) return corruptState(source, '', `it is not readable as JSON: ${String(cause)}`);
  const { line, column } = lineAndColumn(text, fault.offset);
  return corruptState(
    source,
    '',
    `it is not valid JSON at line ${line}, column ${column} (offset ${fault.offset}): ${fault.reason}`,
    {
      source: { file: source, line, column },
    },
  );
}
