import { containsUnknown, emptyMap, toPlainMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { MissingConfigError, ProviderError } from '@cairn/wire';
import type { CheckResponse, DiffConfigRequest, DiffResponse } from '@cairn/wire';
import { checkShape } from '../schema/check.js';
import { ownConfig, readTexts } from '../schema/config.js';
import { diffInputs, noChange } from '../schema/diff.js';
import type { ShapeSpec } from '../schema/property.js';
import type { Catalogue } from './catalogue.js';

/** Checks the configuration. Settings of the engine pass unchecked. */
export async function checkConfiguration(
  { definition, configShape }: Catalogue,
  news: PropertyMap,
): Promise<CheckResponse> {
  const own = ownConfig(news);
  const checked = checkShape(configShape, readTexts(configShape, own));
  const engineKeys = Object.fromEntries(Object.entries(news).filter(([key]) => !Object.hasOwn(own, key)));
  const inputs = { ...checked.inputs, ...engineKeys };
  const { checkConfig } = definition;
  if (checked.failures.length > 0 || checkConfig === undefined || containsUnknown(checked.inputs))
    return { inputs, failures: checked.failures };
  return { inputs, failures: await checkConfig(toPlainMap(checked.inputs)) };
}

/** Compares two configurations by the definition's own rule, or else property by property. */
export async function diffConfiguration(
  { definition, configShape }: Catalogue,
  { oldInputs, news, ignoreChanges }: DiffConfigRequest,
): Promise<DiffResponse> {
  const rules = { shape: configShape, canUpdate: true, deleteBeforeReplace: false, stableKeys: [] };
  const read = (inputs: PropertyMap) => readTexts(configShape, ownConfig(inputs));
  const [old, wanted] = [read(oldInputs), read(news)];
  const { diffConfig } = definition;
  if (diffConfig === undefined || containsUnknown(wanted))
    return diffInputs({ old, news: wanted, outputs: emptyMap }, ignoreChanges, rules);
  const { changed, replace = [] } = await diffConfig(toPlainMap(old), toPlainMap(wanted));
  if (changed.length === 0) return noChange(rules);
  return {
    ...noChange(rules),
    changes: 'some',
    changedKeys: changed,
    replaceKeys: replace,
    detailedDiff: undefined,
  };
}

/** Returns the plain values of a configuration. Fails if a value is missing or wrong. */
export function readConfiguration(shape: ShapeSpec, inputs: PropertyMap): Readonly<Record<string, unknown>> {
  const { inputs: checked, failures } = checkShape(shape, readTexts(shape, ownConfig(inputs)));
  const missing = failures.filter(({ reason }) => reason === 'is required').map(({ property }) => property);
  if (missing.length > 0) {
    const keys = missing.map((name) => ({ name, description: shape[name]?.description ?? '' }));
    throw new MissingConfigError(keys, `missing configuration: ${missing.join(', ')}`);
  }
  const [first] = failures;
  if (first !== undefined)
    throw new ProviderError('INVALID_ARGUMENT', `configuration value ${first.property}: ${first.reason}`);
  return toPlainMap(checked);
}
