import { isAscii } from 'node:buffer';
import { cairnError } from '@cairn/diagnostics';
import { NAMES } from '../document/deployment-parts.js';
import { goJson, goJsonString, isJsonObject } from '../values/go-json.js';
import { sortedKeys } from '../values/sorted-keys.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { JsonBytesFault, JsonCursor, knownValue } from '../document/json-cursor.js';
import { isListAt, knownItemsAt, walkKnownMembers } from '../document/known-text.js';
import { takeJournalEntry } from './journal-codec.js';
import type { SerializedJournalEntry } from './journal-codec.js';
import { manifestText } from '../document/manifest.js';
import { packagePartText, snippetText } from '../document/package-text.js';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import { exactName, isLeftOut, resourceText } from '../document/resource-format.js';
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
  /** Undefined if the value was read from a member of another name. */
  readonly text: string | undefined;
  readonly value: T;
  /** Object that was read, with this mark. It has this text whole. */
  read?: T;
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

/** Returns the members of an object that was read before, with their exact texts. */
function knownMembers(text: string): readonly Member[] {
  const members: Member[] = [];
  walkKnownMembers(text, (key, from, to) => members.push([key, text.slice(from, to)]));
  return members;
}

/**
 * Returns the exact texts of the items of a list that was read before, or of the list that is a member of an object.
 * Without that member there are none.
 */
export function knownItemTexts(text: string | Uint8Array, member?: string): readonly string[] {
  const known = typeof text === 'string' ? text : textOf(text);
  if (isListAt(known, 0)) return knownItemsAt(known, 0);
  let texts: readonly string[] = [];
  walkKnownMembers(known, (key, from) => {
    if (key === member && isListAt(known, from)) texts = knownItemsAt(known, from);
  });
  return texts;
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
  const managerState = stateTextOf(texts['secrets_providers']);
  const deployment = takeDeployment(body, { source, managerState, byteStrings });
  const resources = itemsOf(texts['resources']);
  const operations = itemsOf(texts['pending_operations']);
  const kept = {
    ...deployment,
    resources: deployment.resources.map((resource, index) => withText(resource, resources[index])),
    pendingOperations: deployment.pendingOperations.map((operation, index) =>
      operationWithText(operation, operations[index]),
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
  for (const [key, text] of origin?.text === undefined ? [] : knownMembers(origin.text)) {
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

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Reads one journal entry from a text that was read before, as {@link takeJournalEntry} does, and remembers the texts
 * of its states.
 */
export function takeKeptEntry(text: string, source: string): SerializedJournalEntry {
  const entry: Writable<SerializedJournalEntry> = withResourceTexts(
    takeJournalEntry(valueOfKnown(text, source), source),
    text,
  );
  const snapshot = entry.newSnapshot && memberOf(text, 'newSnapshot');
  if (snapshot !== undefined)
    entry.newSnapshot = readKeptDeployment(snapshot, {
      source,
      byteStrings: entry.requiresByteString === true,
    });
  return entry;
}

/** Returns an entry that was read from a text, and remembers the texts of its resources. */
export function withResourceTexts(read: SerializedJournalEntry, text: string): SerializedJournalEntry {
  const { state, operation } = read;
  const entry: Writable<SerializedJournalEntry> = { ...read };
  if (state !== undefined) entry.state = withLateText(state, () => memberOf(text, 'state'));
  if (operation !== undefined)
    entry.operation = new LateOperation(operation, () =>
      memberOf(memberOf(text, 'operation') ?? '{}', 'resource'),
    );
  return entry;
}

/** Operation whose resource gets its text when it is asked for: few operations are pending in the end. */
class LateOperation implements SerializedOperation {
  readonly type: SerializedOperation['type'];
  readonly #read: SerializedResource;
  readonly #find: () => string | undefined;

  constructor({ type, resource }: SerializedOperation, find: () => string | undefined) {
    this.type = type;
    this.#read = resource;
    this.#find = find;
  }

  get resource(): SerializedResource {
    return withText(this.#read, this.#find());
  }
}

/** Returns the text of a member. Of two with one name, the last one counts. */
function memberOf(text: string, name: string): string | undefined {
  let found: string | undefined;
  walkKnownMembers(text, (key, from, to) => {
    if (key === name) found = text.slice(from, to);
  });
  return found;
}

/** Returns a text in UTF-8. Without other characters than those of ASCII, that is a copy. */
function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString(isAscii(buffer) ? 'latin1' : 'utf8');
}

/** Returns the value of a text that was read before. Fails with `CAIRN-STATE-CORRUPT` for one that was altered. */
function valueOfKnown(text: string, source: string): Json {
  try {
    return knownValue(text);
  } catch {
    return parsed(text, source);
  }
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
  const { text, value, read } = originOf(resource) ?? {};
  if (text === undefined || value === undefined) return resourceText(resource);
  if (read === resource) return text;
  const changed = ENTRY_FIELD_LIST.filter(({ key }) => resource[key] !== value[key]);
  if (changed.length === 0) return text;
  const now: { [key: string]: Json } = { ...(resource as unknown as JsonObject) };
  for (const { key } of changed) if (isLeftOut(key, now[key])) delete now[key];
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
  for (const [key, member] of knownMembers(text)) {
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
  const items = knownItemTexts(text);
  const list = after as readonly Json[];
  return `[${list.map((item, index) => patched(items[index] as string, before[index] as Json, item)).join(',')}]`;
}

function withText<T extends object>(value: T, text: string | undefined): T {
  return text === undefined ? value : withOrigin(value, { text, value });
}

/** Marks a value with a text that is only looked for when it is needed. */
function withLateText<T extends object>(value: T, find: () => string | undefined): T {
  let found: string | undefined;
  return withOrigin(value, {
    get text() {
      return (found ??= find());
    },
    value,
  });
}

function withOrigin<T extends object>(value: T, origin: Origin<T>): T {
  const read = { ...value, [ORIGIN]: origin };
  origin.read = read;
  return read;
}

function originOf<T extends object>(value: T): Origin<T> | undefined {
  return (value as Kept<T>)[ORIGIN];
}

function operationWithText(operation: SerializedOperation, text: string | undefined): SerializedOperation {
  if (text === undefined) return operation;
  const resource = new Map(knownMembers(text)).get('resource');
  return { ...operation, resource: withText(operation.resource, resource) };
}

function itemsOf(text: string | undefined): readonly string[] {
  return text === undefined || text === 'null' ? [] : knownItemTexts(text);
}

/** Returns the exact text of a secrets manager's settings. */
function stateTextOf(manager: string | undefined): string | undefined {
  if (manager === undefined || manager === 'null') return undefined;
  const state = new Map(knownMembers(manager)).get('state');
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
