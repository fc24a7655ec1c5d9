import {
  changedKeys,
  containsUnknown,
  diffMaps,
  equal,
  formatPath,
  parsePath,
  pathContains,
} from '@cairn/values';
import type { PropertyChange, PropertyMap, PropertyPath } from '@cairn/values';
import type { CheckFailure, DiffKind, DiffResponse, PropertyDiff } from '@cairn/wire';
import { specAt, specsAlong } from './property.js';
import type { ShapeSpec } from './property.js';
import { withSortedSets } from './sets.js';

/** Rules that classify a difference between inputs. */
export interface DiffRules {
  readonly shape: ShapeSpec;
  /** True if changes can be made in place at all. */
  readonly canUpdate: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly stableKeys: readonly string[];
}

/** Both versions of the inputs. */
interface DiffSides {
  readonly old: PropertyMap;
  readonly news: PropertyMap;
  /** Known outputs of the object, for inputs that the provider chooses. */
  readonly outputs: PropertyMap;
}

/**
 * Returns the answer for inputs that did not change. It states the order of a replacement all the same, because others
 * may require one.
 */
export function noChange(rules: DiffRules): DiffResponse {
  return {
    changes: 'none',
    replaceKeys: [],
    changedKeys: [],
    stableKeys: [],
    detailedDiff: {},
    deleteBeforeReplace: rules.deleteBeforeReplace,
  };
}

/**
 * Compares checked inputs by the schema. A change below a property that requires it, or any change of a resource that
 * cannot be updated, means a new object. Keys of the engine (`__…`), ignored paths and the order of a set do not count.
 * Omitting a value that the provider has chosen, or requesting exactly that value, does not count either.
 */
export function diffInputs(sides: DiffSides, ignored: readonly string[], rules: DiffRules): DiffResponse {
  const ignoredPaths = ignored.map(parsePath);
  const changes = inputChanges(rules.shape, sides).filter(
    ({ path }) => !ignoredPaths.some((ignore) => pathContains(ignore, path)),
  );
  if (changes.length === 0) return noChange(rules);
  const replacing = changes.filter(
    ({ path }) => !rules.canUpdate || specsAlong(rules.shape, path).some((spec) => spec.replaceOnChange),
  );
  const detailed: Record<string, PropertyDiff> = {};
  for (const change of changes) {
    detailed[formatPath(change.path)] = {
      kind: diffKind(change, replacing.includes(change)),
      inputDiff: true,
    };
  }
  return {
    changes: 'some',
    replaceKeys: changedKeys(replacing),
    changedKeys: changedKeys(changes),
    stableKeys: replacing.length > 0 ? [] : rules.stableKeys,
    detailedDiff: detailed,
    deleteBeforeReplace: rules.deleteBeforeReplace,
  };
}

/** Returns changes that the schema forbids. Unknown values are judged when they are known. */
export function forbiddenChanges(shape: ShapeSpec, sides: DiffSides): readonly CheckFailure[] {
  return inputChanges(shape, sides)
    .filter(({ path, new: value }) => {
      const guarded = specsAlong(shape, path).some((spec) => spec.immutable);
      return guarded && (value === undefined || !containsUnknown({ value }));
    })
    .map(({ path }) => ({
      property: formatPath(path),
      reason: 'cannot be changed once the object exists; request a new object with --target-replace',
    }));
}

function inputChanges(shape: ShapeSpec, { old, news, outputs }: DiffSides): readonly PropertyChange[] {
  const changes = diffMaps(withSortedSets(shape, old), withSortedSets(shape, news)).filter(
    (change) => !String(change.path[0]).startsWith('__') && !isLeftToProvider(shape, change, outputs),
  );
  const whole = new Map<string, PropertyChange>();
  for (const change of changes) {
    const found = ofWholeSet(shape, change);
    whole.set(formatPath(found.path), found);
  }
  return [...whole.values()];
}

function isLeftToProvider(shape: ShapeSpec, change: PropertyChange, outputs: PropertyMap): boolean {
  const { path, kind, new: value } = change;
  if (specAt(shape, path)?.presence !== 'computed') return false;
  if (kind === 'delete') return true;
  const chosen = path.length === 1 ? outputs[String(path[0])] : undefined;
  return kind === 'add' && chosen !== undefined && value !== undefined && equal(chosen, value);
}

/** Converts a change of an item to a change of the set: positions in a set have no meaning. */
function ofWholeSet(shape: ShapeSpec, change: PropertyChange): PropertyChange {
  const depth = specsAlong(shape, change.path).findIndex(
    ({ type }) => type.kind === 'array' && type.unordered === true,
  );
  if (depth < 0 || depth === change.path.length - 1) return change;
  const path: PropertyPath = change.path.slice(0, depth + 1);
  return { ...change, path, kind: 'update' };
}

function diffKind({ kind }: PropertyChange, replace: boolean): DiffKind {
  return replace ? `${kind}-replace` : kind;
}
