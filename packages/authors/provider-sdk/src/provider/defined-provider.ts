import process from 'node:process';
import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { nearest } from '@cairn/diagnostics';
import {
  containsUnknown,
  emptyMap,
  fromPlainMap,
  plainOutputsMap,
  secretMask,
  toPlainMap,
} from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { MissingConfigError, ProviderError } from '@cairn/wire';
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
import type { AnyResourceDefinition } from '../definition.js';
import type { HandlerContext } from '../handler-context.js';
import type { AnyFunction, OpenDefinition, ProviderDefinition } from '../package-definition.js';
import { checkShape } from '../schema/check.js';
import { ownConfig, readTexts } from '../schema/config.js';
import { diffInputs, noChange } from '../schema/diff.js';
import { packageSchema } from '../schema/package-schema.js';
import { shapeSpec } from '../schema/property.js';
import type { ShapeSpec } from '../schema/property.js';
import { markSecrets } from '../schema/secrets.js';
import { RunningCalls } from './calls.js';
import { callMethod, construct } from './components.js';
import type { ProgramPlace } from './components.js';
import { definedExtras } from './extras.js';
import { HandlerMessages } from './log.js';
import type { LogListener } from './log.js';
import { receiverOf } from './receiver.js';
import type { Receiver } from './receiver.js';
import { ResourceType } from './resource-type.js';
import { retrier } from './retry.js';

