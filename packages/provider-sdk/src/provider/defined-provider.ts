import process from 'node:process';
import { urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { MissingConfigError, ProviderError } from '@cairn/wire';
import type {
  Capabilities,
  CheckConfigRequest,
  CheckRequest,
  CheckResponse,
  ConfigureRequest,
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
  ProviderExtras,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
  TypeExtras,
} from '@cairn/wire';
import type { AnyFunction, HandlerContext, ProviderDefinition, AnyResource } from '../definition.js';
import { checkShape } from '../schema/check.js';
import { ownConfig, readTexts } from '../schema/config.js';
import { diffInputs } from '../schema/diff.js';
import { packageSchema } from '../schema/package-schema.js';
import { fromPlainMap, markSecrets, toPlainMap } from '../schema/plain.js';
import { shapeSpec } from '../schema/property.js';
import type { ShapeSpec } from '../schema/property.js';
import { Calls } from './calls.js';
import { redactor } from './redact.js';
import { ResourceType } from './resource-type.js';

const CAPABILITIES: Capabilities = {
  acceptSecrets: true,
  acceptResources: false,
  acceptOutputs: false,
  supportsPreview: true,
  supportsAutonaming: false,
};

/**
 * Makes a fresh, not yet configured provider instance of a definition, for the engine's process: the handshake names
 * the program's folder.
 */
export function toProvider(definition: ProviderDefinition): Provider {
  return new DefinedProvider(definition, undefined);
}

/**
 * Makes a provider instance for a process of its own. Engines start such a process in the program's folder; what their
 * handshake calls the program's directory is where the plugin itself is.
 */
export function toPluginProvider(definition: ProviderDefinition, programDirectory: string): Provider {
  return new DefinedProvider(definition, programDirectory);
}

type Identity = { readonly urn: Urn; readonly name: string; readonly type: string };

class DefinedProvider implements Provider {
  private readonly types: ReadonlyMap<string, ResourceType>;
  private readonly configShape: ShapeSpec;
  private readonly calls = new Calls();
  private programDirectory: string;
  private config: Readonly<Record<string, unknown>> = {};

  constructor(
    private readonly definition: ProviderDefinition,
    private readonly startedIn: string | undefined,
  ) {
    const { name, resources, config } = definition;
    this.programDirectory = startedIn ?? process.cwd();
    this.types = new Map(
      Object.entries(resources).map(([token, resource]) => [`${name}:${token}`, new ResourceType(resource)]),
    );
    this.configShape = shapeSpec(config ?? {});
  }

  /**
   * A plugin that somebody else has started is greeted by one engine after the other, each of which cancels it at its
   * end.
   */
  async handshake({ programDirectory }: HandshakeRequest): Promise<Capabilities> {
    this.calls.welcome();
    if (this.startedIn === undefined && programDirectory !== undefined && programDirectory !== '')
      this.programDirectory = programDirectory;
    return CAPABILITIES;
  }

  /** Nothing is asked of the engine, so its address is not kept. */
  async attach(): Promise<void> {}

  parameterize(): Promise<never> {
    return unsupported(`package ${this.definition.name} takes no parameters`);
  }

  async getPluginInfo(): Promise<PluginInfo> {
    return { version: this.definition.version };
  }

  async getSchema({ version }: GetSchemaRequest): Promise<string> {
    if (version !== 0)
      throw new ProviderError('INVALID_ARGUMENT', `there is no schema of version ${version}`);
    return packageSchema(this.definition);
  }

  async checkConfig({ news }: CheckConfigRequest): Promise<CheckResponse> {
    const checked = checkShape(this.configShape, readTexts(this.configShape, ownConfig(news)));
    const engineKeys = Object.fromEntries(
      Object.entries(news).filter(([key]) => !Object.hasOwn(ownConfig(news), key)),
    );
    return { inputs: { ...checked.inputs, ...engineKeys }, failures: checked.failures };
  }

  async diffConfig({ oldInputs, news, ignoreChanges }: DiffConfigRequest): Promise<DiffResponse> {
    const rules = { shape: this.configShape, canUpdate: true, deleteBeforeReplace: false, stableKeys: [] };
    const [old, wanted] = [oldInputs, news].map((inputs) => readTexts(this.configShape, ownConfig(inputs)));
    return diffInputs(old ?? emptyMap, wanted ?? emptyMap, ignoreChanges, rules);
  }

  async configure({ inputs }: ConfigureRequest): Promise<Capabilities> {
    const { inputs: checked, failures } = checkShape(
      this.configShape,
      readTexts(this.configShape, ownConfig(inputs)),
    );
    const missing = failures.filter(({ reason }) => reason === 'is required').map(({ property }) => property);
    if (missing.length > 0) {
      const keys = missing.map((name) => ({ name, description: this.configShape[name]?.description ?? '' }));
      throw new MissingConfigError(keys, `missing configuration: ${missing.join(', ')}`);
    }
    const [first] = failures;
    if (first !== undefined)
      throw new ProviderError('INVALID_ARGUMENT', `configuration value ${first.property}: ${first.reason}`);
    this.config = toPlainMap(checked);
    return CAPABILITIES;
  }

  check(request: CheckRequest): Promise<CheckResponse> {
    return this.on(request, 0, [request.news], (type, context) => type.check(request, context));
  }

  diff(request: DiffRequest): Promise<DiffResponse> {
    return this.on(request, 0, [request.news, request.oldInputs], (type, context) =>
      type.diff(request, context),
    );
  }

  async extras(): Promise<ProviderExtras> {
    return extrasOf(this.definition);
  }

  create(request: CreateRequest): Promise<CreateResponse> {
    const { token, progressId, onProgressId } = request;
    const progress = onProgressId ?? (() => Promise.resolve());
    return this.on(request, request.timeoutSeconds, [request.inputs], (type, context) =>
      type.create(request, { ...context, token, progressId, progress }),
    );
  }

  lookup(request: LookupRequest): Promise<LookupResponse> {
    const token = request.token === '' ? undefined : request.token;
    return this.on(request, 0, [request.inputs], (type, context) =>
      type.lookup(request, { ...context, token }),
    );
  }

  read(request: ReadRequest): Promise<ReadResponse> {
    return this.on(request, request.timeoutSeconds, [request.inputs ?? emptyMap], (type, context) =>
      type.read(request, context),
    );
  }

  update(request: UpdateRequest): Promise<UpdateResponse> {
    return this.on(
      request,
      request.timeoutSeconds,
      [request.news, request.oldInputs, request.oldOutputs],
      (type, context) => type.update(request, context),
    );
  }

  delete(request: DeleteRequest): Promise<void> {
    return this.on(
      request,
      request.timeoutSeconds,
      [request.oldInputs, request.oldOutputs],
      (type, context) => type.delete(request, context),
    );
  }

  async invoke({ token, args }: InvokeRequest): Promise<InvokeResponse> {
    const definition = this.functionOf(token);
    const { inputs, failures } = checkShape(shapeSpec(definition.inputs), args);
    if (failures.length > 0) return { result: emptyMap, failures };
    const identity = { urn: '' as Urn, name: '', type: token };
    const result = await this.calls.run(0, (signal) =>
      definition.invoke(toPlainMap(inputs), this.context(identity, signal, [inputs])),
    );
    return { result: markSecrets(fromPlainMap(result), shapeSpec(definition.outputs)), failures: [] };
  }

  construct(): Promise<never> {
    return unsupported(`package ${this.definition.name} has no components`);
  }

  call(): Promise<never> {
    return unsupported(`package ${this.definition.name} has no methods`);
  }

  async cancel(): Promise<void> {
    this.calls.cancel();
  }

  async close(): Promise<void> {
    this.calls.cancel();
  }

  private async on<T>(
    identity: Identity,
    timeoutSeconds: number,
    sources: readonly PropertyMap[],
    work: (type: ResourceType, context: HandlerContext) => Promise<T>,
  ): Promise<T> {
    const token = tokenOf(identity);
    const type = this.types.get(token);
    if (type === undefined) {
      const { name, version } = this.definition;
      const there = [...this.types.keys()].join(', ');
      throw new ProviderError(
        'INVALID_ARGUMENT',
        `package ${name} ${version} has no resource type ${token}; it has ${there}`,
      );
    }
    return this.calls.run(timeoutSeconds, (signal) => work(type, this.context(identity, signal, sources)));
  }

  private context(
    { urn, name }: Identity,
    signal: AbortSignal,
    secretSources: readonly PropertyMap[],
  ): HandlerContext {
    const redact = redactor(...secretSources);
    return { urn, name, signal, programDirectory: this.programDirectory, config: this.config, redact };
  }

  private functionOf(token: string): AnyFunction {
    const own = token.slice(this.definition.name.length + 1);
    const found = this.definition.functions?.[own];
    if (found === undefined)
      throw new ProviderError('INVALID_ARGUMENT', `package ${this.definition.name} has no function ${token}`);
    return found;
  }
}

/** Older engines send the URN only. */
function tokenOf({ type, urn }: Identity): string {
  return type !== '' ? type : urnType(urn);
}

function unsupported(message: string): Promise<never> {
  return Promise.reject(new ProviderError('UNIMPLEMENTED', message));
}

/** What a definition promises beyond the common protocol, as the engine is told it. */
function extrasOf({ name, resources, maxInFlight }: ProviderDefinition): ProviderExtras {
  const types = Object.entries(resources).map(([token, resource]) => [
    `${name}:${token}`,
    typeExtras(resource),
  ]);
  return { maxInFlight, types: Object.fromEntries(types) as Readonly<Record<string, TypeExtras>> };
}

function typeExtras(resource: AnyResource): TypeExtras {
  const { idempotencyToken, lookup, settleTime, holdsData, maxInFlight, exclusive } = resource;
  const { read, reads = read === undefined ? 'record' : 'world', repeatable = [] } = resource;
  const takesToken =
    idempotencyToken === true ? {} : idempotencyToken === false ? undefined : idempotencyToken;
  return {
    idempotencyToken: takesToken,
    lookup: lookup !== undefined,
    settleSeconds: settleTime,
    holdsData,
    maxInFlight,
    exclusive,
    reads,
    repeatable: resource.delete === undefined ? [...new Set([...repeatable, 'delete' as const])] : repeatable,
  };
}
