import { expandPath, formatPath, getAt, parsePathTolerantly, removeAt, setAt } from '@cairn/values';
import type { PropertyMap, PropertyPath } from '@cairn/values';

/** Inputs with ignored paths reset to their old values, and the paths that could not be followed. */
interface Ignored {
  readonly inputs: PropertyMap;
  readonly skipped: readonly string[];
}

/**
 * Resets each listed path to the old value: changed values are restored, removed ones added again, added ones removed.
 * A path whose container or index is missing on one side is skipped [DIFF-5].
 */
export function ignoreChanges(news: PropertyMap, olds: PropertyMap, paths: readonly string[]): Ignored {
  let inputs = news;
  const skipped: string[] = [];
  for (const text of paths) {
    for (const path of concretePaths(parsePathTolerantly(text), olds, news)) {
      const reset = resetPath(inputs, olds, path);
      if (reset === undefined) skipped.push(formatPath(path));
      else inputs = reset;
    }
  }
  return { inputs, skipped };
}

function concretePaths(pattern: PropertyPath, olds: PropertyMap, news: PropertyMap): readonly PropertyPath[] {
  if (!pattern.includes('*')) return [pattern];
  const found = new Map<string, PropertyPath>();
  for (const side of [olds, news])
    for (const path of expandPath(side, pattern)) found.set(formatPath(path), path);
  return [...found.values()];
}

function resetPath(inputs: PropertyMap, olds: PropertyMap, path: PropertyPath): PropertyMap | undefined {
  const old = getAt(olds, path);
  const present = getAt(inputs, path);
  if (old !== undefined) return old === present ? inputs : setAt(inputs, path, old);
  if (present === undefined) return inputs;
  const couldHold = setAt(olds, path, present) !== undefined;
  return couldHold ? removeAt(inputs, path) : undefined;
}
