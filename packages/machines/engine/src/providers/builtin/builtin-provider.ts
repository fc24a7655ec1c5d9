import { ProviderError } from '@cairn/wire';
import type { Capabilities, Provider } from '@cairn/wire';
import { refusing } from '../refusing.js';
import type { BuiltinResource, BuiltinWorld } from './builtin-resource.js';
import { INVOKES } from './invokes.js';
import { stackReference } from './stack-reference.js';
import { stash } from './stash.js';

const RESOURCES: Readonly<Record<string, BuiltinResource>> = {
  'pulumi:pulumi:StackReference': stackReference,
  'pulumi:index:Stash': stash,
};

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
