import { goJson, goJsonString } from '../values/go-json.js';
import { sortedKeys } from '../values/sorted-keys.js';
import type { Json } from '../values/go-json.js';

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
