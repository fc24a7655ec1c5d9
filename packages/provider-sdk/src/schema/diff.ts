import { changedKeys, diffMaps, formatPath, parsePath, pathContains } from '@cairn/values';
import type { PropertyChange, PropertyMap, PropertyPath } from '@cairn/values';
import type { DiffKind, DiffResponse, PropertyDiff } from '@cairn/wire';
import type { PropertySpec, ShapeSpec } from './property.js';

/** What decides how differing inputs are dealt with. */
export interface DiffRules {
  readonly shape: ShapeSpec;
  /** Changes can be made in place at all. */
  readonly canUpdate: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly stableKeys: readonly string[];
}

/**
 * The answer for inputs that did not change. The order of a replacement is said all the same: others may ask for one.
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
 * Compares checked inputs by the schema. A change below a property that asks for it, or any change of a resource that
 * cannot be updated, means a new object. Keys of the engine (`__…`) and ignored paths do not count.
 */
export function diffInputs(
  old: PropertyMap,
  news: PropertyMap,
  ignored: readonly string[],
  rules: DiffRules,
): DiffResponse {
  const ignoredPaths = ignored.map(parsePath);
  const changes = diffMaps(old, news).filter(
    ({ path }) =>
      !String(path[0]).startsWith('__') && !ignoredPaths.some((ignore) => pathContains(ignore, path)),
  );
  if (changes.length === 0) return noChange(rules);
  const replacing = changes.filter(({ path }) => !rules.canUpdate || asksForReplace(rules.shape, path));
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

function diffKind({ kind }: PropertyChange, replace: boolean): DiffKind {
  return replace ? `${kind}-replace` : kind;
}

/** Whether a property on the path, from the outermost in, asks for a new object. */
function asksForReplace(shape: ShapeSpec, path: PropertyPath): boolean {
  let spec: PropertySpec | undefined = shape[String(path[0])];
  for (const segment of path.slice(1)) {
    if (spec === undefined || spec.replaceOnChange) break;
    const { type }: PropertySpec = spec;
    if (type.kind === 'array') spec = type.items;
    else if (type.kind === 'map') spec = type.values;
    else if (type.kind === 'object') spec = type.properties[String(segment)];
    else break;
  }
  return spec?.replaceOnChange === true;
}
