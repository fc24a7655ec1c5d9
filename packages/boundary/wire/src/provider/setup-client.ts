import * as pb from '../generated/pulumi/provider.js';
import { UNKNOWN_ID, providerTypePackage } from '@cairn/addresses';
import { emptyMap, equalMaps, isArray, isKind, isMap, plainOutputs, stripSecrets } from '@cairn/values';
import type {
  Capabilities,
  CheckConfigRequest,
  CheckResponse,
  ConfigureRequest,
  DiffConfigRequest,
  DiffResponse,
  GetSchemaRequest,
  HandshakeRequest,
  ProviderMapping,
  ParameterizeRequest,
  ParameterizeResponse,
  PluginInfo,
} from '../contracts/provider.js';
import { serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';
import type { EncodeOptions } from '../values/index.js';
import { decodeCheckedInputs } from './answers.js';
import { decodeDiff } from './diff-response.js';
import { ProviderExchange } from './exchange.js';
import { encodeParameters } from './parameters.js';
import { annotateSecrets } from './secrets.js';
import type { PropertyMap, PropertyValue } from '@cairn/values';

/** Settings are checked and compared without secrets and references [PROV-14]. */
const BARE: EncodeOptions = { keepSecrets: false, keepResources: false };

/** Options of a provider behind a connection. */
export interface ProviderClientOptions {
  /**
   * Called once when the client is closed, after the connection is closed. It can, for example, end a plugin process.
   */
  readonly onClose?: (() => Promise<void>) | undefined;
  /** Ask providers to report if a resource must be refreshed before its next update. Defaults to true. */
  readonly refreshBeforeUpdate?: boolean | undefined;
}

/** Requests to a provider behind a connection about itself: its handshake, its package and its settings. */
export class ProviderSetup {
  protected readonly rpc: ServiceClient<typeof pb.ResourceProviderDefinition>;
  protected readonly exchange = new ProviderExchange();
  #shookHands = false;

  constructor(
    caller: Caller,
    protected readonly options: ProviderClientOptions,
  ) {
    this.rpc = serviceClient(pb.ResourceProviderDefinition, caller);
  }

  async handshake(request: HandshakeRequest): Promise<Capabilities | undefined> {
    const wire = pb.ProviderHandshakeRequest.fromPartial({
      engineAddress: request.engineAddress,
      rootDirectory: request.rootDirectory,
      programDirectory: request.programDirectory,
      loaderTarget: request.loaderAddress,
      mapperTarget: request.mapperAddress,
      resolverTarget: request.resolverAddress,
      configureWithUrn: true,
      supportsViews: true,
      supportsRefreshBeforeUpdate: this.options.refreshBeforeUpdate ?? true,
      invokeWithPreview: true,
      acceptsByteString: true,
      sendsOldOutputsToCheck: true,
      acceptsOutputsInInvoke: true,
      acceptsOutputsInCall: true,
      acceptsOutputsInCheck: true,
    });
    const answer = await this.exchange.tryCall(() => this.rpc.handshake(wire));
    if (answer === undefined) return undefined;
    this.#shookHands = true;
    this.exchange.capabilities = {
      acceptSecrets: answer.acceptSecrets,
      acceptResources: answer.acceptResources,
      acceptOutputs: answer.acceptOutputs,
      supportsPreview: true,
      supportsAutonaming: answer.supportsAutonamingConfiguration,
      acceptByteStrings: answer.acceptsByteString,
      ...(answer.acceptsOutputsInInvoke && { acceptOutputsInInvoke: true }),
      ...(answer.acceptsOutputsInCall && { acceptOutputsInCall: true }),
      ...(answer.acceptsOutputsInCheck && { acceptOutputsInCheck: true }),
    };
    return this.exchange.capabilities;
  }

  async attach(address: string): Promise<void> {
    await this.exchange.request(() => this.rpc.attach({ address }));
  }

  async parameterize(request: ParameterizeRequest): Promise<ParameterizeResponse> {
    return this.exchange.request(() => this.rpc.parameterize(encodeParameters(request)));
  }

  async getPluginInfo(): Promise<PluginInfo> {
    return this.exchange.request(() => this.rpc.getPluginInfo({}));
  }

  async getSchema(request: GetSchemaRequest): Promise<string> {
    const wire = pb.GetSchemaRequest.fromPartial(request);
    return (await this.exchange.request(() => this.rpc.getSchema(wire))).schema;
  }

  async getMapping(request: {
    readonly key: string;
    readonly provider: string;
  }): Promise<ProviderMapping | undefined> {
    const answer = await this.exchange.tryCall(() => this.rpc.getMapping(request));
    return answer === undefined || answer.data.length === 0 ? undefined : answer;
  }

  async getMappings(request: { readonly key: string }): Promise<readonly string[]> {
    return (await this.exchange.tryCall(() => this.rpc.getMappings(request)))?.providers ?? [];
  }

  async checkConfig(request: CheckConfigRequest): Promise<CheckResponse> {
    const { urn, name, type, news } = request;
    const wire = pb.CheckRequest.fromPartial({
      urn,
      name,
      type,
      olds: this.exchange.encode(request.olds ?? emptyMap, BARE),
      news: this.exchange.encode(news, BARE),
    });
    const answer = await this.exchange.tryCall(() => this.rpc.checkConfig(wire));
    if (answer === undefined) return { inputs: news, failures: [] };
    return this.exchange.decoded(() => ({
      inputs: annotateSecrets(decodeCheckedInputs(answer, news), news),
      failures: answer.failures,
    }));
  }

  async diffConfig(request: DiffConfigRequest): Promise<DiffResponse> {
    const { urn, name, type, ignoreChanges } = request;
    const wire = pb.DiffRequest.fromPartial({
      id: '',
      urn,
      name,
      type,
      olds: this.exchange.encode(request.oldOutputs, BARE),
      oldInputs: this.exchange.encode(request.oldInputs, BARE),
      news: this.exchange.encode(request.news, BARE),
      ignoreChanges: [...ignoreChanges],
    });
    const answer = await this.exchange.tryCall(() => this.rpc.diffConfig(wire));
    if (answer !== undefined) return this.exchange.decoded(() => decodeDiff(answer));
    return {
      changes: equalMaps(request.oldOutputs, request.news) ? 'none' : 'some',
      replaceKeys: [],
      changedKeys: [],
      stableKeys: [],
      detailedDiff: undefined,
      deleteBeforeReplace: false,
    };
  }

  async configure(request: ConfigureRequest): Promise<Capabilities> {
    const { urn, name, type, id, inputs } = request;
    const wire = pb.ConfigureRequest.fromPartial({
      variables: configVariables(type, inputs),
      args: this.exchange.encode(inputs, { rejectUnknowns: true, keepSecrets: true, keepResources: true }),
      acceptSecrets: true,
      acceptResources: true,
      sendsOldInputs: true,
      sendsOldInputsToDelete: true,
      urn,
      name,
      type,
      id: id === '' ? UNKNOWN_ID : id,
    });
    const answer = await this.exchange.request(() => this.rpc.configure(wire));
    if (!this.#shookHands) {
      this.exchange.capabilities = {
        acceptSecrets: answer.acceptSecrets,
        acceptResources: answer.acceptResources,
        acceptOutputs: answer.acceptOutputs,
        supportsPreview: answer.supportsPreview,
        supportsAutonaming: answer.supportsAutonamingConfiguration,
      };
    }
    return this.exchange.capabilities;
  }
}

/**
 * Encodes settings of a provider in the older form: texts by `<package>:config:<key>`. Texts are sent bare, everything
 * else as JSON. Secrets are sent in the clear, and `version` is left out [PROV-11].
 */
function configVariables(providerType: string, inputs: PropertyMap): Map<string, string> {
  const prefix = `${providerTypePackage(providerType) ?? providerType}:config:`;
  const variables = new Map<string, string>();
  for (const key of Object.keys(inputs)) {
    if (key === 'version') continue;
    const value = stripSecrets(plainOutputs(inputs[key] as PropertyValue));
    variables.set(prefix + key, typeof value === 'string' ? value : JSON.stringify(plain(value)));
  }
  return variables;
}

function plain(value: PropertyValue): unknown {
  if (isArray(value)) return value.map(plain);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  if (isKind(value, 'reference')) return typeof value.id === 'string' ? value.id : value.urn;
  if (isKind(value, 'bytes')) return Buffer.from(value.bytes).toString('base64');
  if (isKind(value, 'asset')) return value.text ?? value.path ?? value.uri ?? null;
  if (isKind(value, 'archive')) return value.path ?? value.uri ?? null;
  return value;
}
