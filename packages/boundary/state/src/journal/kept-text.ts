import { cairnError } from '@cairn/diagnostics';
import { NAMES } from '../document/deployment-parts.js';
import { goJson, goJsonString, isJsonObject } from '../values/go-json.js';
import { sortedKeys } from '../values/sorted-keys.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { JsonBytesFault, JsonCursor } from '../document/json-cursor.js';
import { takeJournalEntry } from './journal-codec.js';
import type { SerializedJournalEntry } from './journal-codec.js';
import { manifestText } from '../document/manifest.js';
import { packagePartText, snippetText } from '../document/package-text.js';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import { exactName, resourceText } from '../document/resource-format.js';
import { mapText } from '../document/struct-text.js';
import type {
  SerializedDeployment,
  SerializedOperation,
  SerializedResource,
} from '../document/serialized.js';
import { takeDeployment } from '../document/take-deployment.js';
import { metadataText, secretsProviderText } from '../document/write-document.js';

/**
 * Marks a value that was read together with its text. Copies by spread keep the mark, so the writer knows the text of
 * everything that an edit or a replay left alone: unknown members, numbers such as `1.0`, and escapes.
 */
const ORIGIN = Symbol('text as read');

interface Origin<T> {
  readonly text: string;
  readonly value: T;
}

type Kept<T> = T & { readonly [ORIGIN]?: Origin<T> };

/** Member of an object with its exact text. */
type Member = readonly [key: string, text: string];

/** Returns the members of a JSON object with their exact texts. Fails with `CAIRN-STATE-CORRUPT`. */
export function memberTexts(text: string | Uint8Array, source: string): readonly Member[] {
  const members: Member[] = [];
  walk(text, source, 'object', (cursor) =>
    cursor.object((key) => members.push([key, cursor.valueAndText().text])),
  );
  return members;
}

/** Returns the items of a JSON list with their exact texts. Fails with `CAIRN-STATE-CORRUPT`. */
export function itemTexts(text: string | Uint8Array, source: string): readonly string[] {
  const items: string[] = [];
  walk(text, source, 'list', (cursor) => cursor.items(() => items.push(cursor.valueAndText().text)));
  return items;
}

/** Item of a list with its exact text. */
export interface TextItem {
  readonly text: string;
  readonly value: Json;
}

/** Returns the items of a list in one walk. Fails with `CAIRN-STATE-CORRUPT`. */
export function textItems(text: string | Uint8Array, source: string): readonly TextItem[] {
  const items: TextItem[] = [];
  walk(text, source, 'list', (cursor) => cursor.items(() => items.push(cursor.valueAndText())));
  return items;
}

/**
 * Returns the items of the lists that are members of an object, in one walk. A member that is not there has none. Fails
 * with `CAIRN-STATE-CORRUPT`.
 */
export function textLists<K extends string>(
  text: string | Uint8Array,
  source: string,
  names: readonly K[],
): Readonly<Record<K, readonly TextItem[]>> {
  const lists = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, TextItem[]>;
  walk(text, source, 'object', (cursor) =>
    cursor.object((key) => {
      const items: TextItem[] | undefined = names.includes(key as K) ? (lists[key as K] = []) : undefined;
      if (items !== undefined && cursor.kind() === 'list')
        cursor.items(() => items.push(cursor.valueAndText()));
      else if (cursor.value() !== null && items !== undefined)
        throw new JsonBytesFault(0, `${key} is not a list`);
    }),
  );
  return lists;
}

/**
 * Reads the body of a deployment of version 3 or 4 and remembers its text, for {@link keptDeploymentText}. Fails with
 * `CAIRN-STATE-CORRUPT`.
 */
