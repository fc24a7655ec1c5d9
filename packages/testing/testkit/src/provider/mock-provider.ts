import { urnName } from '@cairn/addresses';
import { ProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CreateRequest,
  DeleteRequest,
  DiffResponse,
  ProviderMapping,
  Provider,
  ProviderExtras,
  ReadRequest,
  ResourceIdentity,
  UpdateRequest,
} from '@cairn/wire';
import type { MockInstance, MockMethod, MockObjects } from './mock-objects.js';

type Answered = Exclude<MockMethod, 'list' | 'getMapping' | 'getMappings' | 'extras'>;
type RequestOf<M extends Answered> = Parameters<NonNullable<Provider[M]>>[0];
type AnswerOf<M extends Answered> = Awaited<ReturnType<NonNullable<Provider[M]>>>;

/** One call as a behaviour sees it. */
export interface MockContext<M extends Answered> {
  readonly instance: MockInstance;
  readonly world: MockObjects;
  /** Runs the standard behaviour and returns its answer. */
  readonly standard: () => Promise<AnswerOf<M>>;
}

/** Deviations from the standard behaviour, by method. */
export type MockBehaviour = {
  readonly [M in Answered]?: (
    request: RequestOf<M>,
    context: MockContext<M>,
  ) => AnswerOf<M> | Promise<AnswerOf<M>>;
} & {
  readonly capabilities?: Partial<Capabilities>;
  /**
   * Capabilities beyond the common protocol, which it implements: tokens, lookups by URN. Defaults to the capabilities
   * that follow from `reads`.
   */
  readonly extras?: ProviderExtras;
  /**
   * Source of its answers to reads, and whether it announces the source. `world` reads and announces it, `record`
   * repeats the request and announces it. `unsaid` reads without announcing it, `echo` repeats the request without
   * announcing it. Defaults to `world`.
   */
  readonly reads?: 'world' | 'record' | 'unsaid' | 'echo';
  /** Number of lookups that do not find a newly created object. Defaults to 0. */
  readonly lookUpsTooEarly?: number;
  /** True if a create reports `op-<n>` before it creates the object, and can be continued by that id. */
  readonly progressIds?: boolean;
  readonly getMapping?: (request: MappingQuestion) => ProviderMapping | undefined;
  readonly getMappings?: (request: { readonly key: string }) => readonly string[];
};

/** Returns a provider's capabilities, with `reads` wherever they do not set it. */
function statingReads(extras: ProviderExtras, reads: 'world' | 'record' | undefined): ProviderExtras {
  const types = Object.entries({ '*': {}, ...extras.types }).map(([type, told]) => [
    type,
    { reads, ...told },
  ]);
  return { ...extras, types: Object.fromEntries(types) as ProviderExtras['types'] };
}

type MappingQuestion = Parameters<NonNullable<Provider['getMapping']>>[0];

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
  acceptByteStrings: true,
};

/** Returns a diff with this value of `changes`, and with the other given fields. */
export function diffAnswer(changes: DiffResponse['changes'], rest: Partial<DiffResponse> = {}): DiffResponse {
  return {
    changes,
    replaceKeys: [],
    changedKeys: [],
    stableKeys: [],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
    ...rest,
  };
}

/**
 * A provider in memory. Standard behaviour: check returns the inputs, and diffs return `unknown` (the engine compares).
 * Create makes an object whose outputs are its inputs (in preview: no id), and update sets the outputs to the new
 * inputs. Read finds the object or nothing, and delete removes it. Functions, constructors and methods are refused.
 */
export class MockProvider implements Provider {
  readonly #world: MockObjects;
  readonly #instance: MockInstance;
  readonly #behaviour: MockBehaviour;

  constructor(world: MockObjects, instance: MockInstance, behaviour: MockBehaviour) {
    this.#world = world;
    this.#instance = instance;
    this.#behaviour = behaviour;
  }

