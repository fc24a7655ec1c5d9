import { isUrn } from '@cairn/addresses';
import { getProperty, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { BuiltinWorld } from './builtin-resource.js';
import { outputsOf, stackName } from './stack-reference.js';

type Invoke = (args: PropertyMap, world: BuiltinWorld) => PropertyMap | Promise<PropertyMap>;

/** Functions of the builtin package by token [PROV-8]. */
export const INVOKES: Readonly<Record<string, Invoke>> = {
  'pulumi:pulumi:getResource': getResource,
  'pulumi:pulumi:readStackOutputs': (args, world) => outputsOf(stackName(args, 'name'), world),
  'pulumi:pulumi:readStackResourceOutputs': readStackResourceOutputs,
};

function getResource(args: PropertyMap, { entry }: BuiltinWorld): PropertyMap {
  const urn = getProperty(args, 'urn');
  if (typeof urn !== 'string' || !isUrn(urn)) {
    throw new ProviderError('INVALID_ARGUMENT', 'the argument "urn" of getResource must be a URN');
  }
  const found = entry(urn);
  if (found === undefined) throw new ProviderError('NOT_FOUND', `unknown resource ${urn}`);
  return propertyMap({ urn, id: found.id, provider: found.provider ?? '', state: found.outputs });
}

async function readStackResourceOutputs(args: PropertyMap, { ports }: BuiltinWorld): Promise<PropertyMap> {
  const name = stackName(args, 'stackName');
  if (ports.stackResources === undefined) {
    throw new ProviderError('UNIMPLEMENTED', 'outputs of the resources of another stack cannot be read here');
  }
  const outputs = await ports.stackResources(name);
  return propertyMap({ name, outputs: propertyMap(Object.fromEntries(outputs)) });
}
