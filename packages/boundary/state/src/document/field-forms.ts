import { FieldNames } from './field-names.js';
import type { GoTarget } from '../values/go-json-writer.js';
import { isJsonObject } from '../values/go-json.js';
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
  /** Adds the value to a text. */
  readonly write: (to: GoTarget, value: Json) => void;
}

const isTexts = (value: Json): boolean =>
  Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
const isEmptyList = (value: Json): boolean => (value as readonly Json[]).length === 0;
const isEmptyObject = (value: Json): boolean => {
  for (const _key in value as JsonObject) return false;
  return true;
};
const TIMEOUTS = ['create', 'update', 'delete', 'read'] as const;
const TIMEOUT_NAMES = new FieldNames(TIMEOUTS);
const FRAME_NAMES = new FieldNames(['sourcePosition']);

const isFrames = (value: Json): value is readonly JsonObject[] =>
  Array.isArray(value) && (value as readonly Json[]).every(isJsonObject);

const writeJson: FieldForm['write'] = (to, value) => to.value(value);

const TEXT: FieldForm = {
  expected: 'a string',
  accepts: (value) => typeof value === 'string',
  isEmpty: (value) => value === '',
  write: (to, value) => to.string(value as string),
};

const TEXTS: FieldForm = {
  expected: 'a list of strings',
  accepts: isTexts,
  isEmpty: isEmptyList,
  write: writeJson,
};

const LISTS: FieldForm = {
  expected: 'an object of lists of strings',
  accepts: (value) =>
    isJsonObject(value) && Object.values(value).every((item) => item === null || isTexts(item)),
  isEmpty: isEmptyObject,
  write: writeJson,
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
    write: writeJson,
  },
  texts: TEXTS,
  urns: TEXTS,
  urnLists: LISTS,
  textLists: LISTS,
  properties: {
    expected: 'an object',
    accepts: isJsonObject,
    isEmpty: isEmptyObject,
    write: writeJson,
  },
  value: {
    expected: 'a value',
    accepts: () => true,
    isEmpty: (value) => value === null,
    write: writeJson,
  },
  timeouts: {
    expected: 'an object of seconds',
    accepts: (value) => isJsonObject(value) && TIMEOUTS.every((key) => typeof (value[key] ?? 0) === 'number'),
    exactly: (value) => (isJsonObject(value) ? TIMEOUT_NAMES.exactly(value) : undefined),
    isEmpty: (value) => TIMEOUTS.every((key) => ((value as JsonObject)[key] ?? 0) === 0),
    write: (to, value) =>
      to.raw(
        structText(
          TIMEOUTS.map((key) => [key, (value as JsonObject)[key] ?? 0]),
          (item) => item !== 0,
        ),
      ),
  },
  trace: {
    expected: 'a list of positions',
    accepts: isFrames,
    exactly: (value) => (isFrames(value) ? value.map((frame) => FRAME_NAMES.exactly(frame)) : undefined),
    isEmpty: isEmptyList,
    write: (to, value) => to.raw(`[${(value as readonly JsonObject[]).map(frameText).join(',')}]`),
  },
  paths: {
    expected: 'a list of property paths',
    accepts: (value) => Array.isArray(value) && (value as readonly Json[]).every(isPathText),
    exactly: (value) => (Array.isArray(value) ? pathTexts(value as readonly Json[]) : undefined),
    isEmpty: isEmptyList,
    write: writeJson,
  },
};

function frameText(frame: JsonObject): string {
  return structText([['sourcePosition', frame['sourcePosition']]], (position) => position !== '');
}
