import { asUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap, isEmptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type {
  CallRequest,
  CallResponse,
  CheckRequest,
  CheckResponse,
  ConstructRequest,
  ConstructResponse,
  CreateRequest,
  CreateResponse,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  InvokeRequest,
  InvokeResponse,
  ListRequest,
  ListResponse,
  LookupRequest,
  LookupResponse,
  Provider,
  ProviderExtras,
  ReadRequest,
  ReadResponse,
  UpdateRequest,
  UpdateResponse,
} from '../contracts/provider.js';
import * as pb from '../generated/pulumi/provider.js';
import { callStream } from '../rpc/caller.js';
import type { Caller } from '../rpc/caller.js';
import type { EncodeOptions } from '../values/index.js';
import { decodeCheckedInputs, decodeOutputs, struct } from './answers.js';
import { restoreContents } from './assets.js';
import { encodeCall, encodeConstruct } from './construct.js';
import { decodeDependencies } from './dependencies.js';
import { decodeDiff } from './diff-response.js';
import { ProviderExtrasClient } from './extras-client.js';
import { ProviderSetup } from './setup-client.js';
import type { ProviderClientOptions } from './setup-client.js';
import { encodeView } from '../resource-status/messages.js';
import { annotateAllSecret } from './secrets.js';

const AUTONAMING = {
  propose: pb.CheckRequest_AutonamingOptions_Mode.PROPOSE,
  enforce: pb.CheckRequest_AutonamingOptions_Mode.ENFORCE,
  disable: pb.CheckRequest_AutonamingOptions_Mode.DISABLE,
} as const;

/**
 * Provider behind a connection. Values are sent in the forms that the provider's capabilities allow; values that were
 * sent without marks are marked secret in answers [PROV-12] [PROV-11]. Errors: [PROV-16]. Methods that older providers
 * lack are answered as in [PROV-14].
 */
export class ProviderClient extends ProviderSetup implements Provider {
  readonly #own: ProviderExtrasClient;
  #closing: Promise<void> | undefined;
  readonly #caller: Caller;

  constructor(caller: Caller, options: ProviderClientOptions = {}) {
    super(caller, options);
    this.#caller = caller;
    this.#own = new ProviderExtrasClient(caller);
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const { urn, name, type, news, olds, allowUnknowns, autonaming } = request;
    const keepOutputValues = this.exchange.capabilities.acceptOutputsInCheck === true;
    const sent = keepOutputValues ? (request.newsWithOutputs ?? news) : news;
    const wire = pb.CheckRequest.fromPartial({
      urn,
      name,
      type,
      olds: this.exchange.encode(olds ?? emptyMap, { keepUnknowns: allowUnknowns }),
      news: this.exchange.encode(sent, { keepUnknowns: allowUnknowns, keepOutputValues }),
      ...(request.oldOutputs !== undefined && {
        oldOutputs: this.exchange.encode(request.oldOutputs, { keepUnknowns: allowUnknowns }),
      }),
      randomSeed: request.randomSeed,
    });
    if (autonaming !== undefined && this.exchange.capabilities.supportsAutonaming) {
      wire.autonaming = { proposedName: autonaming.proposedName, mode: AUTONAMING[autonaming.mode] };
    }
    const answer = await this.exchange.request(() => this.rpc.check(wire));
    return this.exchange.decoded(() => ({
      inputs: this.exchange.annotate(
        decodeCheckedInputs(answer, news, { rejectUnknowns: !allowUnknowns }),
        news,
      ),
      failures: answer.failures,
    }));
  }

  async diff(request: DiffRequest): Promise<DiffResponse> {
    const { id, urn, name, type, allowUnknowns, ignoreChanges } = request;
    const elided: EncodeOptions = { elideAssetContents: true, keepUnknowns: allowUnknowns };
    const wire = pb.DiffRequest.fromPartial({
      id,
      urn,
      name,
      type,
      olds: this.exchange.encode(request.oldOutputs, elided),
      oldInputs: this.exchange.encode(request.oldInputs, elided),
      news: this.exchange.encode(request.news, elided),
      ignoreChanges: [...ignoreChanges],
    });
    const answer = await this.exchange.request(() => this.rpc.diff(wire));
    return this.exchange.decoded(() => decodeDiff(answer));
  }

  async create(request: CreateRequest): Promise<CreateResponse> {
    const { urn, name, type, inputs, preview } = request;
    if (preview && !this.exchange.capabilities.supportsPreview)
      return { id: '', outputs: inputs, refreshBeforeUpdate: false };
    const wire = pb.CreateRequest.fromPartial({
      urn,
      name,
      type,
      properties: this.exchange.encode(inputs, { keepUnknowns: preview }),
      timeout: request.timeoutSeconds,
      preview,
      ...encodeViews(request),
    });
    const answer = await this.exchange.callFor(inputs, () =>
      isRepeatable(request) ? this.#own.create(wire, request) : this.rpc.create(wire),
    );
    return this.exchange.decoded(() => ({
      id: answer.id,
      outputs: this.exchange.annotate(decodeOutputs(answer.properties, preview), inputs),
      refreshBeforeUpdate: answer.refreshBeforeUpdate,
    }));
  }

  /** Returns undefined for providers of the common protocol: they have no such service and make no promises. */
  extras(): Promise<ProviderExtras | undefined> {
    return this.exchange.request(() => this.#own.describe());
  }

  async lookup(request: LookupRequest): Promise<LookupResponse> {
    return this.exchange.request(() => this.#own.lookup(request, this.exchange.encode(request.inputs, {})));
  }

  /**
   * Reads an object. An import sends only the id; an answer without properties then means that there is no such object
   * [PROV-17].
   */
  async read(request: ReadRequest): Promise<ReadResponse> {
    const { id, urn, name, type, inputs, state } = request;
    const elided: EncodeOptions = { elideAssetContents: true };
    const wire = pb.ReadRequest.fromPartial({
      id,
      urn,
      name,
      type,
      properties: this.exchange.encode(state ?? emptyMap, elided),
      inputs: inputs === undefined ? undefined : this.exchange.encode(inputs, elided),
      timeout: request.timeoutSeconds,
      ...encodeViews(request),
    });
    const answer = await this.exchange.callFor(inputs ?? emptyMap, () => this.rpc.read(wire));
    return this.exchange.decoded(() => {
      const reported = (
        bytes: Uint8Array | undefined,
        sent: PropertyMap | undefined,
      ): PropertyMap | undefined => {
        if (bytes === undefined) return undefined;
        const map = restoreContents(struct(bytes, { rejectUnknowns: true }), inputs ?? emptyMap);
        return sent === undefined ? map : this.exchange.annotate(map, sent);
      };
      const outputs = reported(answer.properties, state);
      return {
        id: answer.id,
        outputs:
          answer.id === '' || (state === undefined && outputs !== undefined && isEmptyMap(outputs))
            ? undefined
            : outputs,
        inputs: reported(answer.inputs, inputs),
        refreshBeforeUpdate: answer.refreshBeforeUpdate,
      };
    });
  }

  async update(request: UpdateRequest): Promise<UpdateResponse> {
    const { id, urn, name, type, news, preview } = request;
    if (preview && !this.exchange.capabilities.supportsPreview)
      return { outputs: news, refreshBeforeUpdate: false };
    const elided: EncodeOptions = { elideAssetContents: true, keepUnknowns: preview };
    const wire = pb.UpdateRequest.fromPartial({
      id,
      urn,
      name,
      type,
      olds: this.exchange.encode(request.oldOutputs, elided),
      oldInputs: this.exchange.encode(request.oldInputs, elided),
      news: this.exchange.encode(news, { keepUnknowns: preview }),
      timeout: request.timeoutSeconds,
      ignoreChanges: [...request.ignoreChanges],
      preview,
      ...encodeViews(request),
    });
    const answer = await this.exchange.callFor(news, () => this.rpc.update(wire));
    return this.exchange.decoded(() => ({
      outputs: this.exchange.annotate(decodeOutputs(answer.properties, preview), news),
      refreshBeforeUpdate: answer.refreshBeforeUpdate,
    }));
  }

  async delete(request: DeleteRequest): Promise<void> {
    const { id, urn, name, type } = request;
    const elided: EncodeOptions = { elideAssetContents: true };
    const wire = pb.DeleteRequest.fromPartial({
      id,
      urn,
      name,
      type,
      properties: this.exchange.encode(request.oldOutputs, elided),
      oldInputs: this.exchange.encode(request.oldInputs, elided),
      timeout: request.timeoutSeconds,
      ...encodeViews(request),
    });
    await this.exchange.callFor(request.oldInputs, () => this.rpc.delete(wire));
  }

  async invoke(request: InvokeRequest): Promise<InvokeResponse> {
    const { token, args, argsWithOutputs = args, preview } = request;
    const keepOutputValues = this.exchange.capabilities.acceptOutputsInInvoke === true;
    const sent = keepOutputValues ? argsWithOutputs : args;
    const answer = await this.exchange.request(() =>
      this.rpc.invoke({
        tok: token,
        args: this.exchange.encode(sent, { keepUnknowns: false, keepOutputValues }),
        preview,
      }),
    );
    return this.exchange.decoded(() => {
      const result = struct(answer.return, { rejectUnknowns: true, keepOutputValues });
      return {
        result: this.exchange.capabilities.acceptSecrets ? result : annotateAllSecret(result, args),
        failures: answer.failures,
      };
    });
  }

  async construct(request: ConstructRequest): Promise<ConstructResponse> {
    const wire = encodeConstruct(request, (map) => this.exchange.encode(map, this.exchange.outputValues));
    const answer = await this.exchange.request(() => this.rpc.construct(wire));
    return this.exchange.decoded(() => ({
      urn: asUrn(answer.urn),
      outputs: struct(answer.state, { keepUnknowns: request.context.dryRun, keepOutputValues: true }),
      outputDependencies: decodeDependencies<Urn>(answer.stateDependencies),
    }));
  }

  async call(request: CallRequest): Promise<CallResponse> {
    const wire = encodeCall(request, (map) =>
      this.exchange.encode(map, { ...this.exchange.outputValuesOfCalls, keepSecrets: true }),
    );
    const answer = await this.exchange.request(() => this.rpc.call(wire));
    return this.exchange.decoded(() => ({
      result: struct(answer.return, { keepUnknowns: request.context.dryRun, keepOutputValues: true }),
      resultDependencies: decodeDependencies<Urn>(answer.returnDependencies),
      failures: answer.failures,
    }));
  }

  async list(request: ListRequest): Promise<ListResponse> {
    const { list } = pb.ResourceProviderDefinition.methods;
    const wire = { ...request, query: this.exchange.encode(request.query, {}) };
    const results: { id: string; name: string }[] = [];
    let computed = false;
    let continuationToken = '';
    await this.exchange.request(async () => {
      for await (const { response } of callStream(this.#caller, pb.ResourceProviderDefinition, list, wire)) {
        if (response?.$case === 'result') results.push(response.value);
        else if (response?.$case === 'continuation') continuationToken = response.value.continuationToken;
        else if (response?.$case === 'computed') computed = true;
      }
    });
    return { computed, results, continuationToken };
  }

  async cancel(): Promise<void> {
    await this.exchange.tryCall(() => this.rpc.cancel({}));
  }

  close(): Promise<void> {
    this.#closing ??= this.#letGo();
    return this.#closing;
  }

  async #letGo(): Promise<void> {
    this.#caller.close();
    await this.options.onClose?.().catch(() => {});
  }
}

/** True if the create has fields that only the provider's companion service accepts. */
function isRepeatable({ token, progressId, onProgressId }: CreateRequest): boolean {
  return token !== undefined || progressId !== undefined || onProgressId !== undefined;
}

/** Encodes the address for publishing views, and the known views. */
function encodeViews({ views, oldViews }: Pick<UpdateRequest, 'views' | 'oldViews'>) {
  return {
    resourceStatusAddress: views?.address ?? '',
    resourceStatusToken: views?.address ? views.token : '',
    ...(oldViews !== undefined && { oldViews: oldViews.map(encodeView) }),
  };
}