export function readKeptDeployment(
  text: string,
  { source, byteStrings }: { readonly source: string; readonly byteStrings: boolean },
): SerializedDeployment {
  const members = memberTexts(text, source);
  const body: { [key: string]: Json } = {};
  const texts: { [key: string]: string } = {};
  for (const [key, member] of members) {
    const name = NAMES.deployment.nameOf(key);
    if (name === undefined) continue;
    body[name] = parsed(member, source);
    texts[name] = member;
  }
  const managerState = stateTextOf(texts['secrets_providers'], source);
  const deployment = takeDeployment(body, { source, managerState, byteStrings });
  const resources = itemsOf(texts['resources'], source);
  const operations = itemsOf(texts['pending_operations'], source);
  const kept = {
    ...deployment,
    resources: deployment.resources.map((resource, index) => withText(resource, resources[index])),
    pendingOperations: deployment.pendingOperations.map((operation, index) =>
      operationWithText(operation, operations[index], source),
    ),
  };
  return withText(kept, text);
}

/**
 * Returns the text of a deployment's body. Everything that is as it was read has the text that was read. `base` is the
 * deployment that a replay began with; its unknown members remain.
 */
export function keptDeploymentText(deployment: SerializedDeployment, base = deployment): string {
  const origin = originOf(deployment) ?? originOf(base);
  const known: { [key: string]: string } = {};
  const unknown: Member[] = [];
  for (const [key, text] of origin === undefined ? [] : memberTexts(origin.text, 'the state as read')) {
    const name = NAMES.deployment.nameOf(key);
    if (name === undefined) unknown.push([key, text]);
    else known[name] = text;
  }
  const before = origin?.value;
  const members: (readonly [string, string | undefined])[] = PARTS.map(([name, part, write]) => {
    const same = before !== undefined && before[part] === deployment[part];
    return [name, same ? known[name] : write(deployment)];
  });
  const written = [...members, ...unknown].flatMap(([key, text]) =>
    text === undefined ? [] : [`${goJsonString(key)}:${text}`],
  );
  return `{${written.join(',')}}`;
}

/** Reads one journal entry from its text, as {@link takeJournalEntry} does, and remembers the texts of its states. */
export function takeKeptEntry(text: string, source: string): SerializedJournalEntry {
  const entry = takeJournalEntry(parsed(text, source), source);
  const texts = new Map(memberTexts(text, source));
  const { state, operation, newSnapshot } = entry;
  const snapshot = newSnapshot && texts.get('newSnapshot');
  return {
    ...entry,
    state: state && withText(state, texts.get('state')),
    operation: operation && operationWithText(operation, texts.get('operation'), source),
    newSnapshot:
      snapshot === undefined
        ? newSnapshot
        : readKeptDeployment(snapshot, { source, byteStrings: entry.requiresByteString === true }),
  };
}

/** Members of a deployment in the order in which they are written, each with its writer. */
const PARTS: readonly (readonly [
  name: string,
  part: keyof SerializedDeployment,
  write: (deployment: SerializedDeployment) => string | undefined,
])[] = [
  ['manifest', 'manifest', ({ manifest }) => manifestText(manifest)],
  [
    'secrets_providers',
    'secretsProvider',
    ({ secretsProvider }) => secretsProvider && secretsProviderText(secretsProvider),
  ],
  ['resources', 'resources', ({ resources }) => listText(resources, keptResourceText)],
  [
    'pending_operations',
    'pendingOperations',
    ({ pendingOperations }) =>
      listText(
        pendingOperations,
        ({ resource, type }) => `{"resource":${keptResourceText(resource)},"type":${goJsonString(type)}}`,
      ),
  ],
  ['metadata', 'integrityError', metadataText],
  ['snippets', 'snippets', ({ snippets }) => listText(snippets, snippetText)],
  [
    'extensions',
    'extensions',
    ({ extensions }) =>
      sortedKeys(extensions).length === 0 ? undefined : mapText(extensions, packagePartText),
  ],
];

function listText<T>(items: readonly T[], write: (item: T) => string): string | undefined {
  return items.length === 0 ? undefined : `[${items.map(write).join(',')}]`;
}

