import { posix } from 'node:path';

/** Names joined by `/`, with `.` and `..` resolved and no `/` at the end; empty ones count for nothing. */
export function joinNames(...names: readonly string[]): string {
  const joined = names.filter((name) => name !== '').join('/');
  return joined === '' ? '' : cleanName(joined);
}

/** A name with `.`, `..` and repeated `/` resolved and no `/` at the end. */
export function cleanName(name: string): string {
  const normal = posix.normalize(name);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
