import { isUrn, parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { Crypter } from '@cairn/crypters';
import { BugError, messageOf } from '@cairn/diagnostics';
import { newRecord } from '@cairn/values';
import { corruptState } from '../document/corrupt-state.js';
import type { EntryKey, FieldKind } from '../document/entry-fields.js';
import type { StoredValues } from '../document/serialized.js';
import { ValueFault, decodePropertyMap, decodeStateValue } from '../values/decode-value.js';
import type { ValueEncoder } from '../values/encode-value.js';
import { readPath, writtenPaths } from '../values/path-texts.js';
import { NULL_LIST, noTimeouts } from './resource-entry.js';
import type { CustomTimeouts, EntryValues } from './resource-entry.js';

/** Conversion of the values of a kind to the form of a document and back. */
interface FieldCodec<Value, Stored> {
  /** Returns `undefined` if the value is blank, so that the document has no key. */
  readonly encode: (value: Value, encoder: ValueEncoder) => Stored | undefined;
  /** Fails with a fault of the reader. */
  readonly decode: (stored: Stored, read: FieldReader, key: EntryKey) => Value;
}

const unchanged = <T>(value: T): T => value;
const unlessFalsy = <T>(value: T): T | undefined => value || undefined;
const unlessEmpty = <T extends readonly unknown[]>(list: T): T | undefined =>
  list.length === 0 ? undefined : list;
const unlessKeyless = <T extends object>(map: T): T | undefined => (hasKeys(map) ? map : undefined);

/** One codec for each kind. */
export const FIELD_CODECS: { readonly [K in FieldKind]: FieldCodec<EntryValues[K], StoredValues[K]> } = {
  text: { encode: unlessFalsy, decode: unchanged },
  label: { encode: unchanged, decode: filled },
  flag: { encode: unlessFalsy, decode: unchanged },
  texts: { encode: unlessEmpty, decode: unchanged },
  urn: {
    encode: unchanged,
    decode: (text, read, key) => (text === '' ? undefined : read.urn(key, text)),
  },
  urns: { encode: unlessEmpty, decode: (texts, read, key) => read.urns(key, texts) },
  urnLists: { encode: encodeLists, decode: decodeLists },
  textLists: { encode: unlessKeyless, decode: unchanged },
  reference: {
    encode: unchanged,
    decode: (text, read, key) => (text === '' ? undefined : read.reference(key, text)),
  },
  paths: {
    encode: (paths) => (paths.length === 0 ? undefined : writtenPaths(paths)),
    decode: (texts) => texts.map(readPath),
  },
  timeouts: { encode: encodeTimeouts, decode: (timeouts) => ({ ...noTimeouts, ...timeouts }) },
  properties: {
    encode: (map, encoder) => unlessKeyless(encoder.map(map)),
    decode: (object, read, key) => read.decoded(key, (crypter) => decodePropertyMap(object, crypter)),
  },
  value: {
    encode: (value, encoder) => (value === undefined || value === null ? undefined : encoder.value(value)),
    decode: (json, read, key) => read.decoded(key, (crypter) => decodeStateValue(json, crypter)),
  },
  trace: {
    encode: (frames) =>
      unlessEmpty(
        frames.map(({ sourcePosition }) => (sourcePosition === undefined ? {} : { sourcePosition })),
      ),
    decode: (frames) => frames.map(({ sourcePosition }) => ({ sourcePosition: filled(sourcePosition) })),
  },
};

/** Reads the fields of one resource. Its faults name the document, the resource and the key. */
export class FieldReader {
  readonly #urn: string;
  readonly #crypter: Crypter;
  readonly #source: string;

  /** `urn` is the text that the document has, whatever it is. */
  constructor(urn: string, crypter: Crypter, source: string) {
    this.#urn = urn;
    this.#crypter = crypter;
    this.#source = source;
  }

  fault(key: EntryKey, why: string): Error {
    const urn = this.#urn;
    const place = urn === '' ? 'a resource without "urn":' : `resource ${urn}:`;
    return corruptState(this.#source, place, `"${key}" ${why}`, isUrn(urn) ? { urn } : {});
  }

  urn(key: EntryKey, text: string): Urn {
    if (!isUrn(text)) throw this.fault(key, `has ${JSON.stringify(text)}, which is not a URN`);
    return text;
  }

  /** Returns the URNs of a list without empty texts: the list itself if it has none. Neither is ever altered. */
  urns(key: EntryKey, texts: readonly string[]): readonly Urn[] {
    const filled = texts.includes('') ? texts.filter((text) => text !== '') : texts;
    for (let at = 0; at < filled.length; at++) this.urn(key, filled[at] as string);
    return filled as readonly Urn[];
  }

  reference(key: EntryKey, text: string): ProviderReference {
    try {
      parseProviderReference(text);
    } catch (thrown) {
      throw this.fault(key, `is wrong: ${messageOf(thrown)}`);
    }
    return text as ProviderReference;
  }

  /** Returns the result of `decode`, which receives the crypter. */
  decoded<T>(key: EntryKey, decode: (crypter: Crypter) => T): T {
    try {
      return decode(this.#crypter);
    } catch (thrown) {
      if (thrown instanceof BugError) throw thrown;
      if (thrown instanceof ValueFault) throw this.fault(key, `contains a value that ${thrown.message}`);
      if (thrown instanceof RangeError) throw this.fault(key, 'is nested too deeply');
      throw thrown;
    }
  }
}

/** Encodes lists of URNs. Returns the same map unless a list is `null` in the document. */
function encodeLists(lists: EntryValues['urnLists']): StoredValues['urnLists'] | undefined {
  let isEmpty = true;
  let hasNull = false;
  for (const key in lists) {
    isEmpty = false;
    if (lists[key] === NULL_LIST) hasNull = true;
  }
  if (isEmpty) return undefined;
  if (!hasNull) return lists;
  const encoded = newRecord<readonly string[] | null>();
  for (const key in lists) encoded[key] = lists[key] === NULL_LIST ? null : (lists[key] as readonly string[]);
  return encoded;
}

function decodeLists(
  lists: StoredValues['urnLists'],
  read: FieldReader,
  key: EntryKey,
): EntryValues['urnLists'] {
  const checked = newRecord<readonly Urn[]>();
  for (const name in lists) {
    const urns = lists[name] ?? null;
    checked[name] = urns === null ? NULL_LIST : read.urns(key, urns);
  }
  return checked;
}

function encodeTimeouts(timeouts: CustomTimeouts): StoredValues['timeouts'] | undefined {
  const { create, update, delete: remove, read } = timeouts;
  if (create === 0 && update === 0 && remove === 0 && read === 0) return undefined;
  return {
    ...(create === 0 ? {} : { create }),
    ...(update === 0 ? {} : { update }),
    ...(remove === 0 ? {} : { delete: remove }),
    ...(read === 0 ? {} : { read }),
  };
}

function hasKeys(map: object): boolean {
  for (const _key in map) return true;
  return false;
}

function filled(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
