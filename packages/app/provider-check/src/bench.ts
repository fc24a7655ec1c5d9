import { createHash } from 'node:crypto';
import { makeUrn, providerType } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError, isProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CreateResponse,
  DiffResponse,
  Provider,
  ProviderExtras,
  ReadResponse,
  ResourceIdentity,
  TypeExtras,
} from '@cairn/wire';

/** One running instance of the provider that is tried. */
export interface Instance {
  readonly provider: Provider;
  /** Asks it to end and waits until it has. */
  close(): Promise<void>;
  /** Ends it without a word; undefined: it runs in this process and cannot be killed. */
  readonly kill: (() => Promise<void>) | undefined;
}

/** How instances come about, and what they are tried with. */
export interface BenchPorts {
  readonly name: string;
  start(): Promise<Instance>;
  /** How long a call may take. Milliseconds. */
  readonly limitMs: number;
  /** How long a provider that was asked to give up may take. Milliseconds. */
  readonly cancelMs: number;
  sleep(ms: number): Promise<void>;
}

/** An object as the state would have it. */
export interface TestObject {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
}

const PROJECT = { stack: 'test', project: 'provider-test' };

/** A configured instance, and the calls of the engine to it with everything that they carry [PROV-11]. */
export class Bench {
  private constructor(
    readonly ports: BenchPorts,
    readonly instance: Instance,
    readonly capabilities: Capabilities,
    private readonly promised: ProviderExtras | undefined,
  ) {}

  /** Starts and configures one; `config` is checked by the provider first. */
  static async open(ports: BenchPorts, config: PropertyMap): Promise<Bench> {
    const instance = await ports.start();
    try {
      const { provider } = instance;
      const identity = identityOf('default', providerType(ports.name));
      const checked = await within(ports, 'CheckConfig', () =>
        provider.checkConfig({ ...identity, olds: undefined, news: config }).catch(configAsItIs(config)),
      );
      if (checked.failures.length > 0)
        throw new ProviderError('INVALID_ARGUMENT', failuresText(checked.failures));
      const capabilities = await within(ports, 'Configure', () =>
        provider.configure({ ...identity, id: 'provider-test', inputs: checked.inputs }),
      );
      const extras = await within(ports, 'Describe', async () => provider.extras?.());
      return new Bench(ports, instance, capabilities, extras);
    } catch (error) {
      await instance.close();
      throw error;
    }
  }

  get provider(): Provider {
    return this.instance.provider;
  }

  /** What a type promises beside the common protocol. */
  promises(type: string): TypeExtras {
    return this.promised?.types[type] ?? this.promised?.types['*'] ?? {};
  }

  /** Checked inputs and what is refused. `prior`: the inputs of the object that is there. */
  check(about: ResourceIdentity, news: PropertyMap, prior?: PropertyMap) {
    return within(this.ports, 'Check', () =>
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
    return within(this.ports, 'Diff', () =>
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
    return within(this.ports, 'Create', () =>
      this.provider.create(token === undefined ? request : { ...request, token }),
    );
  }

  /** Outputs that a preview tells; undefined: the provider makes none. */
  async previewCreate(about: ResourceIdentity, inputs: PropertyMap): Promise<PropertyMap | undefined> {
    if (!this.capabilities.supportsPreview) return undefined;
    const request = { ...about, inputs, timeoutSeconds: 0, preview: true };
    return (await within(this.ports, 'Create of a preview', () => this.provider.create(request))).outputs;
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
    return (await within(this.ports, 'Update', () => this.provider.update(request))).outputs;
  }

  read(about: ResourceIdentity, id: string, known?: Omit<TestObject, 'id'>): Promise<ReadResponse> {
    return within(this.ports, 'Read', () =>
      this.provider.read({ ...about, id, inputs: known?.inputs, state: known?.outputs, timeoutSeconds: 0 }),
    );
  }

  delete(about: ResourceIdentity, { id, inputs, outputs }: TestObject): Promise<void> {
    return within(this.ports, 'Delete', () =>
      this.provider.delete({ ...about, id, oldInputs: inputs, oldOutputs: outputs, timeoutSeconds: 0 }),
    );
  }

  /** Ids that a look-up finds, asked again until there is one or the type's settling time is over. */
  async lookup(about: ResourceIdentity, inputs: PropertyMap, token: string): Promise<readonly string[]> {
    const settleMs = (this.promises(about.type).settleSeconds ?? 30) * 1000;
    for (let waited = 0; ; waited += 500) {
      const { found } = await within(
        this.ports,
        'Lookup',
        async () => (await this.provider.lookup?.({ ...about, inputs, token })) ?? { found: [] },
      );
      if (found.length > 0 || waited >= settleMs) return found.map(({ id }) => id);
      await this.ports.sleep(Math.min(500, settleMs));
    }
  }
}

/** What calls about a resource carry. */
export function identityOf(name: string, type: string): ResourceIdentity {
  return { urn: makeUrn({ ...PROJECT, type, name }), name, type };
}

/** A token as the engine makes them, cut to what the type takes. */
export function tokenFor(name: string, { idempotencyToken }: TypeExtras): string | undefined {
  if (idempotencyToken === undefined) return undefined;
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  const bytes = createHash('sha512').update(`${name} ${process.pid} ${process.hrtime.bigint()}`).digest();
  const text = [...bytes].map((byte) => letters[byte % 32]).join('');
  return text.slice(0, Math.min(52, idempotencyToken.maxLength ?? 52));
}

/** Awaits a call; one that takes too long fails as in doubt. */
export async function within<T>({ limitMs }: BenchPorts, call: string, work: () => Promise<T>): Promise<T> {
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

/** What work comes to within a time, or that it is late. */
export async function settledWithin<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => (timer = setTimeout(() => resolve(LATE), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Work that had not come to an end in time. */
export const LATE = Symbol('late');

/** What a provider refused, as one text. */
export function failuresText(
  failures: readonly { readonly property: string; readonly reason: string }[],
): string {
  return failures
    .map(({ property, reason }) => (property === '' ? reason : `${property} ${reason}`))
    .join('; ');
}

/** A provider without a check of its settings takes them as they are [PROV-14]. */
function configAsItIs(config: PropertyMap) {
  return (error: unknown) => {
    if (!isProviderError(error) || error.code !== 'UNIMPLEMENTED') throw error;
    return { inputs: config, failures: [] };
  };
}

/** The map with another value under a key. */
export const altered = (map: PropertyMap, key: string, value: string): PropertyMap =>
  propertyMap({ ...map, [key]: value });
