import { FieldNames } from './field-names.js';
import { goJson, goJsonString, goStruct, isJsonObject, sortedKeys } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { isPathText, pathTexts } from '../values/path-texts.js';
import type { SerializedResource } from './serialized.js';

/**
 * Forms of the value of a key: the values that a reader accepts, those that a writer leaves out, and the way it is
 * written.
 */
type FieldForm =
  'text' | 'flag' | 'texts' | 'properties' | 'property' | 'lists' | 'timeouts' | 'trace' | 'paths';

interface Form {
  readonly expected: string;
  readonly accepts: (value: Json) => boolean;
  /** Brings the keys of structs into their exact case. Returns `undefined` if the value has another shape. */
  readonly exactly?: (value: Json) => Json | undefined;
  readonly isEmpty: (value: Json) => boolean;
  readonly text: (value: Json) => string;
}

const isTexts = (value: Json): boolean =>
  Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
const isEmptyList = (value: Json): boolean => (value as readonly Json[]).length === 0;
const isEmptyObject = (value: Json): boolean => Object.keys(value as JsonObject).length === 0;
const TIMEOUTS = ['create', 'update', 'delete', 'read'] as const;
const TIMEOUT_NAMES = new FieldNames(TIMEOUTS);
const FRAME_NAMES = new FieldNames(['sourcePosition']);

const isFrames = (value: Json): value is readonly JsonObject[] =>
  Array.isArray(value) && (value as readonly Json[]).every(isJsonObject);

const FORMS: Readonly<Record<FieldForm, Form>> = {
  text: {
    expected: 'a string',
    accepts: (value) => typeof value === 'string',
    isEmpty: (value) => value === '',
    text: (value) => goJsonString(value as string),
  },
  flag: {
    expected: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    isEmpty: (value) => value === false,
    text: (value) => (value === true ? 'true' : 'false'),
  },
  texts: {
    expected: 'a list of strings',
    accepts: isTexts,
    isEmpty: isEmptyList,
    text: (value) => goJson(value),
  },
  properties: {
    expected: 'an object',
    accepts: isJsonObject,
    isEmpty: isEmptyObject,
    text: (value) => goJson(value),
  },
  property: {
    expected: 'a value',
    accepts: () => true,
    isEmpty: (value) => value === null,
    text: (value) => goJson(value),
  },
  lists: {
    expected: 'an object of lists of strings',
    accepts: (value) =>
      isJsonObject(value) && Object.values(value).every((item) => item === null || isTexts(item)),
    isEmpty: isEmptyObject,
    text: (value) => goJson(value),
  },
  timeouts: {
    expected: 'an object of seconds',
    accepts: (value) => isJsonObject(value) && TIMEOUTS.every((key) => typeof (value[key] ?? 0) === 'number'),
    exactly: (value) => (isJsonObject(value) ? TIMEOUT_NAMES.exactly(value) : undefined),
    isEmpty: (value) => TIMEOUTS.every((key) => ((value as JsonObject)[key] ?? 0) === 0),
    text: (value) =>
      structText(
        TIMEOUTS.map((key) => [key, (value as JsonObject)[key] ?? 0]),
        (item) => item !== 0,
      ),
  },
  trace: {
    expected: 'a list of positions',
    accepts: isFrames,
    exactly: (value) => (isFrames(value) ? value.map((frame) => FRAME_NAMES.exactly(frame)) : undefined),
    isEmpty: isEmptyList,
    text: (value) => `[${(value as readonly JsonObject[]).map(frameText).join(',')}]`,
  },
  paths: {
    expected: 'a list of property paths',
    accepts: (value) => Array.isArray(value) && (value as readonly Json[]).every(isPathText),
    exactly: (value) => (Array.isArray(value) ? pathTexts(value as readonly Json[]) : undefined),
    isEmpty: isEmptyList,
    text: (value) => goJson(value),
  },
};

/** Keys of a resource in the order in which they are written [STATE-6]. */
export const RESOURCE_FIELDS = {
  urn: 'text',
  custom: 'flag',
  delete: 'flag',
  id: 'text',
  type: 'text',
  inputs: 'properties',
  outputs: 'properties',
  parent: 'text',
  protect: 'flag',
  taint: 'flag',
  external: 'flag',
  dependencies: 'texts',
  initErrors: 'texts',
  provider: 'text',
  propertyDependencies: 'lists',
  pendingReplacement: 'flag',
  additionalSecretOutputs: 'texts',
  aliases: 'texts',
  customTimeouts: 'timeouts',
  importID: 'text',
  retainOnDelete: 'flag',
  deletedWith: 'text',
  replaceWith: 'texts',
  created: 'text',
  modified: 'text',
  sourcePosition: 'text',
  stackTrace: 'trace',
  ignoreChanges: 'texts',
  hideDiff: 'paths',
  replaceOnChanges: 'texts',
  replacementTrigger: 'property',
  refreshBeforeUpdate: 'flag',
  viewOf: 'text',
  resourceHooks: 'lists',
  extensionRef: 'text',
  snippetID: 'text',
} as const satisfies Record<keyof SerializedResource, FieldForm>;

/** Keys that are written even when empty. */
const ALWAYS: ReadonlySet<string> = new Set(['urn', 'custom', 'type']);

interface Field {
  readonly key: keyof SerializedResource;
  readonly form: Form;
  readonly always: boolean;
  /** The key as written in the text, with its colon. */
  readonly label: string;
}

const FIELDS: readonly Field[] = Object.entries(RESOURCE_FIELDS).map(([key, form]) => ({
  key: key as keyof SerializedResource,
  form: FORMS[form],
  always: ALWAYS.has(key),
  label: `"${key}":`,
}));

/** Writes one resource as compact text. */
export function resourceText(resource: SerializedResource): string {
  let text = '{';
  for (const { key, form, always, label } of FIELDS) {
    const value = resource[key] as Json | undefined;
    if (value === undefined || (!always && form.isEmpty(value))) continue;
    text += (text.length > 1 ? ',' : '') + label + form.text(value);
  }
  return `${text}}`;
}

/**
 * Returns one resource as a JSON value, for documents that contain it among other things. It has the fields and the
 * order of {@link resourceText}.
 */
export function resourceStruct(resource: SerializedResource): JsonObject {
  const fields: { [key: string]: Json } = {};
  for (const { key, form, always } of FIELDS) {
    const value = resource[key] as Json | undefined;
    if (value === undefined || (!always && form.isEmpty(value))) continue;
    fields[key] = key === 'customTimeouts' ? goStruct(value as JsonObject) : value;
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
  for (const { key, form } of FIELDS) {
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

const RESOURCE_NAMES = new FieldNames(Object.keys(RESOURCE_FIELDS));

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

/** Writes a struct as text: the fields in the order given, without those that are not `wanted`. */
export function structText(
  fields: readonly (readonly [string, Json | undefined])[],
  wanted: (value: Json) => boolean = () => true,
): string {
  const parts: string[] = [];
  for (const [key, value] of fields)
    if (value !== undefined && wanted(value)) parts.push(`"${key}":${goJson(value)}`);
  return `{${parts.join(',')}}`;
}

/** Writes a map as text, its values with `write`. */
export function mapText<T>(map: Readonly<Record<string, T>>, write: (value: T) => string): string {
  return `{${sortedKeys(map)
    .map((key) => `${goJsonString(key)}:${write(map[key] as T)}`)
    .join(',')}}`;
}

function frameText(frame: JsonObject): string {
  return structText([['sourcePosition', frame['sourcePosition']]], (position) => position !== '');
}
