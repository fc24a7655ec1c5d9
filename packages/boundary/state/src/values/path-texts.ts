import { formatPath, parsePathTolerantly } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';
import type { Json } from './go-json.js';

/**
 * Returns a list of property paths as a list of their texts. Earlier versions of Cairn wrote each path as a list of its
 * segments; such a list is read as well and becomes a text. Every written text can be parsed, since one that cannot
 * makes the whole file unreadable to other tools.
 */
export function pathTexts(items: readonly Json[]): readonly Json[] {
  if (!items.some(isSegments)) return items;
  return items.flatMap<Json>((item) => (isSegments(item) ? writtenPaths([item]) : [item]));
}

/** Returns the texts of paths, without paths for which the grammar has none. */
export function writtenPaths(paths: readonly PropertyPath[]): readonly string[] {
  return paths.map(formatPath).filter(isPathText);
}

/**
 * Returns the path that a text of a file represents, read as tolerantly as other tools read it. Expects {@link
 * isPathText}.
 */
export function readPath(text: string): PropertyPath {
  return parsePathTolerantly(text);
}

/** Tells whether a value is the text of a property path. */
export function isPathText(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    readPath(value);
    return true;
  } catch {
    return false;
  }
}

function isSegments(value: Json): value is readonly (string | number)[] {
  return (
    Array.isArray(value) &&
    (value as readonly Json[]).every((item) => typeof item === 'string' || typeof item === 'number')
  );
}
