import { formatPath, parsePathTolerantly } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';
import type { Json } from './go-json.js';

/**
 * Lists of property paths are lists of their texts. Versions of Cairn before that wrote each path as a list of its
 * segments; such a list is read as well and becomes a text. Every text that is written can be parsed, since one that
 * cannot makes the whole file unreadable to others.
 */
export function pathTexts(items: readonly Json[]): readonly Json[] {
  if (!items.some(isSegments)) return items;
  return items.flatMap<Json>((item) => (isSegments(item) ? writtenPaths([item]) : [item]));
}

/** The texts of paths, without those for which the grammar has none. */
export function writtenPaths(paths: readonly PropertyPath[]): readonly string[] {
  return paths.map(formatPath).filter(isPathText);
}

/** The path that a text of a file stands for, read as tolerantly as others read it. Expects {@link isPathText}. */
export function readPath(text: string): PropertyPath {
  return parsePathTolerantly(text);
}

/** Whether a value is the text of a property path. */
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
