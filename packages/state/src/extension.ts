import { corruptState } from './corrupt-state.js';
import { NAMES } from './deployment-parts.js';
import { isJsonObject } from './go-json.js';
import type { Json } from './go-json.js';

/** What a base plugin is told, besides its settings, to serve a package that extends it (engine-behaviours-2.md A12.7). */
export interface Extension {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
}

/** An extension in the form of the file: the value in base64. */
export function encodeExtension({ name, version, value }: Extension): Json {
  return { name, version, value: Buffer.from(value).toString('base64') };
}

/** Extensions of a file by reference. Fails with `CAIRN-STATE-CORRUPT` naming the reference. */
export function decodeExtensions(
  extensions: Readonly<Record<string, Json>>,
  source: string,
): Readonly<Record<string, Extension>> {
  const decoded = Object.entries(extensions).map(([ref, json]) => [ref, decodeExtension(ref, json, source)]);
  return Object.fromEntries(decoded) as Readonly<Record<string, Extension>>;
}

function decodeExtension(ref: string, raw: Json, source: string): Extension {
  if (!isJsonObject(raw)) throw corruptState(source, `extensions["${ref}"]`, 'is not an object');
  const json = NAMES.extension.exactly(raw);
  const text = (key: string): string => {
    const value = json[key] ?? '';
    if (typeof value === 'string') return value;
    throw corruptState(source, `extensions["${ref}"].${key}`, 'is not a text');
  };
  return { name: text('name'), version: text('version'), value: Buffer.from(text('value'), 'base64') };
}
