import { posix } from 'node:path';

/** Joins names by `/`, resolves `.` and `..` and removes a trailing `/`. Empty names are skipped. */
export function joinNames(...names: readonly string[]): string {
  const joined = names.filter((name) => name !== '').join('/');
  return joined === '' ? '' : cleanName(joined);
}

/** Resolves `.`, `..` and repeated `/` in a name and removes a trailing `/`. */
export function cleanName(name: string): string {
  const normal = posix.normalize(name);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
