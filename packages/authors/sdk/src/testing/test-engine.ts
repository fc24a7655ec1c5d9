import { makeUrn, ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap, getProperty, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type {
  EngineService,
  LogRequest,
  Monitor,
  ReadResourceRequest,
  RegisterResourceRequest,
  RegisterResourceResponse,
} from '@cairn/wire';
import type { DeploymentSettings } from '../runtime/deployment.js';
import { serializeOutputs } from '../resource/request.js';
import { GET_RESOURCE } from '../resource/referenced.js';
import { plainProperties, withReferences } from './plain.js';
import type { PlainProperties } from './plain.js';
import { LocalTransforms } from './transforms.js';

type Later<T> = T | Promise<T>;
type Values = Readonly<Record<string, unknown>>;

/** A resource that the program declares, as a mock receives it. */
export interface MockedResource {
  readonly type: string;
  readonly name: string;
  /** Plain values: secrets bare, `unknown` for values that are unknown in a preview. */
  readonly inputs: Values;
  /** Id of an object that is read and not managed. */
  readonly id: string | undefined;
  /** Reference of its provider. Empty for the default one. */
  readonly provider: string;
}

/** An invoke, or a call of a component's method, as a mock receives it. */
export interface MockedCall {
  readonly token: string;
  readonly args: Values;
  readonly provider: string;
}

/**
 * Functions that answer in place of providers. An error fails the resource or the invoke. Values may contain outputs,
 * so that `secret(…)` makes an answer secret.
 */
export interface Mocks {
  /**
   * Returns the id and outputs of a provider's resource. Defaults: the id `<name>-id`, and the inputs as outputs. Not
   * called in a preview, where outputs are the inputs.
   */
  resource?(resource: MockedResource): Later<{ readonly id?: string; readonly outputs?: object } | undefined>;
  /** Answers `invoke`. Without it every invoke is an error. */
  invoke?(question: MockedCall): Later<object>;
  /** Answers `call`, methods of components. Without it every call is an error. */
  call?(question: MockedCall): Later<object>;
}

/** A resource that the program registered or read, in the order of requests. */
export interface Seen {
  readonly urn: Urn;
  readonly request: RegisterResourceRequest | ReadResourceRequest;
  readonly id: string | undefined;
  inputs: PlainProperties;
  outputs: PlainProperties;
}

/** A monitor and an engine in this process. Records the declarations of a program, and lets mocks answer. */
export class TestEngine {
  readonly seen = new Map<Urn, Seen>();
  readonly invokes: MockedCall[] = [];
  readonly calls: MockedCall[] = [];
  readonly logs: LogRequest[] = [];
  readonly transforms = new LocalTransforms();
  stackOutputs: PlainProperties = { values: {}, secrets: [] };
  /** Outputs by URN, for code that has a reference. */
  readonly #states = new Map<Urn, PropertyMap>();
  readonly #settings: DeploymentSettings;
  readonly #mocks: Mocks;

  constructor(settings: DeploymentSettings, mocks: Mocks) {
    this.#settings = settings;
    this.#mocks = mocks;
  }

  readonly monitor: Monitor = {
    supportsFeature: async () => true,
    getDeploymentInfo: async () => ({ ...this.#settings, features: [] }),
    registerResource: (request) => this.#register(request),
    readResource: (request) => this.#read(request),
    existsResource: async () => ({ exists: true, unknown: false }),
    registerResourceOutputs: async ({ urn, outputs, lateInputs }) => {
      const resource = this.seen.get(urn as Urn);
      if (resource === undefined) {
        this.stackOutputs = plainProperties(outputs);
      } else {
        resource.outputs = plainProperties(outputs);
        if (lateInputs !== undefined && 'inputs' in resource.request)
          resource.inputs = plainProperties({ ...resource.request.inputs, ...lateInputs });
        this.#states.set(resource.urn, outputs);
      }
    },
    invoke: async (asked) => {
      const declared = asked.token === GET_RESOURCE ? this.#stateOf(asked.args) : undefined;
      if (declared !== undefined) return { result: declared, failures: [], unknown: false };
      const { token, args, provider } = await this.transforms.transformedInvoke(asked);
      const question = { token, args: plainProperties(args).values, provider };
      this.invokes.push(question);
      const result = await answered('invoke', token, this.#mocks.invoke?.(question));
      return { result, failures: [], unknown: false };
    },
    call: async ({ token, args, provider }) => {
      const question = { token, args: plainProperties(args).values, provider };
      this.calls.push(question);
      const result = await answered('call', token, this.#mocks.call?.(question));
      return { result, resultDependencies: {}, failures: [] };
    },
    registerPackage: async () => ({ ref: '' }),
    registerStackTransform: async (callback) => void this.transforms.ofStack.push(callback),
    registerStackInvokeTransform: async (callback) => void this.transforms.ofInvokes.push(callback),
    // Nothing is created here, so hooks never run.
    registerResourceHook: async () => {},
    registerErrorHook: async () => {},
    signalAndWaitForShutdown: async () => {},
  };

  readonly engine: EngineService = {
    log: async (request) => void this.logs.push(request),
    getRootResource: async () => '',
    setRootResource: async () => {},
    startDebugging: async () => {},
    requirePulumiVersion: async () => {},
  };

  async #register(given: RegisterResourceRequest): Promise<RegisterResourceResponse> {
    const urn = this.#urnOf(given);
    if (given.type === ROOT_STACK_TYPE) return response(urn, '', emptyMap);
    const request = await this.transforms.transformed(urn, given, this.#above(given.parent));
    const { type, name, provider, custom, importId } = request;
    const inputs = plainProperties(request.inputs);
    this.#note({
      urn,
      request,
      id: undefined,
      inputs,
      outputs: custom ? inputs : { values: {}, secrets: [] },
    });
    this.#states.set(urn, custom ? request.inputs : emptyMap);
    if (!custom && !request.remote) return response(urn, '', emptyMap);
    if (this.#settings.dryRun) return response(urn, '', request.inputs);
    const asked = { type, name, inputs: inputs.values, id: undefined, provider };
    const mocked = usable(await this.#mocks.resource?.(asked));
    const id = custom ? (mocked?.id ?? (importId || `${name}-id`)) : '';
    const outputs = mocked?.outputs === undefined ? request.inputs : await answerOf(mocked.outputs);
    this.seen.set(urn, { urn, request, id: id || undefined, inputs, outputs: plainProperties(outputs) });
    this.#states.set(urn, outputs);
    return response(urn, id, outputs);
  }

  async #read(request: ReadResourceRequest) {
    const urn = this.#urnOf(request);
    const { type, name, id, provider } = request;
    const inputs = plainProperties(request.properties);
    const mocked = usable(await this.#mocks.resource?.({ type, name, inputs: inputs.values, id, provider }));
    const properties = mocked?.outputs === undefined ? request.properties : await answerOf(mocked.outputs);
    this.#note({ urn, request, id, inputs, outputs: plainProperties(properties) });
    this.#states.set(urn, properties);
    return { urn, id, properties };
  }

  /** Returns the engine's state of a resource that the program has declared; undefined for any other. */
  #stateOf(args: PropertyMap): PropertyMap | undefined {
    const urn = getProperty(args, 'urn') as Urn;
    const state = this.#states.get(urn);
    return state && propertyMap({ urn, id: this.seen.get(urn)?.id ?? '', provider: '', state });
  }

  #note(resource: Seen): void {
    if (this.seen.has(resource.urn)) throw new Error(`${resource.urn} is declared twice`);
    this.seen.set(resource.urn, resource);
  }

  /** Returns the URNs of the ancestors, nearest first. */
  #above(parent: string): readonly Urn[] {
    const above: Urn[] = [];
    for (
      let at = this.seen.get(parent as Urn);
      at !== undefined;
      at = this.seen.get(at.request.parent as Urn)
    )
      above.push(at.urn);
    return above;
  }

  #urnOf({ type, name, parent }: { type: string; name: string; parent: string }): Urn {
    const { stack, project } = this.#settings;
    return makeUrn({ stack, project, parent: parent === '' ? undefined : (parent as Urn), type, name });
  }
}

function response(urn: Urn, id: string, outputs: PropertyMap): RegisterResourceResponse {
  return { urn, id, outputs, propertyDependencies: {}, result: 'success', unknown: false };
}

type MockedAnswer = { readonly id?: string; readonly outputs?: object } | undefined;

/** Returns an answer of `mocks.resource` if it is valid. Throws TypeError if not. */
function usable(answer: MockedAnswer): MockedAnswer {
  const isObject = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (answer === undefined) return undefined;
  if (!isObject(answer)) throw new TypeError('mocks.resource must answer with an object, or undefined');
  const { id, outputs } = answer;
  if (id !== undefined && typeof id !== 'string')
    throw new TypeError('the id of mocks.resource must be a string');
  if (outputs !== undefined && !isObject(outputs))
    throw new TypeError('the outputs of mocks.resource must be an object');
  return answer;
}

async function answered(kind: 'invoke' | 'call', token: string, answer: Later<object> | undefined) {
  if (answer === undefined)
    throw new Error(`no mock answers ${token}: pass testProgram a function mocks.${kind}`);
  return answerOf(await answer);
}

const answerOf = (answer: object): Promise<PropertyMap> => serializeOutputs(withReferences(answer));
