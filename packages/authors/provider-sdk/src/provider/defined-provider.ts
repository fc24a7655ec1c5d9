import { urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap, fromPlainMap, plainOutputsMap, toPlainMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type {
  CallRequest,
  CallResponse,
  Capabilities,
  CheckConfigRequest,
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
  ConstructRequest,
  ConstructResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffConfigRequest,
  DiffRequest,
  DiffResponse,
  GetSchemaRequest,
  HandshakeRequest,
  InvokeRequest,
  InvokeResponse,
  LookupRequest,
  LookupResponse,
  PluginInfo,
  Provider,
  ParameterizeRequest,
  ParameterizeResponse,
  ProviderExtras,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '@cairn/wire';
import type { AnyComponent } from '../component-definition.js';
import type { HandlerContext } from '../handler-context.js';
import type { OpenDefinition, ProviderDefinition } from '../package-definition.js';
import { checkShape } from '../schema/check.js';
import { packageSchema } from '../schema/package-schema.js';
import { shapeSpec } from '../schema/property.js';
import { markSecrets } from '../schema/secrets.js';
import { Catalogue, unsupported } from './catalogue.js';
import { callMethod, construct } from './components.js';
import { checkConfiguration, diffConfiguration, readConfiguration } from './configuration.js';
import { HandlerCalls } from './handler-calls.js';
import type { LogListener } from './log.js';
import { receiverOf } from './receiver.js';
import type { Receiver } from './receiver.js';
import type { ResourceType } from './resource-type.js';

/**
 * Creates a new, unconfigured provider instance of a definition, for the engine's process. The handshake names the
 * program's folder.
 */
export function toProvider(definition: ProviderDefinition): Provider {
  return new DefinedProvider(definition, undefined);
}

/**
 * Creates a provider instance for a process of its own. Engines start such a process in the program's folder. The
 * program's directory in their handshake is that of the plugin itself. `onMessage` receives messages of handlers if no
 * engine does.
 */
export function toPluginProvider(
  definition: OpenDefinition,
  programDirectory: string,
  onMessage?: LogListener,
): Provider {
  return new DefinedProvider(definition, programDirectory, onMessage);
}

type Identity = { readonly urn: Urn; readonly name: string; readonly type: string };

class DefinedProvider implements Provider {
  #catalogue: Catalogue;
  readonly #calls: HandlerCalls;
  #made: { readonly base: ProviderDefinition; readonly value: Uint8Array } | undefined;

  constructor(definition: OpenDefinition, startedIn: string | undefined, onMessage?: LogListener) {
    this.#catalogue = new Catalogue(definition);
    this.#calls = new HandlerCalls(startedIn, onMessage);
  }

  async handshake({ programDirectory, engineAddress }: HandshakeRequest): Promise<Capabilities> {
    this.#calls.welcome(engineAddress, programDirectory);
    return this.#catalogue.capabilities();
  }

  async attach(address: string): Promise<void> {
    this.#calls.attach(address);
  }

  async parameterize({ parameters }: ParameterizeRequest): Promise<ParameterizeResponse> {
    const served = this.#catalogue.definition;
    const base = this.#made?.base ?? served;
    if (base.parameterize === undefined) throw unsupported(`package ${served.name} takes no parameters`);
    const { definition, value } = await base.parameterize(parameters);
    this.#made = { base, value };
    this.#catalogue = new Catalogue(definition);
    return { name: definition.name, version: definition.version };
  }

  async getPluginInfo(): Promise<PluginInfo> {
    return { version: this.#catalogue.definition.version };
  }

  async getSchema({ version }: GetSchemaRequest): Promise<string> {
    if (version !== 0)
      throw new ProviderError('INVALID_ARGUMENT', `there is no schema of version ${version}`);
    return packageSchema(this.#catalogue.definition, this.#made);
  }

  checkConfig({ news }: CheckConfigRequest): Promise<CheckResponse> {
    return checkConfiguration(this.#catalogue, news);
  }

  diffConfig(request: DiffConfigRequest): Promise<DiffResponse> {
    return diffConfiguration(this.#catalogue, request);
  }

  async configure({ inputs }: ConfigureRequest): Promise<Capabilities> {
    const config = readConfiguration(this.#catalogue.configShape, inputs);
    this.#calls.config = config;
    await this.#catalogue.configure(config);
    return this.#catalogue.capabilities();
  }

  async extras(): Promise<ProviderExtras> {
    return this.#catalogue.extras();
  }

  check(request: CheckRequest): Promise<CheckResponse> {
    return this.#on(request, undefined, [request.news], (type, context) => type.check(request, context));
  }

  diff(request: DiffRequest): Promise<DiffResponse> {
    return this.#on(request, undefined, [request.news, request.oldInputs], (type, context) =>
      type.diff(request, context),
    );
  }

  create(request: CreateRequest): Promise<CreateResponse> {
    const { token, progressId, onProgressId } = request;
    const progress = onProgressId ?? (() => Promise.resolve());
    return this.#on(request, 'create', [request.inputs], (type, context) =>
      type.create(request, { ...context, token, progressId, progress }),
    );
  }

  lookup(request: LookupRequest): Promise<LookupResponse> {
    const token = request.token === '' ? undefined : request.token;
    return this.#on(request, undefined, [request.inputs], (type, context) =>
      type.lookup(request, { ...context, token }),
    );
  }

  read(request: ReadRequest): Promise<ReadResponse> {
    const { inputs = emptyMap, state = emptyMap } = request;
    return this.#on(request, 'read', [inputs, state], (type, context) => type.read(request, context));
  }

  update(request: UpdateRequest): Promise<UpdateResponse> {
    const { news, oldInputs, oldOutputs } = request;
    return this.#on(request, 'update', [news, oldInputs, oldOutputs], (type, context) =>
      type.update(request, context),
    );
  }

  delete(request: DeleteRequest): Promise<void> {
    return this.#on(request, 'delete', [request.oldInputs, request.oldOutputs], (type, context) =>
      type.delete(request, context),
    );
  }

  async invoke({ token, args }: InvokeRequest): Promise<InvokeResponse> {
    const definition = this.#catalogue.functionOf(token);
    const { inputs, failures } = checkShape(shapeSpec(definition.inputs), args);
    if (failures.length > 0) return { result: emptyMap, failures };
    const result = await this.#calls.answer(0, ({ context }) =>
      definition.invoke(toPlainMap(inputs), context({ urn: '' as Urn }, [inputs])),
    );
    return { result: markSecrets(fromPlainMap(result), shapeSpec(definition.outputs)), failures: [] };
  }

  async construct(request: ConstructRequest): Promise<ConstructResponse> {
    const component = this.#catalogue.componentOf(request.type);
    return this.#calls.answer(0, ({ place }) => construct(component, request, place));
  }

  /** Calls a method of an object. Its token is that of the type with the method's name. */
  async call(request: CallRequest): Promise<CallResponse> {
    const { token, args, argDependencies } = request;
    const [typeToken = '', method = ''] = token.split('/', 2);
    const { __self__: receiver, ...given } = args;
    const self = receiverOf(receiver, argDependencies['__self__']?.[0]);
    const component = this.#catalogue.findComponent(typeToken);
    if (component !== undefined) return this.#callComponent(component, method, self, request, given);
    const type = this.#catalogue.typeOf(typeToken);
    const inputs = plainOutputsMap(given);
    const { result, failures } = await this.#calls.answer(0, ({ context }) =>
      type.call(method, self, inputs, context(self, [inputs])),
    );
    return { result, resultDependencies: {}, failures };
  }

  #callComponent(
    component: AnyComponent,
    name: string,
    { urn }: Receiver,
    request: CallRequest,
    given: PropertyMap,
  ): Promise<CallResponse> {
    const method = component.methods?.[name];
    if (method === undefined) throw unsupported(`there is no method ${request.token}`);
    return this.#calls.answer(0, ({ context, place }) =>
      callMethod(method, { urn }, request, given, context({ urn }, [given]), place),
    );
  }

  async cancel(): Promise<void> {
    this.#calls.cancel();
  }

  async close(): Promise<void> {
    await this.#calls.close();
  }

  /** Calls a handler of a resource type. Secrets of `sources` are removed from its messages. */
  async #on<T>(
    identity: Identity & { readonly timeoutSeconds?: number },
    call: 'create' | 'read' | 'update' | 'delete' | undefined,
    sources: readonly PropertyMap[],
    work: (type: ResourceType, context: HandlerContext) => Promise<T>,
  ): Promise<T> {
    const type = this.#catalogue.typeOf(tokenOf(identity));
    const timeoutSeconds = identity.timeoutSeconds ?? 0;
    const limit = call === undefined || timeoutSeconds > 0 ? timeoutSeconds : type.timeoutOf(call);
    return this.#calls.answer(limit, ({ context }) => work(type, context(identity, sources)));
  }
}

/** Returns the type token. Older engines send the URN only. */
function tokenOf({ type, urn }: Identity): string {
  return type !== '' ? type : urnType(urn);
}
