import { isRecord, isWhollyKnown, sameElement } from '@cairn/tfplugin';
import type { Ignored, TfPath, TfValue } from '@cairn/tfplugin';
import { parsePathTolerantly, UNKNOWN } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse, PropertyDiff } from '@cairn/wire';
import { attributePath, detailedDiff, toProperties, toTerraform } from '../edge/index.js';
import type { GivenInputs, GivenValue } from '../edge/index.js';
import type { ObjectState, Planned } from '../lifecycle/index.js';
import { STATE_PROPERTY } from '../model/index.js';
import type { ObjectModel } from '../model/index.js';

/** Properties of a program as a configuration, and where they were secret. */
export function configurationFrom(object: ObjectModel, inputs: PropertyMap): GivenValue {
  return toTerraform(object.shape, inputs);
}

/** Where the engine wants changes to be ignored, in the provider's terms; what leads nowhere is ignored itself. */
export function ignoredPaths(object: ObjectModel, paths: readonly string[]): Ignored | undefined {
  if (paths.length === 0) return undefined;
  if (paths.includes('*')) return 'all';
  return paths.flatMap((text) => {
    const found = attributePath(object.shape, parsePathTolerantly(text));
    return found === undefined || found.length === 0 ? [] : [found];
  });
}

/** Nothing is to be done. */
export const unchanged: DiffResponse = {
  changes: 'none',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: {},
  deleteBeforeReplace: false,
};

/**
 * What a plan means to the engine [TFB-5]. `isMoved`: what is stored of the object has to be stored as of this type.
 */
export function diffOf(
  object: ObjectModel,
  prior: ObjectState,
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
  // Nothing that is shown requires it, e.g. where the object was not created as planned.
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

/** What a preview shows of an object: what the provider plans, unknown where that is unknown. */
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
