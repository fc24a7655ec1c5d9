import { BugError } from '@cairn/diagnostics';

/**
 * Name endings that stores reserve for themselves: the go-cloud driver's attributes and every driver's temporary files
 * [STORE-5].
 */
const RESERVED_ENDS = ['.attrs', '.tmp'] as const;

const FORBIDDEN = /[\u0000-\u001f\u007f\\]/;

/** Recognises a name of a store's own artefact, which is never a blob. */
export function isReservedName(name: string): boolean {
  return RESERVED_ENDS.some((end) => name.endsWith(end));
}

/** Returns the problem of a key, or undefined if it may be used. Rules: `blob-store.ts`. */
function keyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty';
  if (FORBIDDEN.test(key)) return 'it has a backslash or a control character';
  for (const part of key.split('/')) {
    if (part === '') return 'it has an empty part';
    if (part === '.' || part === '..') return `it has a part "${part}"`;
  }
  if (isReservedName(key)) return `names ending in ${RESERVED_ENDS.join(' or ')} are reserved`;
  return undefined;
}

/** Returns the key, or throws a `BugError`: a bad key would reach outside the store or hide a blob from listings. */
export function checkKey(key: string): string {
  const problem = keyProblem(key);
  if (problem !== undefined) throw new BugError(`bad blob key ${JSON.stringify(key)}: ${problem}`);
  return key;
}

/** Throws a `BugError` for a prefix that no good key can begin with. The empty prefix matches everything. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '') checkKey(prefix.endsWith('/') ? prefix.slice(0, -1) : `${prefix}x`);
  return prefix;
}

/** Sorts rows by key in ascending order of UTF-8 bytes, the listing order of object stores. */
export function sortByKey<T extends { readonly key: string }>(rows: readonly T[]): T[] {
  return rows
    .map((row) => ({ row, bytes: Buffer.from(row.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ row }) => row);
}
