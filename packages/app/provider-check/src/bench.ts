import { createHash } from 'node:crypto';
import { makeUrn, providerType } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError, isProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CheckResponse,
  CreateResponse,
  DiffResponse,
  Provider,
  ProviderExtras,
  ReadResponse,
  ResourceIdentity,
  TypeExtras,
} from '@cairn/wire';

/** One running instance of the provider under test. */
export interface Instance {
  readonly provider: Provider;
  /** Asks it to end and waits until it has. */
  close(): Promise<void>;
  /** Kills it at once; `undefined` if it runs in this process and cannot be killed. */
  readonly kill: (() => Promise<void>) | undefined;
}

/** Source of instances, and limits of the test. */
export interface BenchPorts {
  readonly name: string;
  start(): Promise<Instance>;
  /** Time limit of a call. Milliseconds. */
  readonly limitMs: number;
  /** Time limit of a cancelled provider. Milliseconds. */
  readonly cancelMs: number;
  sleep(ms: number): Promise<void>;
}

/** An object in the form of the state. */
export interface TestObject {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

/** Arguments of a check and of the diff after it, with their answers. An error is an answer as well, as its text. */
export interface Compared {
  readonly object: TestObject;
  readonly news: PropertyMap;
  readonly answers: { readonly check: CheckResponse | string; readonly diff: DiffResponse | string };
}

const PROJECT = { stack: 'test', project: 'provider-test' };

/** A configured instance, and the engine's calls to it with all their arguments [PROV-11]. */
export class Bench {
  readonly #promised: ProviderExtras | undefined;

  private constructor(
    readonly ports: BenchPorts,
    readonly instance: Instance,
    readonly capabilities: Capabilities,
    promised: ProviderExtras | undefined,
  ) {
    this.#promised = promised;
  }

  /** Starts and configures one. The provider checks `config` first. */
  static async open(ports: BenchPorts, config: PropertyMap): Promise<Bench> {
    const instance = await ports.start();
    try {
      const { provider } = instance;
      const identity = identityOf('default', providerType(ports.name));
      const checked = await withinLimit(ports, 'CheckConfig', () =>
        provider.checkConfig({ ...identity, olds: undefined, news: config }).catch(configAsItIs(config)),
      );
      if (checked.failures.length > 0)
        throw new ProviderError('INVALID_ARGUMENT', failuresText(checked.failures));
      const capabilities = await withinLimit(ports, 'Configure', () =>
        provider.configure({ ...identity, id: 'provider-test', inputs: checked.inputs }),
      );
      const extras = await withinLimit(ports, 'Describe', async () => provider.extras?.());
      return new Bench(ports, instance, capabilities, extras);
    } catch (error) {
      await instance.close();
      throw error;
    }
  }

  get provider(): Provider {
    return this.instance.provider;
  }

  /** Returns the promises of a type beyond the common protocol. */
  promises(type: string): TypeExtras {
    return this.#promised?.types[type] ?? this.#promised?.types['*'] ?? {};
  }

  /** Returns the checked inputs and the refused ones. `prior` is the inputs of the existing object. */
  check(about: ResourceIdentity, news: PropertyMap, prior?: PropertyMap) {
    return withinLimit(this.ports, 'Check', () =>
      this.provider.check({
        ...about,
        olds: prior,
        news,
        randomSeed: createHash('sha256').update(about.urn).digest(),
        allowUnknowns: false,
      }),
    );
  }

  diff(about: ResourceIdentity, old: TestObject, news: PropertyMap): Promise<DiffResponse> {
    return withinLimit(this.ports, 'Diff', () =>
      this.provider.diff({
        ...about,
        id: old.id,
        oldInputs: old.inputs,
        oldOutputs: old.outputs,
        news,
        allowUnknowns: false,
        ignoreChanges: [],
      }),
    );
  }

  create(about: ResourceIdentity, inputs: PropertyMap, token?: string): Promise<CreateResponse> {
    const request = { ...about, inputs, timeoutSeconds: 0, preview: false };
    return withinLimit(this.ports, 'Create', () =>
      this.provider.create(token === undefined ? request : { ...request, token }),
    );
  }

