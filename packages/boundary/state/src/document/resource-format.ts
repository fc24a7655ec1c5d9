import { ENTRY_FIELDS, ENTRY_FIELD_LIST } from './entry-fields.js';
import type { EntryKey, FieldKind } from './entry-fields.js';
import { FIELD_FORMS } from './field-forms.js';
import { FieldNames } from './field-names.js';
import { goText } from '../values/go-json-writer.js';
import type { GoTarget } from '../values/go-json-writer.js';
import { goStruct } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import type { SerializedResource } from './serialized.js';

interface StoredField {
  readonly key: EntryKey;
  readonly kind: FieldKind;
  readonly form: (typeof FIELD_FORMS)[FieldKind];
  readonly always: boolean;
  /** The key as written in front of the first value of a resource, and of any other. */
  readonly first: string;
  readonly next: string;
}

const FIELDS: readonly StoredField[] = ENTRY_FIELD_LIST.map(({ key, kind, always }) => ({
  key,
  kind,
  form: FIELD_FORMS[kind],
  always,
  first: `{"${key}":`,
  next: `,"${key}":`,
}));

const FIELD_OF: ReadonlyMap<string, StoredField> = new Map(FIELDS.map((field) => [field.key, field]));

/** True if a document leaves out a field with this value. */
export function isLeftOut(key: EntryKey, value: Json | undefined): boolean {
  const { always, form } = FIELD_OF.get(key) as StoredField;
  return value === undefined || (!always && form.isEmpty(value));
}

/** Returns one resource as compact text. */
export function resourceText(resource: SerializedResource): string {
  return goText((to) => writeResource(to, resource));
}

/** Adds the text of {@link resourceText}. */
export function writeResource(to: GoTarget, resource: SerializedResource): void {
  let isFirst = true;
  for (let at = 0; at < FIELDS.length; at++) {
    const { key, form, always, first, next } = FIELDS[at] as StoredField;
    const value = resource[key] as Json | undefined;
    if (value === undefined || (!always && form.isEmpty(value))) continue;
    to.raw(isFirst ? first : next);
    form.write(to, value);
    isFirst = false;
  }
  to.raw(isFirst ? '{}' : '}');
}

/**
 * Returns one resource as a JSON value, for documents that contain it among other things. It has the fields and the
 * order of {@link resourceText}.
 */
export function resourceStruct(resource: SerializedResource): JsonObject {
  const fields: { [key: string]: Json } = {};
  for (const { key, kind, form, always } of FIELDS) {
    const value = resource[key] as Json | undefined;
    if (value === undefined || (!always && form.isEmpty(value))) continue;
    fields[key] = kind === 'timeouts' ? goStruct(value as JsonObject) : value;
  }
  return goStruct(fields);
}

/** Fault of a resource's form, as words that follow its place. */
interface FormFault {
  readonly key: string;
  readonly expected: string;
}

/**
 * Reads one resource of a parsed document and takes the object over. `null` is the same as absent, and `custom` is
 * false when absent. Keys match in any case; unknown ones are dropped. Required texts are checked by an integrity rule,
 * not here.
 */
export function takeResource(raw: JsonObject): SerializedResource | FormFault {
  const object = exactResource(raw) as { [key: string]: Json };
  for (let at = 0; at < FIELDS.length; at++) {
    const { key, form } = FIELDS[at] as StoredField;
    const value = object[key];
    if (value === undefined) continue;
    if (value === null) delete object[key];
    else {
      const exact = form.exactly === undefined ? value : form.exactly(value);
      if (exact === undefined || !form.accepts(exact)) return { key, expected: form.expected };
      if (exact !== value) object[key] = exact;
    }
  }
  object['custom'] ??= false;
  object['urn'] ??= '';
  object['type'] ??= '';
  return object as unknown as SerializedResource;
}

const RESOURCE_NAMES = new FieldNames(Object.keys(ENTRY_FIELDS));

/** Returns the key of a resource that a spelling means, or undefined for an unknown one. */
export function exactName(key: string): string | undefined {
  return RESOURCE_NAMES.nameOf(key);
}

/** Returns the object of a resource under the exact keys, without unknown ones. */
export function exactResource(raw: JsonObject): JsonObject {
  return RESOURCE_NAMES.exactly(raw);
}

/** Tells whether a result of {@link takeResource} is a fault. */
export function isFormFault(result: SerializedResource | FormFault): result is FormFault {
  return 'expected' in result && !('urn' in result);
}
