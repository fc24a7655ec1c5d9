import { getProperty, outputDependencies } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { Urn } from '@cairn/addresses';
import type { RegisterResourceRequest } from '@cairn/wire';
import { withDependencies } from '../../model/output-values.js';
import { byProperty, everyProperty, uniqueUrns } from '../normalise/dependencies.js';

type Dependencies = Pick<RegisterResourceRequest, 'dependencies' | 'propertyDependencies'>;

/**
 * Returns the inputs as a resource's own transforms receive them: every property carries its dependencies [XFORM-5].
 */
export function withCarriedDependencies(request: RegisterResourceRequest): PropertyMap {
  return withDependencies(request.inputs, saidByProperty(request));
}

function saidByProperty(request: RegisterResourceRequest): Readonly<Record<string, readonly Urn[]>> {
  const said = byProperty(request.propertyDependencies);
  if (request.remote || Object.keys(said).length > 0) return said;
  return everyProperty(request.inputs, uniqueUrns(request.dependencies, 'dependency'));
}

/**
 * Returns the dependencies after transforms [XFORM-5]. With transforms of its own, a resource depends on its resulting
 * `dependsOn` and properties. Those transforms received all of its dependencies in `dependsOn`. Otherwise its given
 * dependencies remain, and the properties may add to them.
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

/**
 * Returns the given dependencies of the remaining properties. Those that outputs carry are added where goals are made.
 */
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
