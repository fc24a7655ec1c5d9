/** Tests of a provider's handlers without an engine. */
import { createHash } from 'node:crypto';
import { makeUrn, providerType } from '@cairn/addresses';
import { ResourceReference, containsUnknown, emptyMap, fromPlainMap, toPlainMap } from '@cairn/values';
import type { PlainValues, PropertyMap, PropertyValue } from '@cairn/values';
import type {
  CheckFailure,
  CheckResponse,
  DeploymentContext,
  DiffResponse,
  Provider,
  ResourceIdentity,
} from '@cairn/wire';
import type { ProviderDefinition } from '../package-definition.js';
import { toPluginProvider } from '../provider/defined-provider.js';

/** An object created by a test, with plain values: no secret marks. */
export interface TestedObject {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: PlainValues;
  readonly outputs: PlainValues;
}

/** Options of a test of a provider. */
export interface ProviderTestOptions {
  readonly config?: PlainValues | undefined;
  /** Base of relative paths. Defaults to the working directory. */
  readonly programDirectory?: string | undefined;
}

/** Thrown if the inputs of a program are invalid. */
export class RefusedInputs extends Error {
  override readonly name = 'RefusedInputs';

  constructor(readonly failures: readonly CheckFailure[]) {
    super(failures.map(({ property, reason }) => `${property}: ${reason}`).join('; '));
  }
}

/** A configured instance of a provider, with the calls of an engine. Types are `module:Name`. */
export interface TestedProvider {
  /** Checks inputs and creates an object. Rejects with {@link RefusedInputs}, or with the handler's error. */
  create(type: string, name: string, inputs: PlainValues): Promise<TestedObject>;
  /** Returns the outputs that a preview of the create shows. Unknown ones are omitted. */
  preview(type: string, name: string, inputs: PlainValues): Promise<PlainValues>;
  /** Returns the difference between an object and changed inputs. */
  diff(object: TestedObject, inputs: PlainValues): Promise<DiffResponse>;
  update(object: TestedObject, inputs: PlainValues): Promise<TestedObject>;
  /** Returns the object as it is, or undefined if it no longer exists. */
  read(object: TestedObject): Promise<TestedObject | undefined>;
  /** Reads an object of which only the id is known. */
  import(type: string, name: string, id: string): Promise<TestedObject | undefined>;
  delete(object: TestedObject): Promise<void>;
  invoke(token: string, inputs: PlainValues): Promise<PlainValues>;
  /** Runs a method of an object. */
  call(object: TestedObject, method: string, inputs: PlainValues): Promise<PlainValues>;
  close(): Promise<void>;
}

const SEED_OF = (name: string): Uint8Array => createHash('sha256').update(name).digest();
const PLACE = { stack: 'test', project: 'test' };

/**
 * Creates and configures an instance of a definition. Rejects with {@link RefusedInputs} for an invalid configuration.
 */
