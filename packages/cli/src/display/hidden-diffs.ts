import { expandPath, pathContains, setAt } from '@cairn/values';
import type { PropertyMap, PropertyPath } from '@cairn/values';

/** Stands for a value whose differences are not to be shown. */
export const HIDDEN_TEXT = '(hidden)';

/**
 * The part of a changed path under which the option hideDiffs hides every difference; undefined when it is shown. `*`
 * in a hidden path stands for any one segment [DIFF-13].
 */
export function hiddenPart(path: PropertyPath, hidden: readonly PropertyPath[]): PropertyPath | undefined {
  const around = hidden.filter((each) => pathContains(each, path)).sort((a, b) => a.length - b.length);
  const [outermost] = around;
  return outermost && path.slice(0, outermost.length);
}

/**
 * The map with what is hidden replaced by {@link HIDDEN_TEXT}: for values that are shown whole and hold hidden ones.
 */
export function withoutHidden(map: PropertyMap, hidden: readonly PropertyPath[]): PropertyMap {
  let shown = map;
  for (const pattern of hidden) {
    for (const path of expandPath(map, pattern)) shown = setAt(shown, path, HIDDEN_TEXT) ?? shown;
  }
  return shown;
}
