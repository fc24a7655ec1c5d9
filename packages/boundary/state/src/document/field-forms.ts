import { FieldNames } from './field-names.js';
import { goJson, goJsonString, isJsonObject } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import { isPathText, pathTexts } from '../values/path-texts.js';
import type { FieldKind } from './entry-fields.js';
import { structText } from './struct-text.js';

/** Stored form of a kind of value. */
interface FieldForm {
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

const TEXT: FieldForm = {
  expected: 'a string',
  accepts: (value) => typeof value === 'string',
  isEmpty: (value) => value === '',
  text: (value) => goJsonString(value as string),
};

const TEXTS: FieldForm = {
  expected: 'a list of strings',
  accepts: isTexts,
  isEmpty: isEmptyList,
  text: (value) => goJson(value),
};

const LISTS: FieldForm = {
  expected: 'an object of lists of strings',
  accepts: (value) =>
    isJsonObject(value) && Object.values(value).every((item) => item === null || isTexts(item)),
  isEmpty: isEmptyObject,
  text: (value) => goJson(value),
};

/** Stored forms by kind: the values that a reader accepts, those that are blank, and the way they are written. */
export const FIELD_FORMS: Readonly<Record<FieldKind, FieldForm>> = {
  text: TEXT,
  label: TEXT,
  urn: TEXT,
  reference: TEXT,
  flag: {
    expected: 'true or false',
    accepts: (value) => typeof value === 'boolean',
    isEmpty: (value) => value === false,
    text: (value) => (value === true ? 'true' : 'false'),
  },
  texts: TEXTS,
  urns: TEXTS,
  urnLists: LISTS,
  textLists: LISTS,
  properties: {
    expected: 'an object',
    accepts: isJsonObject,
    isEmpty: isEmptyObject,
    text: (value) => goJson(value),
  },
  value: {
    expected: 'a value',
    accepts: () => true,
    isEmpty: (value) => value === null,
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

function frameText(frame: JsonObject): string {
  return structText([['sourcePosition', frame['sourcePosition']]], (position) => position !== '');
}
