import { isJsonObject, toposort } from '@cairn/state';
import type { Json, SerializedDeployment, SerializedOperation, SerializedResource } from '@cairn/state';

/**
 * Merges the results of operations that ran beside each other on the same state [REC-16]. Each result is the whole
 * state as that operation alone left it. Per URN the side that changed something counts; an entry that both left alone,
 * or changed alike, counts once. Claims restrict changes of the same entry to shared things, above all the outputs of
 * the stack. There, fields and then keys of outputs are taken from the side that changed them, or from the later one if
 * both did. The order of the results only decides the order of entries, and such ties. O(entries × results). The
 * manifest is the base's.
 */
export function mergeStates(
  base: SerializedDeployment,
  results: readonly SerializedDeployment[],
): SerializedDeployment {
  const [only] = results;
  if (only !== undefined && results.length === 1) return only;
  const sides = results.map((result) => result.resources);
  return {
    manifest: base.manifest,
    secretsProvider: later(base.secretsProvider, results, (result) => result.secretsProvider),
    resources: toposort(mergeResources(base.resources, sides), 'leave'),
    pendingOperations: mergePending(
      base.pendingOperations,
      results.map((result) => result.pendingOperations),
    ),
    integrityError: base.integrityError,
    snippets: later(base.snippets, results, (result) => result.snippets),
    extensions: Object.assign({}, base.extensions, ...results.map((result) => result.extensions)) as Readonly<
      Record<string, Json>
    >,
    byteStrings: results.some((result) => result.byteStrings),
  };
}

/** Returns the value of the last side that changed it. */
function later<T>(
  base: T,
  results: readonly SerializedDeployment[],
  of: (result: SerializedDeployment) => T,
): T {
  const before = textOf(base);
  const changed = results.map(of).findLast((value) => textOf(value) !== before);
  return changed === undefined ? base : changed;
}

/** Entries of one list by URN, in their order. */
type Groups = ReadonlyMap<string, readonly SerializedResource[]>;

function groupsOf(resources: readonly SerializedResource[]): Groups {
  const groups = new Map<string, SerializedResource[]>();
  for (const resource of resources) {
    const group = groups.get(resource.urn);
    if (group === undefined) groups.set(resource.urn, [resource]);
    else group.push(resource);
  }
  return groups;
}

/** Returns the final entries, each once: first the changed ones, as journals put them, then the rest of the base. */
function mergeResources(
  base: readonly SerializedResource[],
  sides: readonly (readonly SerializedResource[])[],
): readonly SerializedResource[] {
  const before = groupsOf(base);
  const after = sides.map(groupsOf);
  const chosen = new Map<string, readonly SerializedResource[]>();
  for (const urn of new Set([...sides.flat(), ...base].map((resource) => resource.urn))) {
    chosen.set(
      urn,
      mergeGroup(
        before.get(urn) ?? [],
        after.map((groups) => groups.get(urn) ?? []),
      ),
    );
  }
  const order = [...chosen.keys()].sort((a, b) => Number(isKept(a)) - Number(isKept(b)));
  return order.flatMap((urn) => chosen.get(urn) ?? []);

  function isKept(urn: string): boolean {
    return chosen.get(urn) === before.get(urn);
  }
}

function mergeGroup(
  before: readonly SerializedResource[],
  sides: readonly (readonly SerializedResource[])[],
): readonly SerializedResource[] {
  const text = textOf(before);
  const changed = sides.filter((side) => textOf(side) !== text);
  const [first, ...others] = changed;
  if (first === undefined) return before;
  return others.reduce((merged, side) => mergeTwo(before, merged, side), first);
}

function mergeTwo(
  before: readonly SerializedResource[],
  one: readonly SerializedResource[],
  two: readonly SerializedResource[],
): readonly SerializedResource[] {
  const [old, left, right] = [before[0], one[0], two[0]];
  const simple = before.length <= 1 && one.length === 1 && two.length === 1;
  if (!simple || left === undefined || right === undefined) return two;
  return [mergeFields(old ?? left, left, right) as unknown as SerializedResource];
}

type Fields = Readonly<Record<string, unknown>>;

function mergeFields(before: object, one: object, two: object, depth = 0): Fields {
  const [old, left, right] = [before as Fields, one as Fields, two as Fields];
  const merged: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const value = mergeValue(old[key], left[key], right[key], depth);
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

function mergeValue(old: unknown, left: unknown, right: unknown, depth: number): unknown {
  if (textOf(left) === textOf(old)) return right;
  if (textOf(right) === textOf(old)) return left;
  const both = isJsonObject(left) && isJsonObject(right);
  return both && depth === 0 ? mergeFields(isJsonObject(old) ? old : {}, left, right, 1) : right;
}

/** Drops a pending step of the base if one side has dropped it. Keeps new ones of all sides. */
function mergePending(
  base: readonly SerializedOperation[],
  sides: readonly (readonly SerializedOperation[])[],
): readonly SerializedOperation[] {
  const known = new Set(base.map(textOf));
  const texts = sides.map((side) => new Set(side.map(textOf)));
  const added = sides.flat().filter((operation) => !known.has(textOf(operation)));
  const kept = base.filter((operation) => texts.every((side) => side.has(textOf(operation))));
  return [...added, ...kept];
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined';
}
