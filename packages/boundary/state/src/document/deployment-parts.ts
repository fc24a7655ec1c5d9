import { FieldNames } from './field-names.js';
import type { Json, JsonObject } from '../values/go-json.js';
import type { JsonCursor } from './json-cursor.js';

/** Keys of the structs around resources [STATE-3] [STATE-4]. */
export const NAMES = {
  document: new FieldNames(['version', 'features', 'checkpoint', 'stack', 'config', 'latest', 'deployment']),
  checkpoint: new FieldNames(['stack', 'config', 'latest']),
  deployment: new FieldNames([
    'manifest',
    'secrets_providers',
    'resources',
    'pending_operations',
    'metadata',
    'snippets',
    'extensions',
  ]),
  manifest: new FieldNames(['time', 'magic', 'version', 'plugins']),
  plugin: new FieldNames(['name', 'path', 'type', 'version']),
  secretsProvider: new FieldNames(['type', 'state']),
  metadata: new FieldNames(['integrity_error']),
  integrityError: new FieldNames(['version', 'command', 'error', 'env_vars']),
  operation: new FieldNames(['resource', 'type']),
  snippet: new FieldNames(['uuid', 'name', 'type', 'code', 'descriptor', 'references']),
  extension: new FieldNames(['name', 'version', 'value']),
} as const;

/** Body of a deployment as it was found: an object under exact keys, or any other value. */
export interface RawBody {
  readonly json: Json;
  /** Exact text of `secrets_providers.state`, because other tools compare its bytes [SEC-1]. */
  readonly managerState: string | undefined;
  /** Offsets in the document at which each resource begins and ends. */
  readonly places?: readonly number[];
}

/** Top level of a document. */
export interface RawDocument {
  readonly version: Json | undefined;
  readonly features: Json | undefined;
  /** Value of the key `deployment`; `undefined` if the document has no such key. */
  readonly deployment: RawBody | undefined;
  /** `latest` of the checkpoint, if it has one. */
  readonly checkpointLatest: RawBody | undefined;
  /** Value under `checkpoint` that is neither an object nor null. */
  readonly oddCheckpoint: Json | undefined;
  /** `latest` at the top, as in version 0. */
  readonly latest: RawBody | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reads a document whose value is an object. Walks through the parts that contain resources and parses the rest as it
 * comes.
 */
export function readParts(cursor: JsonCursor): RawDocument {
  const document: Mutable<RawDocument> = {
    version: undefined,
    features: undefined,
    deployment: undefined,
    checkpointLatest: undefined,
    oddCheckpoint: undefined,
    latest: undefined,
  };
  cursor.object((key) => {
    const name = NAMES.document.nameOf(key);
    if (name === 'deployment' || name === 'latest') document[name] = readBody(cursor);
    else if (name === 'checkpoint') readCheckpointParts(cursor, document);
    else if (name === 'version' || name === 'features') document[name] = cursor.value();
    else cursor.value();
  });
  cursor.end();
  return document;
}

function readCheckpointParts(cursor: JsonCursor, document: Mutable<RawDocument>): void {
  document.checkpointLatest = undefined;
  document.oddCheckpoint = undefined;
  if (cursor.kind() !== 'object') {
    document.oddCheckpoint = cursor.value() ?? undefined;
    return;
  }
  cursor.object((key) => {
    if (NAMES.checkpoint.nameOf(key) === 'latest') document.checkpointLatest = readBody(cursor);
    else cursor.value();
  });
}

/** Reads the body of a deployment. Unknown keys are parsed and dropped. */
function readBody(cursor: JsonCursor): RawBody {
  if (cursor.kind() !== 'object') return { json: cursor.value(), managerState: undefined };
  const body: { [key: string]: Json } = {};
  let managerState: string | undefined;
  let places: number[] = [];
  cursor.object((key) => {
    const name = NAMES.deployment.nameOf(key);
    if ((name === 'resources' || name === 'pending_operations') && cursor.kind() === 'list') {
      const found: number[] = [];
      body[name] = cursor.list(found);
      if (name === 'resources') places = found;
    } else if (name === 'secrets_providers' && cursor.kind() === 'object') {
      const manager = readManager(cursor);
      body[name] = manager.json;
      managerState = manager.stateText;
    } else {
      const value = cursor.value();
      if (name !== undefined) body[name] = value;
    }
  });
  return { json: body, managerState, places };
}

/** Reads the choice of the secrets manager, with the exact text of its state. */
export function readManager(cursor: JsonCursor): {
  readonly json: JsonObject;
  readonly stateText: string | undefined;
} {
  const manager: { [key: string]: Json } = {};
  let stateText: string | undefined;
  cursor.object((key) => {
    const name = NAMES.secretsProvider.nameOf(key);
    if (name === 'state') {
      const { text, value } = cursor.valueAndText();
      manager[name] = value;
      stateText = value === null ? undefined : compactJson(text);
    } else {
      const value = cursor.value();
      if (name !== undefined) manager[name] = value;
    }
  });
  return { json: manager, stateText };
}

/** Removes white space between tokens; texts remain as they are written. */
function compactJson(raw: string): string {
  return raw.replace(/"(?:[^"\\]|\\.)*"|[ \t\r\n]+/g, (token) => (token.startsWith('"') ? token : ''));
}
