import { fail } from '@cairn/diagnostics';
import { corruptState } from './corrupt-state.js';
import { unknownFeatures } from './features.js';
import { readParts } from './deployment-parts.js';
import type { RawBody, RawDocument } from './deployment-parts.js';
import { isJsonObject } from '../values/go-json.js';
import { JsonBytesFault, JsonCursor, lineAndColumnAt } from './json-cursor.js';
import { migrateDeployment } from './migrate.js';
import { takeDeployment } from './take-deployment.js';
import type { SerializedDeployment } from './serialized.js';

/** Newest version of the format that this software reads and writes. */
const NEWEST_VERSION = 4;

/** A file around a deployment, as read. `deployment` is `undefined` for a stack that was never deployed. */
interface ReadDocument {
  /** 3 or 4; older ones have been migrated. */
  readonly version: number;
  readonly deployment: SerializedDeployment | undefined;
  /** Offsets in the file at which each resource begins and ends; of a text, in its UTF-8. */
  readonly places?: readonly number[] | undefined;
}

/**
 * Reads a stack file: version, features and a checkpoint [STATE-3]. Reads its bytes resource by resource: no string of
 * the whole is made. `source` names the file in errors.
 *
 * Fails with `CAIRN-STATE-CORRUPT` (cut off, not JSON, wrong form; with the offset of the byte) and
 * `CAIRN-STATE-TOO-NEW` (version above 4, unknown features).
 */
export function readCheckpoint(text: Uint8Array | string, source: string): ReadDocument {
  const document = parseDocument(text, source);
  const version = versionOf(document, source);
  if (version === 0)
    return readVersioned({
      form: 'checkpoint',
      source,
      document,
      version: 1,
      body: document.latest,
      path: ['latest'],
    });
  if (document.oddCheckpoint !== undefined) throw corruptState(source, '"checkpoint"', 'is not an object');
  const path = ['checkpoint', 'latest'];
  return readVersioned({
    form: 'checkpoint',
    source,
    document,
    version,
    body: document.checkpointLatest,
    path,
  });
}

/**
 * Reads an export document: version, features and a deployment [STATE-3] [STATE-10]. Fails as {@link readCheckpoint}
 * does, and with `CAIRN-STATE-TOO-OLD` for a version below 1.
 */
export function readUntypedDeployment(text: Uint8Array | string, source: string): ReadDocument {
  const document = parseDocument(text, source);
  const version = versionOf(document, source);
  if (version < 1) {
    fail('CAIRN-STATE-TOO-OLD', `cannot read ${source}: its deployment version ${version} is too old`, {
      hint: 'Pass a document written by `cairn stack export` or `pulumi stack export`.',
    });
  }
  // `null` is the export of a stack that has no state yet; a document without the key is no export at all.
  const body = document.deployment;
  if (body === undefined) throw corruptState(source, '"deployment"', 'is missing');
  return readVersioned({ form: 'deployment', source, document, version, body, path: ['deployment'] });
}

interface Versioned {
  readonly form: 'checkpoint' | 'deployment';
  readonly source: string;
  readonly document: RawDocument;
  readonly version: number;
  readonly body: RawBody | undefined;
  /** Keys that lead to the body. */
  readonly path: readonly string[];
}

function readVersioned(versioned: Versioned): ReadDocument {
  const { source, document, version, body, path } = versioned;
  refuseNewer(versioned);
  const reported = Math.max(version, 3);
  const json = body?.json ?? null;
  if (json === null) return { version: reported, deployment: undefined };
  if (!isJsonObject(json)) throw corruptState(source, `"${path.join('.')}"`, 'is not an object');
  const deployment = version < 3 ? migrateDeployment(json, version) : json;
  const managerState = version < 3 ? undefined : body?.managerState;
  const features = featuresOf(document, source);
  const byteStrings = version >= 4 && features.includes('byteString');
  return {
    version: reported,
    deployment: takeDeployment(deployment, { source, managerState, byteStrings }),
    places: body?.places,
  };
}

function refuseNewer({ document, version, source, form }: Versioned): void {
  const hint = 'Install a newer version of cairn, or use the tool that wrote it.';
  if (version > NEWEST_VERSION) {
    const what =
      form === 'checkpoint'
        ? `unsupported checkpoint version ${version}`
        : `its deployment version ${version} is too new`;
    fail(
      'CAIRN-STATE-TOO-NEW',
      `cannot read the state in ${source}: ${what}, this software reads up to ${NEWEST_VERSION}`,
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

function featuresOf(document: RawDocument, source: string): readonly string[] {
  const features = document.features ?? [];
  if (Array.isArray(features) && features.every((name) => typeof name === 'string'))
    return features as string[];
  throw corruptState(source, '"features"', 'is not a list of strings');
}

function versionOf(document: RawDocument, source: string): number {
  const version = document.version ?? 0;
  if (typeof version === 'number' && Number.isInteger(version) && version >= 0) return version;
  throw corruptState(source, '"version"', 'is not a whole number');
}

function parseDocument(text: Uint8Array | string, source: string): RawDocument {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  try {
    const cursor = new JsonCursor(bytes);
    if (cursor.isEmpty) throw corruptState(source, '', 'the file is empty', { causes: [CUT_SHORT] });
    if (cursor.kind() === 'object') return readParts(cursor);
    cursor.value();
    cursor.end();
  } catch (thrown) {
    if (thrown instanceof JsonBytesFault) throw notJson(bytes, source, thrown);
    throw thrown;
  }
  throw corruptState(source, '', 'the document is not a JSON object');
}

const CUT_SHORT =
  'it was not written or copied completely: the disk was full, the connection was lost or the machine crashed';

function notJson(bytes: Uint8Array, source: string, { offset, reason }: JsonBytesFault): Error {
  const { line, column } = lineAndColumnAt(bytes, offset);
  const cut = offset >= bytes.length;
  return corruptState(
    source,
    '',
    `${cut ? 'the file was cut off: ' : ''}it is not valid JSON at line ${line}, column ${column} (offset ${offset}): ${reason}`,
    {
      ...(cut ? { causes: [CUT_SHORT] } : {}),
      source: { file: source, line, column },
    },
  );
}
