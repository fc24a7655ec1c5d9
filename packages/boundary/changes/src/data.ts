import { BugError } from '@cairn/diagnostics';
import type { DataMap } from './records.js';

/** What {@link requireEntry} throws for a key without a value; a stored null counts as none [CHG-1]. */
export class NoEntryError extends Error {
  override readonly name = 'NoEntryError';
  constructor(readonly key: string) {
    super(`no state entry for key "${key}"`);
  }
}

/** Whether the key has a value. */
export function hasEntry(data: DataMap, key: string): boolean {
  return Object.hasOwn(data, key) && data[key] !== null && data[key] !== undefined;
}

/**
 * The value of a key; undefined when there is none. A value of another type than `check` wants is a mistake of ours.
 */
export function readEntry<T>(
  data: DataMap,
  key: string,
  check: (value: unknown) => value is T,
): T | undefined {
  if (!hasEntry(data, key)) return undefined;
  const value = data[key];
  if (!check(value)) throw new BugError(`state entry "${key}" is not of the type that was asked for`);
  return value;
}

/** As {@link readEntry}, but a key without a value is a {@link NoEntryError}. */
export function requireEntry<T>(data: DataMap, key: string, check: (value: unknown) => value is T): T {
  const value = readEntry(data, key, check);
  if (value === undefined) throw new NoEntryError(key);
  return value;
}

/** The data with one key set to a value that JSON can hold (see {@link toStored}); null removes the key. */
export function withEntry(data: DataMap, key: string, value: unknown): DataMap {
  const { [key]: _old, ...rest } = data;
  return value === null ? rest : { ...rest, [key]: value };
}

/** The value as it will be read back. What JSON cannot hold is a mistake of ours. */
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
