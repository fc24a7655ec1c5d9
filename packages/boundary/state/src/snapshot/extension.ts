import { bytesOfBase64 } from '../values/base64.js';
import { corruptState } from '../document/corrupt-state.js';
import { NAMES } from '../document/deployment-parts.js';
import { isJsonObject } from '../values/go-json.js';
import type { Json } from '../values/go-json.js';

/** Parameters with which a base plugin serves a package that extends it [PKG-3], besides its settings. */
export interface Extension {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
}

/** Encodes an extension in the form of the file: the value in base64. */
export function encodeExtension({ name, version, value }: Extension): Json {
  return { name, version, value: Buffer.from(value).toString('base64') };
}

/** Decodes the extensions of a file, by reference. Fails with `CAIRN-STATE-CORRUPT` naming the reference. */
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
  const value = bytesOfBase64(text('value'));
  if (value === undefined) throw corruptState(source, `extensions["${ref}"].value`, 'is not base64');
  return { name: text('name'), version: text('version'), value };
}

/** Returns the extensions that some entry still needs. A state keeps only those [STATE-4]. */
export function usedExtensions<T>(
  extensions: Readonly<Record<string, T>>,
  entries: Iterable<{ readonly extensionRef?: string | undefined }>,
): Readonly<Record<string, T>> {
  if (Object.keys(extensions).length === 0) return extensions;
  const used = new Set<string>();
  for (const { extensionRef } of entries) if (extensionRef !== undefined) used.add(extensionRef);
  return Object.fromEntries(Object.entries(extensions).filter(([ref]) => used.has(ref)));
}
