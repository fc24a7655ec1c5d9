import { FieldNames } from './field-names.js';
import { goJson, goJsonString, isJsonObject } from '../values/go-json.js';
import { sortedKeys } from '../values/sorted-keys.js';
import type { Json } from '../values/go-json.js';
import type { Snippet } from './snippet.js';

/** Keys of a package's name in a state file, in the order in which they are written [STATE-4]. */
const PART = ['name', 'version', 'value'] as const;
const PART_NAMES = new FieldNames(PART);
const DESCRIPTOR_NAMES = new FieldNames(['name', 'version', 'downloadURL', 'parameterization']);

/**
 * Writes an extension, or the parameterization in a descriptor. Every key is always present; missing bytes are `null`.
 */
export function packagePartText(part: Json): string {
  if (!isJsonObject(part)) return goJson(part);
  const { name = '', version = '', value = null } = PART_NAMES.exactly(part);
  return struct([
    ['name', goJson(name)],
    ['version', goJson(version)],
    ['value', goJson(value)],
  ]);
}

/** Writes one snippet as compact text. */
export function snippetText(snippet: Snippet): string {
  const { uuid, name, type, code, descriptor, references = {} } = snippet;
  return struct([
    ['uuid', goJsonString(uuid)],
    ['name', goJsonString(name)],
    ['type', goJsonString(type)],
    ['code', goJsonString(code)],
    ['descriptor', descriptorText(descriptor)],
    ['references', sortedKeys(references).length === 0 ? undefined : goJson(references)],
  ]);
}

/** Writes the package that serves a snippet's type: its name always, the rest if it is not empty. */
function descriptorText(descriptor: Json): string {
  if (!isJsonObject(descriptor)) return goJson(descriptor);
  const { name = '', version, downloadURL, parameterization } = DESCRIPTOR_NAMES.exactly(descriptor);
  return struct([
    ['name', goJson(name)],
    ['version', filledText(version)],
    ['downloadURL', filledText(downloadURL)],
    ['parameterization', isFilled(parameterization) ? packagePartText(parameterization) : undefined],
  ]);
}

function filledText(value: Json | undefined): string | undefined {
  return isFilled(value) ? goJson(value) : undefined;
}

function isFilled(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null && value !== '';
}

/** Joins fields with their texts; fields without a text are left out. */
function struct(fields: readonly (readonly [key: string, text: string | undefined])[]): string {
  const parts = fields.flatMap(([key, text]) => (text === undefined ? [] : [`"${key}":${text}`]));
  return `{${parts.join(',')}}`;
}