export async function testProvider(
  definition: ProviderDefinition,
  { config = {}, programDirectory = process.cwd() }: ProviderTestOptions = {},
): Promise<TestedProvider> {
  const provider = toPluginProvider(definition, programDirectory);
  const { name } = definition;
  const of = (type: string, resource: string) => {
    const token = `${name}:${type}`;
    return { urn: makeUrn({ ...PLACE, type: token, name: resource }), name: resource, type: token };
  };
  await configure(provider, name, fromPlainMap(config));
  const checked = async (type: string, resource: string, inputs: PlainValues, olds?: PropertyMap) => {
    const about = { ...of(type, resource), olds, news: fromPlainMap(inputs) };
    return accepted(await provider.check({ ...about, randomSeed: SEED_OF(resource), allowUnknowns: false }));
  };
  const known = ({ type, name: resource, id, inputs, outputs }: TestedObject) => ({
    ...of(type, resource),
    id,
    oldInputs: fromPlainMap(inputs),
    oldOutputs: fromPlainMap(outputs),
  });
  const call = { timeoutSeconds: 0, preview: false };
  return {
    create: async (type, resource, given) => {
      const inputs = await checked(type, resource, given);
      const { id, outputs } = await provider.create({ ...of(type, resource), ...call, inputs });
      return { type, name: resource, id, inputs: toPlainMap(inputs), outputs: toPlainMap(outputs) };
    },
    preview: async (type, resource, given) => {
      const inputs = await checked(type, resource, given);
      const { outputs } = await provider.create({ ...of(type, resource), ...call, inputs, preview: true });
      const isKnown = ([key, value]: [string, PropertyValue]) => !containsUnknown({ [key]: value });
      return toPlainMap(Object.fromEntries(Object.entries(outputs).filter(isKnown)));
    },
    diff: async (object, given) => {
      const news = await checked(object.type, object.name, given, fromPlainMap(object.inputs));
      return provider.diff({ ...known(object), news, allowUnknowns: false, ignoreChanges: [] });
    },
    update: async (object, given) => {
      const news = await checked(object.type, object.name, given, fromPlainMap(object.inputs));
      const { outputs } = await provider.update({ ...known(object), ...call, news, ignoreChanges: [] });
      return { ...object, inputs: toPlainMap(news), outputs: toPlainMap(outputs) };
    },
    read: (object) => read(provider, object, known(object)),
    import: (type, resource, id) =>
      read(provider, { type, name: resource, id, inputs: {}, outputs: {} }, of(type, resource)),
    delete: (object) => provider.delete({ ...known(object), timeoutSeconds: 0 }),
    invoke: async (token, inputs) => {
      const request = { token: `${name}:${token}`, args: fromPlainMap(inputs), preview: false };
      return toPlainMap(answered(await provider.invoke(request)));
    },
    call: async (object, method, inputs) => {
      const { urn, type } = of(object.type, object.name);
      const args = { ...fromPlainMap(inputs), __self__: new ResourceReference({ urn, id: object.id }) };
      const token = `${type}/${method}`;
      return toPlainMap(
        answered(await provider.call({ context: CONTEXT, token, args, argDependencies: {} })),
      );
    },
    close: () => provider.close(),
  };
}

const CONTEXT: DeploymentContext = {
  ...PLACE,
  organization: 'organization',
  config: {},
  configSecretKeys: [],
  dryRun: false,
  parallel: 1,
  monitorAddress: '',
};

async function configure(provider: Provider, name: string, news: PropertyMap): Promise<void> {
  const type = providerType(name);
  const identity = { urn: makeUrn({ ...PLACE, type, name: 'default' }), name: 'default', type };
  await provider.handshake({ engineAddress: '' });
  const inputs = accepted(await provider.checkConfig({ ...identity, olds: undefined, news }));
  await provider.configure({ ...identity, id: 'test', inputs });
}

async function read(
  provider: Provider,
  object: TestedObject,
  about: ResourceIdentity & { readonly oldInputs?: PropertyMap; readonly oldOutputs?: PropertyMap },
): Promise<TestedObject | undefined> {
  const { oldInputs: inputs, oldOutputs: state, ...identity } = about;
  const found = await provider.read({ ...identity, id: object.id, inputs, state, timeoutSeconds: 0 });
  if (found.id === '' || found.outputs === undefined) return undefined;
  const plain = { inputs: toPlainMap(found.inputs ?? emptyMap), outputs: toPlainMap(found.outputs) };
  return { ...object, id: found.id, ...plain };
}

function accepted({ inputs, failures }: CheckResponse): PropertyMap {
  if (failures.length > 0) throw new RefusedInputs(failures);
  return inputs;
}

function answered({
  result,
  failures,
}: {
  readonly result: PropertyMap;
  readonly failures: readonly CheckFailure[];
}): PropertyMap {
  if (failures.length > 0) throw new RefusedInputs(failures);
  return result;
}
