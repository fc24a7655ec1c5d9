import { equal } from './equal.js';
import type { PathSegment, PropertyPath } from './path.js';
import { isArray, isMap, isOutputValue, isSecret, UNKNOWN } from './value.js';
import type { PropertyMap, PropertyValue } from './value.js';

/** Kind of change at one path. */
type ChangeKind = 'add' | 'delete' | 'update';

/** One difference. `old` is absent for an addition, `new` for a removal. Secret marks are not part of the values. */
export interface PropertyChange {
  readonly path: PropertyPath;
  readonly kind: ChangeKind;
  readonly old?: PropertyValue | undefined;
  readonly new?: PropertyValue | undefined;
}

/**
 * Structural difference of two maps, smallest differing paths first by key order of the union (old keys, then new
 * ones). Secret and output wrappers do not count as a difference. Lists are compared by index.
 */
// [VAL-8]
export function diffMaps(old: PropertyMap, news: PropertyMap): readonly PropertyChange[] {
  const changes: PropertyChange[] = [];
  walkMaps(old, news, [], changes);
  return changes;
}

/** Returns the top-level keys that appear in a list of changes, each once, in order. */
export function changedKeys(changes: readonly PropertyChange[]): readonly string[] {
  return [...new Set(changes.map((change) => String(change.path[0])))];
}

function walk(old: PropertyValue, news: PropertyValue, path: PathSegment[], changes: PropertyChange[]): void {
  const a = bare(old);
  const b = bare(news);
  if (isMap(a) && isMap(b)) {
    walkMaps(a, b, path, changes);
  } else if (isArray(a) && isArray(b)) {
    const length = Math.max(a.length, b.length);
    for (let index = 0; index < length; index++) walkSlot(a[index], b[index], [...path, index], changes);
  } else if (!equal(a, b)) {
    changes.push({ path, kind: 'update', old: a, new: b });
  }
}

function walkMaps(old: PropertyMap, news: PropertyMap, path: PathSegment[], changes: PropertyChange[]): void {
  for (const key of Object.keys(old)) {
    walkSlot(old[key], Object.hasOwn(news, key) ? news[key] : undefined, [...path, key], changes);
  }
  for (const key of Object.keys(news)) {
    if (!Object.hasOwn(old, key)) walkSlot(undefined, news[key], [...path, key], changes);
  }
}

function walkSlot(
  old: PropertyValue | undefined,
  news: PropertyValue | undefined,
  path: PathSegment[],
  changes: PropertyChange[],
): void {
  if (old === undefined) changes.push({ path, kind: 'add', new: bare(news ?? null) });
  else if (news === undefined) changes.push({ path, kind: 'delete', old: bare(old) });
  else walk(old, news, path, changes);
}

function bare(value: PropertyValue): PropertyValue {
  let current = value;
  while (isSecret(current) || isOutputValue(current)) {
    current = current.value === undefined ? UNKNOWN : current.value;
  }
  return current;
}
