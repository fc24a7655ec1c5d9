import { parsePathTolerantly } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';

/** Parses a path as providers write it. An unparsable path is a single key: providers may use names of their own. */
export function providerPath(text: string): PropertyPath {
  try {
    return parsePathTolerantly(text);
  } catch {
    return [text];
  }
}

/** Returns the property that a path leads into. */
export function rootOf(path: string): string {
  return String(providerPath(path)[0] ?? path);
}
