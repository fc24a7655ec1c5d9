import type { Crypter } from '@cairn/crypters';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { NAMES } from '../document/deployment-parts.js';
import { ValueEncoder } from '../values/encode-value.js';
import { FieldNames } from '../document/field-names.js';
import { isJsonObject } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { JOURNAL_KINDS } from './journal-entry.js';
import type { JournalEntry } from './journal-entry.js';
import { encodeOperation, encodeResource } from '../snapshot/resource-codec.js';
import type {
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from '../document/serialized.js';
import type { Snippet } from '../document/snippet.js';
import { takeDeployment, takeOperationAt, takeResourceAt, takeSnippet } from '../document/take-deployment.js';
import { deploymentJson } from '../document/write-document.js';

/** Version of the journal's format. */
const FORMAT = 1;

/**
 * Results of {@link encodeJournalEntry} in this process, with their entries: their form is right by construction.
 * Contains only entries about resources, which are the majority.
 */
const ownEntries = new WeakMap<object, JournalEntry>();

/** A journal entry as read from a journal, with secrets still sealed. Fields: [JRN-1] and {@link JournalEntry}. */
export interface SerializedJournalEntry extends Omit<JournalEntry, 'state' | 'operation'> {
  readonly state?: SerializedResource | undefined;
  readonly operation?: SerializedOperation | undefined;
  readonly requiresByteString?: boolean | undefined;
}

/**
 * Returns the JSON value of one entry in the exchange format, with secrets sealed by the crypter [JRN-1]. `removeOld`
 * and `removeNew` are always present; every other reference only if it is set, and 0 counts as set.
 */
export function encodeJournalEntry(entry: JournalEntry, crypter: Crypter): JsonObject {
  const encoder = new ValueEncoder(crypter);
  const json: { [key: string]: Json } = {
    version: FORMAT,
    kind: JOURNAL_KINDS.indexOf(entry.kind),
    sequenceID: entry.sequenceId,
    operationID: entry.operationId,
    removeOld: entry.removeOld ?? null,
    removeNew: entry.removeNew ?? null,
  };
  const { pendingReplacementOld, pendingReplacementNew, deleteOld, deleteNew } = entry;
  if (pendingReplacementOld !== undefined) json['pendingReplacementOld'] = pendingReplacementOld;
  if (pendingReplacementNew !== undefined) json['pendingReplacementNew'] = pendingReplacementNew;
  if (deleteOld !== undefined) json['deleteOld'] = deleteOld;
  if (deleteNew !== undefined) json['deleteNew'] = deleteNew;
  if (entry.state !== undefined) json['state'] = asJson(encodeResource(entry.state, encoder));
  if (entry.operation !== undefined) json['operation'] = asJson(encodeOperation(entry.operation, encoder));
  if (entry.isRefresh === true) json['isRefresh'] = true;
  if (entry.secretsProvider !== undefined)
    json['secretsProvider'] = secretsProviderJson(entry.secretsProvider);
  if (entry.snippets !== undefined && entry.snippets.length > 0) json['snippets'] = asJson(entry.snippets);
  if (entry.newSnapshot !== undefined) json['newSnapshot'] = deploymentJson(entry.newSnapshot);
  if (entry.extensionRef !== undefined) json['extensionRef'] = entry.extensionRef;
  if (entry.extension !== undefined) json['extension'] = entry.extension;
  if (encoder.byteStrings || entry.newSnapshot?.byteStrings === true) json['requiresByteString'] = true;
  if (isPlain(entry)) ownEntries.set(json, entry);
  return json;
}

/** Tells whether, apart from resources, the entry's parts have the same form in memory and in the exchange format. */
function isPlain({ secretsProvider, snippets, newSnapshot }: JournalEntry): boolean {
  return secretsProvider === undefined && snippets === undefined && newSnapshot === undefined;
}

/**
 * Does the work of {@link takeJournalEntry} for an entry of this process: its resources already have the exchange
 * format.
 */
function ownEntry(json: JsonObject, entry: JournalEntry): SerializedJournalEntry {
  // Written out: a copy of the entry with more fields would take several times the memory.
  return {
    kind: entry.kind,
    sequenceId: entry.sequenceId,
    operationId: entry.operationId,
    removeOld: entry.removeOld,
    removeNew: entry.removeNew,
    pendingReplacementOld: entry.pendingReplacementOld,
    pendingReplacementNew: entry.pendingReplacementNew,
    deleteOld: entry.deleteOld,
    deleteNew: entry.deleteNew,
    state: json['state'] as SerializedResource | undefined,
    operation: json['operation'] as SerializedOperation | undefined,
    isRefresh: entry.isRefresh === true,
    requiresByteString: json['requiresByteString'] === true,
    secretsProvider: undefined,
    newSnapshot: undefined,
    snippets: undefined,
    extensionRef: entry.extensionRef,
    extension: entry.extension,
  } satisfies { readonly [K in keyof Required<SerializedJournalEntry>]: SerializedJournalEntry[K] };
}

/**
 * Checks the form of an entry that was read and takes it over. `source` names the journal. Fails with
 * `CAIRN-JOURNAL-CORRUPT` when it breaks the format and `CAIRN-STATE-TOO-NEW` when it is of another version. An entry
 * that this process has encoded itself, and has not read back, is not checked again.
 */
export function takeJournalEntry(raw: unknown, source: string): SerializedJournalEntry {
  if (!isJsonObject(raw)) throw corruptJournal(source, 'an entry is not an object');
  const own = ownEntries.get(raw);
  if (own !== undefined) return ownEntry(raw, own);
  const value = ENTRY_NAMES.exactly(raw);
  const { version } = value;
  if (version !== FORMAT) throw wrongVersion(source, version);
  const sequenceId = integerAt(value, 'sequenceID', source) ?? 0;
  const place = `entry ${sequenceId}`;
  const kind = JOURNAL_KINDS[integerAt(value, 'kind', source) ?? -1];
  if (kind === undefined)
    throw corruptJournal(source, `${place} has the unknown kind ${JSON.stringify(value['kind'])}`);
  if (sequenceId < 1) throw corruptJournal(source, `${place} has no sequence id`);
  return {
    kind,
    sequenceId,
    operationId: integerAt(value, 'operationID', source) ?? 0,
    removeOld: integerAt(value, 'removeOld', source),
    removeNew: integerAt(value, 'removeNew', source),
    pendingReplacementOld: integerAt(value, 'pendingReplacementOld', source),
    pendingReplacementNew: integerAt(value, 'pendingReplacementNew', source),
    deleteOld: integerAt(value, 'deleteOld', source),
    deleteNew: integerAt(value, 'deleteNew', source),
    isRefresh: value['isRefresh'] === true,
    requiresByteString: value['requiresByteString'] === true,
    ...takeBodies(value, place, source),
  };
}

const ENTRY_NAMES = new FieldNames([
  'version',
  'kind',
  'sequenceID',
  'operationID',
  'removeOld',
  'removeNew',
  'pendingReplacementOld',
  'pendingReplacementNew',
  'deleteOld',
  'deleteNew',
  'state',
  'operation',
  'isRefresh',
  'secretsProvider',
  'snippets',
  'newSnapshot',
  'extensionRef',
  'extension',
  'requiresByteString',
]);

function takeBodies(value: JsonObject, place: string, source: string): Partial<SerializedJournalEntry> {
  const state = present(value, 'state');
  const operation = present(value, 'operation');
  const manager = present(value, 'secretsProvider');
  const snippets = present(value, 'snippets');
  const newSnapshot = present(value, 'newSnapshot');
  const extensionRef = present(value, 'extensionRef');
  return {
    state: state === undefined ? undefined : takeResourceAt(state, `${place}: state`, source),
    operation:
      operation === undefined ? undefined : takeOperationAt(operation, `${place}: operation`, source),
    secretsProvider: manager === undefined ? undefined : takeSecretsProvider(manager, place, source),
    snippets: snippets === undefined ? undefined : takeSnippets(snippets, place, source),
    newSnapshot: newSnapshot === undefined ? undefined : takeNewSnapshot(newSnapshot, place, source),
    extensionRef: typeof extensionRef === 'string' ? extensionRef : undefined,
    extension: present(value, 'extension'),
  };
}

/** Returns the error of a journal that cannot be replayed. */
export function corruptJournal(source: string, why: string): CairnError {
  return cairnError('CAIRN-JOURNAL-CORRUPT', `cannot replay the journal ${source}: ${why}`, {
    hint: 'Nothing was changed. Restore the journal from a backup, or run `cairn state repair` to continue without what it recorded.',
  });
}

function wrongVersion(source: string, version: Json | undefined): CairnError {
  return cairnError(
    'CAIRN-STATE-TOO-NEW',
    `cannot replay the journal ${source}: its format version is ${JSON.stringify(version)}`,
    {
      hint: 'Use the version of cairn that wrote it, or a newer one.',
    },
  );
}

function integerAt(object: JsonObject, key: string, source: string): number | undefined {
  const value = object[key] ?? null;
  if (value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw corruptJournal(source, `"${key}" of an entry is not a whole number`);
}

function present(object: JsonObject, key: string): Json | undefined {
  return object[key] ?? undefined;
}

function secretsProviderJson({ type, state }: SecretsProviderRecord): Json {
  return state === undefined ? { type } : { type, state: JSON.parse(state) as Json };
}

function takeSecretsProvider(raw: Json, place: string, source: string): SecretsProviderRecord {
  const value = isJsonObject(raw) ? NAMES.secretsProvider.exactly(raw) : raw;
  if (!isJsonObject(value) || typeof value['type'] !== 'string')
    throw corruptJournal(source, `${place} has a malformed secrets provider`);
  const state = value['state'] ?? null;
  return { type: value['type'], state: state === null ? undefined : JSON.stringify(state) };
}

function takeSnippets(value: Json, place: string, source: string): readonly Snippet[] {
  if (!Array.isArray(value)) throw corruptJournal(source, `${place} has snippets that are not a list`);
  return (value as readonly Json[]).map((item, index) =>
    takeSnippet(item, `${place}: snippets[${index}]`, source),
  );
}

function takeNewSnapshot(raw: Json, place: string, source: string): SerializedDeployment {
  if (!isJsonObject(raw)) throw corruptJournal(source, `${place} has a snapshot that is not an object`);
  const value = NAMES.deployment.exactly(raw);
  const manager = value['secrets_providers'];
  const state = isJsonObject(manager) ? (manager['state'] ?? null) : null;
  const managerState = state === null ? undefined : JSON.stringify(state);
  return takeDeployment(value, { source, managerState, byteStrings: false });
}

/** Serialized shapes are JSON by construction; interfaces without index signatures only hide it from the compiler. */
function asJson(value: object): Json {
  return value as unknown as Json;
}
