import { isUrn } from '@cairn/addresses';
import { equal, getProperty, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { Capabilities, Provider } from '@cairn/wire';
import { refusing } from '../refusing.js';
import { oneDifference, onlyInput } from './builtin-resource.js';
import type { BuiltinResource, BuiltinWorld } from './builtin-resource.js';
import { stackReferenceOutputs, stackName, stackReference } from './stack-reference.js';

const input = (map: PropertyMap) => getProperty(map, 'input') ?? null;

/** Keeps the first value it received as `output`. `input` follows the program [PROV-8]. */
const stash: BuiltinResource = {
  check: ({ news }) => ({ inputs: news, failures: onlyInput(news, 'input') }),
  diff: ({ oldInputs, news }) => oneDifference(!equal(input(oldInputs), input(news)), 'input', false),
  async create({ inputs, preview }, { ports }) {
    const outputs = propertyMap({ input: input(inputs), output: input(inputs) });
    return { id: preview ? '' : ports.newId(), outputs, refreshBeforeUpdate: false };
  },
  async read({ id, inputs, state }) {
    if (inputs === undefined || state === undefined) {
      throw new ProviderError('UNIMPLEMENTED', 'stash can not be imported');
    }
    return { id, inputs, outputs: state, refreshBeforeUpdate: false };
  },
  update: ({ oldOutputs, news }) => ({
    outputs: propertyMap({ input: input(news), output: getProperty(oldOutputs, 'output') ?? null }),
    refreshBeforeUpdate: false,
  }),
};

const RESOURCES: Readonly<Record<string, BuiltinResource>> = {
  'pulumi:pulumi:StackReference': stackReference,
  'pulumi:index:Stash': stash,
};

type Invoke = (args: PropertyMap, world: BuiltinWorld) => PropertyMap | Promise<PropertyMap>;

/** Functions of the builtin package by token [PROV-8]. */
const INVOKES: Readonly<Record<string, Invoke>> = {
  'pulumi:pulumi:getResource': getResource,
  'pulumi:pulumi:readStackOutputs': (args, world) => stackReferenceOutputs(stackName(args, 'name'), world),
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

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
  acceptByteStrings: true,
};

const TITLE = 'the builtin package pulumi';

/** Makes the provider of the package `pulumi`: resources and functions that the engine serves itself [PROV-8]. */
export function builtinProvider(world: BuiltinWorld): Provider {
  return refusing(TITLE, {
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    configure: async () => CAPABILITIES,
    check: async (request) => resourceOf(request.type).check(request, world),
    diff: async (request) => resourceOf(request.type).diff(request),
    create: async (request) => resourceOf(request.type).create(request, world),
    read: async (request) => resourceOf(request.type).read(request, world),
    update: async (request) => resourceOf(request.type).update(request),
    delete: async () => {},
    invoke: async ({ token, args }) => {
      const answer = Object.hasOwn(INVOKES, token) ? INVOKES[token] : undefined;
      if (answer === undefined) throw new ProviderError('NOT_FOUND', `${TITLE} has no function ${token}`);
      return { result: await answer(args, world), failures: [] };
    },
  });
}

function resourceOf(type: string): BuiltinResource {
  const resource = Object.hasOwn(RESOURCES, type) ? RESOURCES[type] : undefined;
  if (resource === undefined) throw new ProviderError('NOT_FOUND', `${TITLE} has no resource type ${type}`);
  return resource;
}