  /** Returns the outputs of a preview, or `undefined` if the provider makes none. */
  async previewCreate(about: ResourceIdentity, inputs: PropertyMap): Promise<PropertyMap | undefined> {
    if (!this.capabilities.supportsPreview) return undefined;
    const request = { ...about, inputs, timeoutSeconds: 0, preview: true };
    return (await withinLimit(this.ports, 'Create of a preview', () => this.provider.create(request)))
      .outputs;
  }

  async update(
    about: ResourceIdentity,
    old: TestObject,
    news: PropertyMap,
    preview = false,
  ): Promise<PropertyMap | undefined> {
    if (preview && !this.capabilities.supportsPreview) return undefined;
    const request = {
      ...about,
      id: old.id,
      oldInputs: old.inputs,
      oldOutputs: old.outputs,
      news,
      timeoutSeconds: 0,
      ignoreChanges: [],
      preview,
    };
    return (await withinLimit(this.ports, 'Update', () => this.provider.update(request))).outputs;
  }

  read(about: ResourceIdentity, id: string, known?: Omit<TestObject, 'id'>): Promise<ReadResponse> {
    return withinLimit(this.ports, 'Read', () =>
      this.provider.read({ ...about, id, inputs: known?.inputs, state: known?.outputs, timeoutSeconds: 0 }),
    );
  }

  delete(about: ResourceIdentity, { id, inputs, outputs }: TestObject): Promise<void> {
    return withinLimit(this.ports, 'Delete', () =>
      this.provider.delete({ ...about, id, oldInputs: inputs, oldOutputs: outputs, timeoutSeconds: 0 }),
    );
  }

  /** Returns the ids that a look-up finds. Repeats it until there is one or the type's settling time is over. */
  async lookup(about: ResourceIdentity, inputs: PropertyMap, token: string): Promise<readonly string[]> {
    const settleMs = (this.promises(about.type).settleSeconds ?? 30) * 1000;
    for (let waited = 0; ; waited += 500) {
      const { found } = await withinLimit(
        this.ports,
        'Lookup',
        async () => (await this.provider.lookup?.({ ...about, inputs, token })) ?? { found: [] },
      );
      if (found.length > 0 || waited >= settleMs) return found.map(({ id }) => id);
      await this.ports.sleep(Math.min(500, settleMs));
    }
  }
}

/** Returns the identity that calls about a resource contain. */
export function identityOf(name: string, type: string): ResourceIdentity {
  return { urn: makeUrn({ ...PROJECT, type, name }), name, type };
}

/** Makes a token like those of the engine, cut to the length that the type accepts. */
export function tokenFor(name: string, { idempotencyToken }: TypeExtras): string | undefined {
  if (idempotencyToken === undefined) return undefined;
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  const bytes = createHash('sha512').update(`${name} ${process.pid} ${process.hrtime.bigint()}`).digest();
  const text = [...bytes].map((byte) => letters[byte % 32]).join('');
  return text.slice(0, Math.min(52, idempotencyToken.maxLength ?? 52));
}

/** Awaits a call; one that takes too long fails as in doubt. */
export async function withinLimit<T>(
  { limitMs }: BenchPorts,
  call: string,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new ProviderError(
      'DEADLINE_EXCEEDED',
      `${call} was not answered within ${limitMs / 1000} s`,
    );
    timer = setTimeout(() => reject(error), limitMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves with the result of the work, or with {@link LATE} once the time is over. */
export async function settledWithin<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => (timer = setTimeout(() => resolve(LATE), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Result of work that did not end in time. */
export const LATE = Symbol('late');

/** Joins a provider's refusals to one text. */
export function failuresText(
  failures: readonly { readonly property: string; readonly reason: string }[],
): string {
  return failures
    .map(({ property, reason }) => (property === '' ? reason : `${property} ${reason}`))
    .join('; ');
}

/** Accepts settings as they are if the provider has no check of its settings [PROV-14]. */
function configAsItIs(config: PropertyMap) {
  return (error: unknown) => {
    if (!isProviderError(error) || error.code !== 'UNIMPLEMENTED') throw error;
    return { inputs: config, failures: [] };
  };
}

/** Returns the map with another value under a key. */
export const altered = (map: PropertyMap, key: string, value: string): PropertyMap =>
  propertyMap({ ...map, [key]: value });
