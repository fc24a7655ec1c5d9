import { BugError } from '@cairn/diagnostics';
import type { DataMap } from './records.js';

/** Error of {@link requireEntry} for a key without a value. A stored null counts as no value [CHG-1]. */
export class NoEntryError extends Error {
  override readonly name = 'NoEntryError';
  constructor(readonly key: string) {
    super(`no state entry for key "${key}"`);
  }
}

/** Returns true if the key has a value. */
export function hasEntry(data: DataMap, key: string): boolean {
  return Object.hasOwn(data, key) && data[key] !== null && data[key] !== undefined;
}

/** Returns the value of a key, or undefined if there is none. Throws BugError if the value fails `check`. */
export function readDataEntry<T>(
  data: DataMap,
  key: string,
  check: (value: unknown) => value is T,
): T | undefined {
  if (!hasEntry(data, key)) return undefined;
  const value = data[key];
  if (!check(value)) throw new BugError(`state entry "${key}" is not of the type that was asked for`);
  return value;
}

/** Like {@link readDataEntry}, but throws {@link NoEntryError} for a key without a value. */
export function requireEntry<T>(data: DataMap, key: string, check: (value: unknown) => value is T): T {
  const value = readDataEntry(data, key, check);
  if (value === undefined) throw new NoEntryError(key);
  return value;
}

/**
 * Returns the data with one key set to a value that JSON can represent (see {@link toStored}). Null removes the key.
 */
export function withDataEntry(data: DataMap, key: string, value: unknown): DataMap {
  const { [key]: _old, ...rest } = data;
  return value === null ? rest : { ...rest, [key]: value };
}

/** Returns the value as it will be read back. Throws BugError if JSON cannot represent it. */
export function toStored(key: string, value: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new BugError(`the value of "${key}" cannot be stored`, { cause });
  }
  if (text === undefined) throw new BugError(`the value of "${key}" cannot be stored`);
  return JSON.parse(text) as unknown;
}
