import type { Crypter } from '@cairn/crypters';
import { isUrn } from '@cairn/addresses';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import type { EntryField } from '../document/entry-fields.js';
import type { SerializedOperation, SerializedResource } from '../document/serialized.js';
import { ValueEncoder } from '../values/encode-value.js';
import type { SecretEncodeOptions } from '../values/encode-value.js';
import { FIELD_CODECS, FieldReader } from './field-codecs.js';
import { BLANK_VALUES, blankEntry } from './resource-entry.js';
import type { ResourceEntry } from './resource-entry.js';
import type { PendingOperation } from './snapshot.js';

/** A field with its codec, whose types depend on the kind. */
interface CodedField extends Pick<EntryField, 'key' | 'property' | 'always'> {
  /** Most fields of most entries have this very value. */
  readonly blank: unknown;
  readonly encode: (value: unknown, encoder: ValueEncoder) => unknown;
  readonly decode: (stored: unknown, read: FieldReader, key: EntryField['key']) => unknown;
}

const FIELDS = ENTRY_FIELD_LIST.map(
  ({ key, property, always, kind }) =>
    ({ key, property, always, blank: BLANK_VALUES[kind], ...FIELD_CODECS[kind] }) as CodedField,
);
/** Fields by their name in memory that have a key only if their value is not blank. */
const OPTIONAL_FIELDS: ReadonlyMap<string, CodedField> = new Map(
  FIELDS.filter(({ always }) => !always).map((field) => [field.property, field]),
);

/**
 * Encodes an entry in the form of the file, with secrets sealed [STATE-6]. Blank fields are left out. `aliases` is
 * kept, because replay needs and removes it. Afterwards the encoder tells whether it met byte strings.
 */
export function encodeResource(entry: ResourceEntry, encoder: ValueEncoder): SerializedResource {
  const { urn, custom, type } = entry;
  const resource: SerializedResource = { urn, custom, type };
  const fields = resource as { [key: string]: unknown };
  for (const property in entry) {
    const value: unknown = entry[property as keyof ResourceEntry];
    if (value === undefined || value === false) continue;
    const field = OPTIONAL_FIELDS.get(property);
    if (field === undefined || value === field.blank) continue;
    const stored = field.encode(value, encoder);
    if (stored !== undefined) fields[field.key] = stored;
  }
  return resource;
}

/** Encodes one entry in the form of the file, for callers that need not know about byte strings. */
export function encodeEntry(
  entry: ResourceEntry,
  crypter: Crypter,
  options?: SecretEncodeOptions,
): SerializedResource {
  return encodeResource(entry, new ValueEncoder(crypter, options));
}

/**
 * Returns the entry that a resource of a file represents, with secrets opened by the crypter. `source` is the file, for
 * messages.
 *
 * Fails with `CAIRN-STATE-CORRUPT` naming the resource and the key: no URN or type, an id on a component, addresses or
 * values that do not follow their grammar.
 */
export function decodeResource(
  resource: SerializedResource,
  crypter: Crypter,
  source: string,
): ResourceEntry {
  const { urn } = resource;
  const read = new FieldReader(urn, crypter, source);
  if (resource.type === '') throw read.fault('type', 'is missing');
  if (!resource.custom && (resource.id ?? '') !== '')
    throw read.fault('id', 'is set, but the resource is not custom');
  if (!isUrn(urn)) throw read.fault('urn', urn === '' ? 'is missing' : `${JSON.stringify(urn)} is not a URN`);
  const entry = blankEntry();
  const fields = entry as { [property: string]: unknown };
  for (let at = 0; at < FIELDS.length; at++) {
    const { key, property, decode } = FIELDS[at] as CodedField;
    const stored: unknown = resource[key];
    if (stored !== undefined) fields[property] = decode(stored, read, key);
  }
  return entry;
}

/** Applies {@link encodeResource} to a step that was begun and not ended. */
export function encodeOperation(operation: PendingOperation, encoder: ValueEncoder): SerializedOperation {
  return { resource: encodeResource(operation.resource, encoder), type: operation.type };
}

/** Applies {@link decodeResource} to a step that was begun and not ended. */
export function decodeOperation(
  operation: SerializedOperation,
  crypter: Crypter,
  source: string,
): PendingOperation {
  return { resource: decodeResource(operation.resource, crypter, source), type: operation.type };
}