function capabilitiesOf({ resources, components = {}, anyResource }: OpenDefinition): Capabilities {
  const names = Object.values(resources).some(({ inputs }) =>
    Object.values(shapeSpec(inputs)).some(({ naming }) => naming !== undefined),
  );
  return {
    acceptSecrets: true,
    // Properties that are not checked would be stored with the references in them.
    acceptResources: anyResource === undefined,
    acceptOutputs: Object.keys(components).length > 0,
    supportsPreview: true,
    supportsAutonaming: names,
  };
}

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
  #types: ReadonlyMap<string, ResourceType> = new Map();
  #configShape: ShapeSpec = {};
  #definition: OpenDefinition;
  /** Serves types that the definition does not list. */
  #openType: { readonly resource: AnyResourceDefinition; readonly type: ResourceType } | undefined;
  readonly #calls = new RunningCalls();
  readonly #log: HandlerMessages;
  #made: { readonly base: ProviderDefinition; readonly value: Uint8Array } | undefined;
  #programDirectory: string;
  #config: Readonly<Record<string, unknown>> = {};
  readonly #startedIn: string | undefined;

  constructor(definition: OpenDefinition, startedIn: string | undefined, onMessage?: LogListener) {
    this.#startedIn = startedIn;
    this.#log = new HandlerMessages(onMessage);
    this.#programDirectory = startedIn ?? process.cwd();
    this.#definition = definition;
    this.#serve(definition);
  }

  #serve(definition: ProviderDefinition): void {
    const { name, resources, config } = definition;
    this.#definition = definition;
    this.#types = new Map(
      Object.entries(resources).map(([token, resource]) => [
        `${name}:${token}`,
        new ResourceType(name, token, resource),
      ]),
    );
    this.#configShape = shapeSpec(config ?? {});
  }

  /** A plugin that is already running is greeted by one engine after the other, each of which cancels it at its end. */
  async handshake({ programDirectory, engineAddress }: HandshakeRequest): Promise<Capabilities> {
    this.#calls.welcome();
    this.#log.connect(engineAddress);
    if (this.#startedIn === undefined && programDirectory !== undefined && programDirectory !== '')
      this.#programDirectory = programDirectory;
    return capabilitiesOf(this.#definition);
  }

  async attach(address: string): Promise<void> {
    this.#log.connect(address);
  }

  async parameterize({ parameters }: ParameterizeRequest): Promise<ParameterizeResponse> {
    const base = this.#made?.base ?? this.#definition;
    if (base.parameterize === undefined)
      return unsupported(`package ${this.#definition.name} takes no parameters`);
    const { definition, value } = await base.parameterize(parameters);
    this.#made = { base, value };
    this.#serve(definition);
    return { name: definition.name, version: definition.version };
  }

  async getPluginInfo(): Promise<PluginInfo> {
    return { version: this.#definition.version };
  }

  async getSchema({ version }: GetSchemaRequest): Promise<string> {
    if (version !== 0)
      throw new ProviderError('INVALID_ARGUMENT', `there is no schema of version ${version}`);
    return packageSchema(this.#definition, this.#made);
  }

  async checkConfig({ news }: CheckConfigRequest): Promise<CheckResponse> {
    const checked = checkShape(this.#configShape, readTexts(this.#configShape, ownConfig(news)));
    const engineKeys = Object.fromEntries(
      Object.entries(news).filter(([key]) => !Object.hasOwn(ownConfig(news), key)),
    );
    const inputs = { ...checked.inputs, ...engineKeys };
    const { checkConfig } = this.#definition;
    if (checked.failures.length > 0 || checkConfig === undefined || containsUnknown(checked.inputs))
      return { inputs, failures: checked.failures };
    return { inputs, failures: await checkConfig(toPlainMap(checked.inputs)) };
  }

  async diffConfig({ oldInputs, news, ignoreChanges }: DiffConfigRequest): Promise<DiffResponse> {
    const rules = { shape: this.#configShape, canUpdate: true, deleteBeforeReplace: false, stableKeys: [] };
    const read = (inputs: PropertyMap) => readTexts(this.#configShape, ownConfig(inputs));
    const [old, wanted] = [read(oldInputs), read(news)];
    const { diffConfig } = this.#definition;
    if (diffConfig === undefined || containsUnknown(wanted))
      return diffInputs({ old, news: wanted, outputs: emptyMap }, ignoreChanges, rules);
    const { changed, replace = [] } = await diffConfig(toPlainMap(old), toPlainMap(wanted));
    if (changed.length === 0) return noChange(rules);
    return {
      ...noChange(rules),
      changes: 'some',
      changedKeys: changed,
      replaceKeys: replace,
      detailedDiff: undefined,
    };
  }

  async configure({ inputs }: ConfigureRequest): Promise<Capabilities> {
    const { inputs: checked, failures } = checkShape(
      this.#configShape,
      readTexts(this.#configShape, ownConfig(inputs)),
    );
    const missing = failures.filter(({ reason }) => reason === 'is required').map(({ property }) => property);
    if (missing.length > 0) {
      const keys = missing.map((name) => ({ name, description: this.#configShape[name]?.description ?? '' }));
      throw new MissingConfigError(keys, `missing configuration: ${missing.join(', ')}`);
    }
    const [first] = failures;
    if (first !== undefined)
      throw new ProviderError('INVALID_ARGUMENT', `configuration value ${first.property}: ${first.reason}`);
    this.#config = toPlainMap(checked);
    const resource = await this.#definition.anyResource?.(this.#config);
    const { name } = this.#definition;
    this.#openType = resource && { resource, type: new ResourceType(name, '*', resource, true) };
    return capabilitiesOf(this.#definition);
  }

  check(request: CheckRequest): Promise<CheckResponse> {
    return this.#on(request, undefined, [request.news], (type, context) => type.check(request, context));
  }

  diff(request: DiffRequest): Promise<DiffResponse> {
    return this.#on(request, undefined, [request.news, request.oldInputs], (type, context) =>
      type.diff(request, context),
    );
  }

  async extras(): Promise<ProviderExtras> {
    return definedExtras(this.#definition, this.#openType?.resource);
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
    return this.#on(
      request,
      'update',
      [request.news, request.oldInputs, request.oldOutputs],
      (type, context) => type.update(request, context),
    );
  }

  delete(request: DeleteRequest): Promise<void> {
    return this.#on(request, 'delete', [request.oldInputs, request.oldOutputs], (type, context) =>
      type.delete(request, context),
    );
  }

  async invoke({ token, args }: InvokeRequest): Promise<InvokeResponse> {
    const definition = this.#functionOf(token);
    const { inputs, failures } = checkShape(shapeSpec(definition.inputs), args);
    if (failures.length > 0) return { result: emptyMap, failures };
    const identity = { urn: '' as Urn, name: '', type: token };
    const result = await this.#answer(0, (signal) =>
      definition.invoke(toPlainMap(inputs), this.#context(identity, signal, [inputs])),
    );
    return { result: markSecrets(fromPlainMap(result), shapeSpec(definition.outputs)), failures: [] };
  }

  async construct(request: ConstructRequest): Promise<ConstructResponse> {
    const { name, components = {} } = this.#definition;
    const component = components[request.type.slice(name.length + 1)];
    if (component === undefined) {
      const there = Object.keys(components).map((token) => `${name}:${token}`);
      return unsupported(
        there.length === 0
          ? `package ${name} has no components`
          : `package ${name} has no component ${request.type}; it has ${there.join(', ')}`,
      );
    }
    return this.#answer(0, (signal) => construct(component, request, this.#place(signal)));
  }

  #place(signal: AbortSignal): ProgramPlace {
    return { engineAddress: this.#log.engineAddress, programDirectory: this.#programDirectory, signal };
  }

  /** Calls a method of an object. Its token is that of the type with the method's name. */
  async call(request: CallRequest): Promise<CallResponse> {
    const { token, args, argDependencies } = request;
    const [typeToken = '', method = ''] = token.split('/', 2);
    const { __self__: receiver, ...given } = args;
    const self = receiverOf(receiver, argDependencies['__self__']?.[0]);
    const component = this.#definition.components?.[typeToken.slice(this.#definition.name.length + 1)];
    if (component !== undefined) return this.#callComponent(component, method, self, request, given);
    const type = this.#typeOf(typeToken);
    const identity = { urn: self.urn, name: self.urn === '' ? '' : urnName(self.urn), type: typeToken };
    const inputs = plainOutputsMap(given);
    const { result, failures } = await this.#answer(0, (signal) =>
      type.call(method, self, inputs, this.#context(identity, signal, [inputs])),
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
    if (method === undefined) return unsupported(`there is no method ${request.token}`);
    const identity = { urn, name: urn === '' ? '' : urnName(urn), type: request.token };
    return this.#answer(0, (signal) => {
      const context = this.#context(identity, signal, [given]);
      return callMethod(method, { urn }, request, given, context, this.#place(signal));
    });
  }

  async cancel(): Promise<void> {
    this.#calls.cancel();
  }

  async close(): Promise<void> {
    this.#calls.cancel();
    await this.#log.close();
  }

  async #on<T>(
    identity: Identity & { readonly timeoutSeconds?: number },
    call: 'create' | 'read' | 'update' | 'delete' | undefined,
    sources: readonly PropertyMap[],
    work: (type: ResourceType, context: HandlerContext) => Promise<T>,
  ): Promise<T> {
    const type = this.#typeOf(tokenOf(identity));
    const timeoutSeconds = identity.timeoutSeconds ?? 0;
    const limit = call === undefined || timeoutSeconds > 0 ? timeoutSeconds : type.timeoutOf(call);
    return this.#answer(limit, (signal) => work(type, this.#context(identity, signal, sources)));
  }

  /** Answers only after the handler's messages are sent, because the operation may end with the answer. */
  async #answer<T>(limit: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.#calls.run(limit, work);
    } finally {
      await this.#log.sent();
    }
  }

  #typeOf(token: string): ResourceType {
    const type = this.#types.get(token) ?? this.#openType?.type;
    if (type === undefined) throw this.#unknown('resource type', token, [...this.#types.keys()]);
    return type;
  }

  #context(
    { urn, name }: Identity,
    signal: AbortSignal,
    secretSources: readonly PropertyMap[],
  ): HandlerContext {
    const programDirectory = this.#programDirectory;
    const config = this.#config;
    const redact = secretMask(secretSources);
    const [log, retry] = [this.#log.about(urn, redact), retrier(signal)];
    return { urn, name, signal, programDirectory, config, redact, log, retry };
  }

  #functionOf(token: string): AnyFunction {
    const { name, functions = {} } = this.#definition;
    const found = functions[token.slice(name.length + 1)];
    if (found === undefined) {
      const there = Object.keys(functions).map((own) => `${name}:${own}`);
      throw this.#unknown('function', token, there);
    }
    return found;
  }

  #unknown(what: string, token: string, there: readonly string[]): ProviderError {
    const { name, version } = this.#definition;
    const close = nearest(token, there);
    const known = close === undefined ? `it has ${there.join(', ') || 'none'}` : `did you mean ${close}?`;
    return new ProviderError(
      'INVALID_ARGUMENT',
      `package ${name} ${version} has no ${what} ${token}; ${known}`,
    );
  }
}

/** Returns the type token. Older engines send the URN only. */
function tokenOf({ type, urn }: Identity): string {
  return type !== '' ? type : urnType(urn);
}

function unsupported(message: string): Promise<never> {
  return Promise.reject(new ProviderError('UNIMPLEMENTED', message));
}