  handshake: Provider['handshake'] = (request) =>
    this.#answer('handshake', '', request, () => Promise.resolve(this.#capabilities));
  parameterize: Provider['parameterize'] = (request) =>
    this.#answer('parameterize', '', request, async () => {
      const { parameters } = request;
      return parameters.kind === 'value' ? parameters : { name: parameters.args[0] ?? '', version: '1.0.0' };
    });
  getPluginInfo: Provider['getPluginInfo'] = () =>
    this.#answer('getPluginInfo', '', undefined, async () => ({ version: this.#instance.version }));
  getSchema: Provider['getSchema'] = (request) => this.#answer('getSchema', '', request, async () => '{}');
  checkConfig: Provider['checkConfig'] = (request) =>
    this.#about('checkConfig', request, async () => ({ inputs: request.news, failures: [] }));
  diffConfig: Provider['diffConfig'] = (request) =>
    this.#about('diffConfig', request, async () => diffAnswer('unknown'));
  configure: Provider['configure'] = (request) =>
    this.#about('configure', request, async () => {
      const instance = this.#instance;
      if (instance.settings !== undefined)
        throw new ProviderError('INTERNAL', 'the instance is configured already');
      instance.settings = request.inputs;
      instance.id = request.id;
      return this.#capabilities;
    });
  check: Provider['check'] = (request) =>
    this.#about('check', request, async () => ({ inputs: request.news, failures: [] }));
  diff: Provider['diff'] = (request) => this.#about('diff', request, async () => diffAnswer('unknown'));
  create: Provider['create'] = (request) => this.#about('create', request, () => this.#create(request));
  read: Provider['read'] = (request) => this.#about('read', request, () => this.#read(request));
  update: Provider['update'] = (request) => this.#about('update', request, () => this.#update(request));
  delete: Provider['delete'] = (request) => this.#about('delete', request, () => this.#delete(request));
  invoke: Provider['invoke'] = (request) =>
    this.#answer('invoke', request.token, request, () => this.#refuse(`function ${request.token}`));
  construct: Provider['construct'] = (request) =>
    this.#answer('construct', request.name, request, () => this.#refuse(`component ${request.type}`));
  call: Provider['call'] = (request) =>
    this.#answer('call', request.token, request, () => this.#refuse(`method ${request.token}`));

  get extras(): Provider['extras'] {
    const { extras, reads = 'world' } = this.#behaviour;
    const instance = this.#instance;
    const world = this.#world;
    const call = { method: 'extras', name: '', request: undefined, instance };
    const stated = reads === 'world' || reads === 'record' ? reads : undefined;
    if (extras !== undefined) return () => world.carryOut(call, () => statingReads(extras, stated));
    return stated && (async () => ({ types: { '*': { reads: stated } } }));
  }

  get lookup(): Provider['lookup'] {
    if (this.#behaviour.extras === undefined) return undefined;
    const early = this.#behaviour.lookUpsTooEarly ?? 0;
    return (request) => this.#about('lookup', request, async () => this.#world.lookUp(request, early));
  }

  async getMapping(request: MappingQuestion): Promise<ProviderMapping | undefined> {
    return this.#behaviour.getMapping?.(request);
  }

  async getMappings(request: { readonly key: string }): Promise<readonly string[]> {
    return this.#behaviour.getMappings?.(request) ?? [];
  }

  async cancel(): Promise<void> {
    this.#instance.cancelled = true;
  }

  async close(): Promise<void> {
    this.#instance.closed = true;
  }

  async #create(request: CreateRequest): ReturnType<Provider['create']> {
    const { urn, type, inputs, preview, token, progressId, onProgressId } = request;
    if (preview && (token ?? progressId) !== undefined)
      throw new Error('a preview makes nothing to be found again');
    if (preview) return { id: '', outputs: inputs, refreshBeforeUpdate: false };
    const world = this.#world;
    const behaviour = this.#behaviour;
    const instance = this.#instance;
    const known = progressId === undefined ? world.madeWith(token) : world.works.get(progressId);
    const id = known ?? world.newId();
    if (!world.objects.has(id)) {
      if (behaviour.progressIds === true && progressId === undefined) await onProgressId?.(world.begin(id));
      world.objects.set(id, { urn, type, inputs, outputs: inputs, settings: instance.settings });
      world.made(id, token);
    }
    return { id, outputs: inputs, refreshBeforeUpdate: false };
  }

  async #read({ id, inputs, state }: ReadRequest): ReturnType<Provider['read']> {
    const { reads } = this.#behaviour;
    if (reads === 'record' || reads === 'echo')
      return { id, inputs, outputs: state, refreshBeforeUpdate: false };
    const object = this.#world.objects.get(id);
    return {
      id: object === undefined ? '' : id,
      inputs: object?.inputs,
      outputs: object?.outputs,
      refreshBeforeUpdate: false,
    };
  }

  async #update({ urn, type, id, news, preview }: UpdateRequest): ReturnType<Provider['update']> {
    if (!preview) {
      if (!this.#world.objects.has(id)) throw new ProviderError('NOT_FOUND', `there is no object ${id}`);
      this.#world.objects.set(id, {
        urn,
        type,
        inputs: news,
        outputs: news,
        settings: this.#instance.settings,
      });
    }
    return { outputs: news, refreshBeforeUpdate: false };
  }

  async #delete({ id }: DeleteRequest): Promise<void> {
    this.#world.objects.delete(id);
  }

  async #refuse(what: string): Promise<never> {
    throw new ProviderError('UNIMPLEMENTED', `the mock of ${this.#instance.package} has no ${what}`);
  }

  get #capabilities(): Capabilities {
    return { ...CAPABILITIES, ...this.#behaviour.capabilities };
  }

  #about<M extends Answered>(
    method: M,
    request: RequestOf<M> & ResourceIdentity,
    standard: () => Promise<AnswerOf<M>>,
  ): Promise<AnswerOf<M>> {
    return this.#answer(method, urnName(request.urn), request, standard);
  }

  #answer<M extends Answered>(
    method: M,
    name: string,
    request: RequestOf<M>,
    standard: () => Promise<AnswerOf<M>>,
  ): Promise<AnswerOf<M>> {
    const instance = this.#instance;
    const world = this.#world;
    if (instance.closed)
      return Promise.reject(new ProviderError('UNAVAILABLE', `the instance is closed: ${method}`));
    const own = this.#behaviour[method] as
      ((request: RequestOf<M>, context: MockContext<M>) => AnswerOf<M> | Promise<AnswerOf<M>>) | undefined;
    return world.carryOut({ method, name, request, instance }, () =>
      own === undefined ? standard() : own(request, { instance, world, standard }),
    );
  }
}
