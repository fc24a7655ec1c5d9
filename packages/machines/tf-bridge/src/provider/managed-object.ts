import { isRecord, isWhollyKnown, sameElement } from '@cairn/tfplugin';
import type { Ignored, TfPath, TfValue } from '@cairn/tfplugin';
import { parsePathTolerantly, UNKNOWN } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse, PropertyDiff } from '@cairn/wire';
import { attributePath, detailedDiff, toProperties, toTerraform } from '../values/index.js';
import type { GivenInputs, TerraformInput } from '../values/index.js';
import type { TerraformObjectState, Planned } from '../lifecycle/index.js';
import { STATE_PROPERTY } from '../model/index.js';
import type { ObjectModel } from '../model/index.js';

/** Converts properties of a program to a configuration, with the places of their secrets. */
export function configurationFrom(object: ObjectModel, inputs: PropertyMap): TerraformInput {
  return toTerraform(object.shape, inputs);
}

/**
 * Returns the places whose changes the engine ignores, in the provider's terms. A path that leads nowhere is ignored.
 */
export function ignoredPaths(object: ObjectModel, paths: readonly string[]): Ignored | undefined {
  if (paths.length === 0) return undefined;
  if (paths.includes('*')) return 'all';
  return paths.flatMap((text) => {
    const found = attributePath(object.shape, parsePathTolerantly(text));
    return found === undefined || found.length === 0 ? [] : [found];
  });
}

/** Answer of a diff without a difference. */
export const unchanged: DiffResponse = {
  changes: 'none',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: {},
  deleteBeforeReplace: false,
};

/**
 * Returns the meaning of a plan for the engine [TFB-5]. With `isMoved`, the stored object must be stored again, as one
 * of this type.
 */
export function diffOf(
  object: ObjectModel,
  prior: TerraformObjectState,
  planned: Planned,
  given: GivenInputs,
  isMoved = false,
): DiffResponse {
  if (planned.action === 'none') return isMoved ? { ...unchanged, changes: 'some' } : unchanged;
  const replaces = planned.action === 'replace';
  const details: Record<string, PropertyDiff> = {
    ...detailedDiff(object.shape, prior.value, planned.planned, planned.replacePaths, given),
  };
  const forced = () => Object.entries(details).filter(([, { kind }]) => kind.endsWith('-replace'));
  // No visible place requires it, for example if the object was not created as planned.
  if (replaces && forced().length === 0) details['id'] = { kind: 'update-replace', inputDiff: false };
  return {
    changes: 'some',
    replaceKeys: replaces ? roots(forced().map(([path]) => path)) : [],
    changedKeys: roots(Object.keys(details)),
    stableKeys: replaces ? [] : stableKeys(object, prior.value, planned.planned),
    detailedDiff: details,
    deleteBeforeReplace: replaces,
  };
}

function roots(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => String(parsePathTolerantly(path)[0] ?? path)))];
}

function stableKeys(object: ObjectModel, before: TfValue, after: TfValue): readonly string[] {
  if (!isRecord(before) || !isRecord(after)) return [];
  return object.shape.parts
    .filter(({ attribute }) => {
      const [one = null, other = null] = [before[attribute], after[attribute]];
      return isWhollyKnown(other) && sameElement(one, other);
    })
    .map(({ property }) => property);
}

/** Returns the outputs of a preview: the provider's plan, with its unknown values. */
export function plannedOutputs(
  object: ObjectModel,
  planned: Planned,
  secrets: readonly TfPath[],
): PropertyMap {
  return {
    ...toProperties(object.shape, planned.planned, { secrets, nulls: true }),
    [STATE_PROPERTY]: UNKNOWN,
  };
}
