import { isArray, isMap, isOutputValue, isSecret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/** Value in the form of a stack's configuration. */
interface Setting {
  readonly text: string;
  /** Method by which a program reads it. */
  readonly method: string;
}

/** Converts a secret to a setting; undefined if no text can represent it, as for an asset. */
export function settingOf(value: PropertyValue): Setting | undefined {
  if (typeof value === 'string') return { text: value, method: 'requireSecret' };
  const json = jsonOf(value);
  if (json === undefined) return undefined;
  const text = JSON.stringify(json);
  if (typeof json === 'number') return { text, method: 'requireSecretNumber' };
  if (typeof json === 'boolean') return { text, method: 'requireSecretBoolean' };
  return { text, method: 'requireSecretObject<any>' };
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Converts a value to JSON, with sorted keys; undefined if JSON cannot represent it, as for an asset. */
export function jsonOf(value: PropertyValue): Json | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (isSecret(value)) return jsonOf(value.value);
  if (isOutputValue(value)) return value.value === undefined ? undefined : jsonOf(value.value);
  if (isArray(value)) {
    const items = value.map(jsonOf);
    return items.some((item) => item === undefined) ? undefined : (items as readonly Json[]);
  }
  if (!isMap(value)) return undefined;
  const members = Object.keys(value)
    .sort()
    .map((key) => [key, jsonOf(value[key] as PropertyValue)] as const);
  return members.some(([, item]) => item === undefined)
    ? undefined
    : (Object.fromEntries(members) as Readonly<Record<string, Json>>);
}