/** Writes a resource: unchanged fields with the texts that were read, changed ones as new texts. */
function keptResourceText(resource: SerializedResource): string {
  const origin = originOf(resource);
  if (origin === undefined) return resourceText(resource);
  const { text, value } = origin;
  if (ENTRY_FIELD_LIST.every(({ key }) => resource[key] === value[key])) return text;
  const now = resource as unknown as JsonObject;
  return patchedMembers(text, value as unknown as JsonObject, now, (key) => exactName(key));
}

/**
 * Returns the text of an object whose value was `before`, with the members of `after`. `nameOf` returns the member that
 * a key means, or undefined for an unknown key, which remains.
 */
function patchedMembers(
  text: string,
  before: JsonObject,
  after: JsonObject,
  nameOf: (key: string) => string | undefined,
): string {
  const left = new Set(Object.keys(after));
  const members: string[] = [];
  for (const [key, member] of memberTexts(text, 'the state as read')) {
    const name = nameOf(key);
    if (name !== undefined) left.delete(name);
    const value = name === undefined ? undefined : after[name];
    if (name !== undefined && value === undefined && before[name] !== undefined) continue;
    const now = value === undefined ? member : patched(member, before[name as string], value);
    members.push(`${goJsonString(key)}:${now}`);
  }
  for (const key of left) {
    const value = after[key];
    if (value !== undefined && value !== before[key]) members.push(`${goJsonString(key)}:${goJson(value)}`);
  }
  return `{${members.join(',')}}`;
}

/** Returns the text of `after`; whatever is identical to a part of `before` has its text in `text`. */
function patched(text: string, before: Json | undefined, after: Json): string {
  if (after === before) return text;
  if (isJsonObject(before) && isJsonObject(after)) return patchedMembers(text, before, after, (key) => key);
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return goJson(after);
  const items = itemTexts(text, 'the state as read');
  const list = after as readonly Json[];
  return `[${list.map((item, index) => patched(items[index] as string, before[index] as Json, item)).join(',')}]`;
}

function withText<T extends object>(value: T, text: string | undefined): T {
  return text === undefined ? value : { ...value, [ORIGIN]: { text, value } };
}

function originOf<T extends object>(value: T): Origin<T> | undefined {
  return (value as Kept<T>)[ORIGIN];
}

function operationWithText(
  operation: SerializedOperation,
  text: string | undefined,
  source: string,
): SerializedOperation {
  if (text === undefined) return operation;
  const resource = new Map(memberTexts(text, source)).get('resource');
  return { ...operation, resource: withText(operation.resource, resource) };
}

function itemsOf(text: string | undefined, source: string): readonly string[] {
  return text === undefined || text === 'null' ? [] : itemTexts(text, source);
}

/** Returns the exact text of a secrets manager's settings. */
function stateTextOf(manager: string | undefined, source: string): string | undefined {
  if (manager === undefined || manager === 'null') return undefined;
  const state = new Map(memberTexts(manager, source)).get('state');
  return state === 'null' ? undefined : state;
}

function parsed(text: string, source: string): Json {
  try {
    return new JsonCursor(Buffer.from(text)).value();
  } catch (thrown) {
    throw notReadable(thrown, source);
  }
}

function walk(
  text: string | Uint8Array,
  source: string,
  kind: 'object' | 'list',
  read: (cursor: JsonCursor) => void,
): void {
  try {
    const cursor = new JsonCursor(typeof text === 'string' ? Buffer.from(text) : text);
    if (cursor.kind() !== kind)
      throw new JsonBytesFault(0, `it is not ${kind === 'list' ? 'a list' : 'an object'}`);
    read(cursor);
    cursor.end();
  } catch (thrown) {
    throw notReadable(thrown, source);
  }
}

function notReadable(thrown: unknown, source: string): unknown {
  if (!(thrown instanceof JsonBytesFault)) return thrown;
  return cairnError(
    'CAIRN-STATE-CORRUPT',
    `cannot read ${source}: ${thrown.reason} (offset ${thrown.offset})`,
  );
}
