import { getProperty, outputDependencies } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Urn } from '@cairn/addresses';
import type { RegisterResourceRequest } from '@cairn/wire';
import { withDependencies } from '../../model/output-values.js';
import { byProperty, everyProperty, uniqueUrns } from '../normalise/dependencies.js';

type Dependencies = Pick<RegisterResourceRequest, 'dependencies' | 'propertyDependencies'>;

/** The inputs as a resource's own transforms see them: every property carries what it depends on [XFORM-5]. */
export function withCarriedDependencies(request: RegisterResourceRequest): PropertyMap {
  return withDependencies(request.inputs, saidByProperty(request));
}

function saidByProperty(request: RegisterResourceRequest): Readonly<Record<string, readonly Urn[]>> {
  const said = byProperty(request.propertyDependencies);
  if (request.remote || Object.keys(said).length > 0) return said;
  return everyProperty(request.inputs, uniqueUrns(request.dependencies, 'dependency'));
}

/**
 * Dependencies after transforms [XFORM-5]. With transforms of its own a resource depends on what `dependsOn`, which
 * they were given with everything it depended on, and its properties say now. Otherwise what it said stays, and the
 * properties may add to it.
 */
export function dependenciesAfter(
  before: RegisterResourceRequest,
  inputs: PropertyMap,
  dependsOn: readonly string[],
  own: boolean,
): Dependencies {
  const carried = dependenciesByProperty(inputs);
  const all = Object.values(carried).flat();
  if (!own) {
    const dependencies = [...new Set([...before.dependencies, ...all])];
    return { dependencies, propertyDependencies: stillSaid(before, inputs) };
  }
  return { dependencies: [...new Set([...dependsOn, ...all])], propertyDependencies: carried };
}

/** What was said by property, of the properties there still are; what outputs carry is added where goals are made. */
function stillSaid(
  before: RegisterResourceRequest,
  inputs: PropertyMap,
): Dependencies['propertyDependencies'] {
  const said = saidByProperty(before);
  return Object.fromEntries(Object.entries(said).filter(([key]) => getProperty(inputs, key) !== undefined));
}

function dependenciesByProperty(inputs: PropertyMap): Record<string, readonly Urn[]> {
  return Object.fromEntries(
    Object.keys(inputs).map((key) => [key, outputDependencies(inputs[key] as PropertyValue)]),
  );
}
