import { parsePathTolerantly } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';

/**
 * A path as providers write it. What cannot be read as one is a single key: providers may name things their own way.
 */
export function providerPath(text: string): PropertyPath {
  try {
    return parsePathTolerantly(text);
  } catch {
    return [text];
  }
}

/** The property a path leads into. */
export function rootOf(path: string): string {
  return String(providerPath(path)[0] ?? path);
}
