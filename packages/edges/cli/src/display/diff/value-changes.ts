import { diffArrays } from 'diff';
import {
  diffMaps,
  equal,
  isArray,
  isMap,
  isOutputValue,
  isSecret,
  isUnknown,
  propertyMap,
  stripSecrets,
} from '@cairn/values';
import type { PropertyArray, PropertyChange, PropertyMap, PropertyPath, PropertyValue } from '@cairn/values';

/** A difference for readers: a list item that only changed its place is moved. */
export interface ReadableChange {
  readonly kind: PropertyChange['kind'] | 'move';
  /** Current path, or the previous path of something that was removed. */
  readonly path: PropertyPath;
  /** Previous path, if its place in a list has changed. */
  readonly oldPath: PropertyPath;
  readonly old?: PropertyValue | undefined;
  readonly new?: PropertyValue | undefined;
}

/** Lists longer than this are compared item by item. */
const LONGEST = 1000;
/** Lists with more edits than this are compared item by item. */
const MOST_EDITS = 200;

/**
 * Returns the differences of two maps. Items of lists are matched by their content, so that an item inserted at the
 * front does not make all others look changed.
 */
export function readableChanges(old: PropertyMap, news: PropertyMap): readonly ReadableChange[] {
  const changes: ReadableChange[] = [];
  const listsDone = new Set<string>();
  for (const change of diffMaps(old, news)) {
    const list = firstList(change.path);
    if (list === undefined) {
      changes.push({ ...change, oldPath: change.path });
      continue;
    }
    const key = JSON.stringify(list);
    if (listsDone.has(key)) continue;
    listsDone.add(key);
    changes.push(...listChanges(arrayAt(old, list), arrayAt(news, list), list, list));
  }
  return changes;
}

/** Returns the path of the outermost list that contains the path. */
function firstList(path: PropertyPath): PropertyPath | undefined {
  const at = path.findIndex((segment) => typeof segment === 'number');
  return at < 0 ? undefined : path.slice(0, at);
}

function arrayAt(map: PropertyMap, path: PropertyPath): PropertyArray {
  let value: PropertyValue = map;
  for (const segment of path) value = (bare(value) as PropertyMap)[String(segment)] as PropertyValue;
  return bare(value) as PropertyArray;
}

function bare(value: PropertyValue): PropertyValue {
  let current = value;
  while ((isSecret(current) || isOutputValue(current)) && current.value !== undefined)
    current = current.value;
  return current;
}

function listChanges(
  old: PropertyArray,
  news: PropertyArray,
  oldPath: PropertyPath,
  path: PropertyPath,
): readonly ReadableChange[] {
  const gone: number[] = [];
  const come: number[] = [];
  const pairs: (readonly [number, number])[] = [];
  for (const run of runsOf(old, news)) {
    const both = Math.min(run.gone.length, run.come.length);
    for (let at = 0; at < both; at++) pairs.push([run.gone[at] as number, run.come[at] as number]);
    gone.push(...run.gone.slice(both));
    come.push(...run.come.slice(both));
  }
  const moved = movedItems(old, news, gone, come);
  const changes: (readonly [number, readonly ReadableChange[]])[] = [
    ...pairs.map(
      ([a, b]) => [b, itemChanges(old[a] ?? null, news[b] ?? null, [...oldPath, a], [...path, b])] as const,
    ),
    ...[...moved].map(
      ([a, b]) =>
        [
          b,
          [
            {
              kind: 'move',
              path: [...path, b],
              oldPath: [...oldPath, a],
              old: old[a],
              new: news[b],
            } as const,
          ],
        ] as const,
    ),
    ...gone
      .filter((a) => !moved.has(a))
      .map((a) => {
        const place = [...oldPath, a];
        return [
          a,
          [{ kind: 'delete', path: place, oldPath: place, old: bare(old[a] ?? null) } as const],
        ] as const;
      }),
    ...come
      .filter((b) => ![...moved.values()].includes(b))
      .map((b) => {
        const place = [...path, b];
        return [
          b,
          [{ kind: 'add', path: place, oldPath: place, new: bare(news[b] ?? null) } as const],
        ] as const;
      }),
  ];
  return changes.toSorted(([a], [b]) => a - b).flatMap(([, each]) => each);
}

/** Returns the differing items, in runs between those that are the same. */
function runsOf(
  old: PropertyArray,
  news: PropertyArray,
): readonly { readonly gone: readonly number[]; readonly come: readonly number[] }[] {
  const short = old.length <= LONGEST && news.length <= LONGEST;
  const parts = short
    ? diffArrays([...old.map(stripSecrets)], [...news.map(stripSecrets)], {
        comparator: equal,
        maxEditLength: MOST_EDITS,
      })
    : undefined;
  if (parts === undefined) return [{ gone: [...old.keys()], come: [...news.keys()] }];
  const runs: { gone: number[]; come: number[] }[] = [{ gone: [], come: [] }];
  let a = 0;
  let b = 0;
  for (const { removed, added, value } of parts) {
    const run = runs.at(-1) as { gone: number[]; come: number[] };
    for (let at = 0; at < value.length; at++) {
      if (!added) {
        if (removed) run.gone.push(a);
        a += 1;
      }
      if (!removed) {
        if (added) run.come.push(b);
        b += 1;
      }
    }
    if (!removed && !added) runs.push({ gone: [], come: [] });
  }
  return runs;
}

/**
 * Returns items that disappear at one place and appear at another, each at most once. Values that are not known yet do
 * not move.
 */
function movedItems(
  old: PropertyArray,
  news: PropertyArray,
  gone: readonly number[],
  come: readonly number[],
): ReadonlyMap<number, number> {
  const moved = new Map<number, number>();
  const free = new Set(come);
  for (const a of gone) {
    const item = stripSecrets(old[a] ?? null);
    const found = isUnknown(item)
      ? undefined
      : [...free].find((b) => equal(item, stripSecrets(news[b] ?? null)));
    if (found === undefined) continue;
    moved.set(a, found);
    free.delete(found);
  }
  return moved;
}

/** Returns the differences of two corresponding items. */
function itemChanges(
  old: PropertyValue,
  news: PropertyValue,
  oldPath: PropertyPath,
  path: PropertyPath,
): readonly ReadableChange[] {
  const [a, b] = [bare(old), bare(news)];
  if (isArray(a) && isArray(b)) return listChanges(a, b, oldPath, path);
  const inside = isMap(a) && isMap(b);
  const changes = inside
    ? readableChanges(a, b)
    : readableChanges(propertyMap({ '': a }), propertyMap({ '': b }));
  return changes.map((change) => ({
    ...change,
    path: [...path, ...change.path.slice(inside ? 0 : 1)],
    oldPath: [...oldPath, ...change.oldPath.slice(inside ? 0 : 1)],
  }));
}
