import type { Urn } from '@cairn/addresses';
import { emptyMap, isEmptyMap, plainOutputsMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type {
  Autonaming,
  Capabilities,
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  ListResponse,
  Provider,
  ReadResponse,
} from '../contracts/provider.js';
import { InvalidAnswerError } from '../contracts/provider-errors.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/provider.js';
import { ViewPublishers } from '../resource-status/client.js';
import { decodeView } from '../resource-status/messages.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { decodeStruct, encodeStruct, isWireValueError } from '../values/index.js';
import type { EncodeOptions } from '../values/index.js';
import { decodeCall, decodeConstruct } from './construct.js';
import { encodeDependencies } from './dependencies.js';
import { encodeDiff } from './diff-response.js';
import { statusErrorOf } from './errors.js';
import { decodeParameters } from './parameters.js';

const AUTONAMING = {
  [pb.CheckRequest_AutonamingOptions_Mode.PROPOSE]: 'propose',
  [pb.CheckRequest_AutonamingOptions_Mode.ENFORCE]: 'enforce',
  [pb.CheckRequest_AutonamingOptions_Mode.DISABLE]: 'disable',
} as const satisfies Record<pb.CheckRequest_AutonamingOptions_Mode, Autonaming['mode']>;

/**
 * Serves a provider to Cairn's engine or any other that speaks the protocol. Answers contain secrets and references as
 * such: every engine accepts them [PROV-11]. Errors carry their details [PROV-16].
 */
export function providerService(provider: Provider): Service {
  const publishers = new ViewPublishers();
  return service(pb.ResourceProviderDefinition, {
    handshake: (wire) =>
      withStatusErrors(async () => {
        const { engineAddress, rootDirectory, programDirectory, invokeWithPreview } = wire;
        const capabilities = await provider.handshake({
          engineAddress,
          rootDirectory,
          programDirectory,
          invokeWithPreview,
          loaderAddress: wire.loaderTarget,
          mapperAddress: wire.mapperTarget,
          resolverAddress: wire.resolverTarget,
        });
        if (capabilities === undefined) throw new StatusError('UNIMPLEMENTED', 'no handshake; see Configure');
        return {
          acceptSecrets: capabilities.acceptSecrets,
          acceptResources: capabilities.acceptResources,
          acceptOutputs: capabilities.acceptOutputs,
          supportsAutonamingConfiguration: capabilities.supportsAutonaming,
          acceptsByteString: capabilities.acceptByteStrings === true,
          acceptsOutputsInInvoke: capabilities.acceptOutputsInInvoke === true,
          acceptsOutputsInCall: capabilities.acceptOutputsInCall === true,
          acceptsOutputsInCheck: capabilities.acceptOutputsInCheck === true,
        };
      }),
    parameterize: (wire) => withStatusErrors(() => provider.parameterize(decodeParameters(wire))),
    getSchema: (wire) => withStatusErrors(async () => ({ schema: await provider.getSchema(wire) })),
    getPluginInfo: () => withStatusErrors(() => provider.getPluginInfo()),
    checkConfig: (wire) =>
      withStatusErrors(async () =>
        encodeCheck(
          await provider.checkConfig({
            ...identity(wire),
            olds: optionalStruct(wire.olds),
            news: decodeStruct(wire.news),
          }),
        ),
      ),
    diffConfig: (wire) =>
      withStatusErrors(async () =>
        encodeDiff(
          await provider.diffConfig({
            ...identity(wire),
            oldInputs: decodeStruct(wire.oldInputs),
            oldOutputs: decodeStruct(wire.olds),
            news: decodeStruct(wire.news),
            ignoreChanges: wire.ignoreChanges,
          }),
        ),
      ),
    configure: (wire) =>
      withStatusErrors(async () =>
        encodeCapabilities(
          await provider.configure({
            urn: (wire.urn ?? '') as Urn,
            name: wire.name ?? '',
            type: wire.type ?? '',
            id: wire.id ?? '',
            inputs: wire.args === undefined ? variables(wire.variables) : decodeStruct(wire.args),
          }),
        ),
      ),
    check: (wire) => withStatusErrors(async () => encodeCheck(await provider.check(decodeCheck(wire)))),
    diff: (wire) =>
      withStatusErrors(async () =>
        encodeDiff(
          await provider.diff({
            ...identity(wire),
            id: wire.id,
            oldInputs: decodeStruct(wire.oldInputs),
            oldOutputs: decodeStruct(wire.olds),
            news: decodeStruct(wire.news),
            allowUnknowns: true,
            ignoreChanges: wire.ignoreChanges,
          }),
        ),
      ),
    create: (wire) =>
      withStatusErrors(async () =>
        encodeCreated(await provider.create(decodeCreate(wire, publishers)), wire.preview),
      ),
    read: (wire) =>
      withStatusErrors(async () => {
        const inputs = optionalStruct(wire.inputs);
        const state = decodeStruct(wire.properties);
        const isImport = inputs === undefined && isEmptyMap(state);
        const found = await provider.read({
          ...identity(wire),
          id: wire.id,
          inputs,
          state: isImport ? undefined : state,
          timeoutSeconds: wire.timeout,
          ...decodeViews(wire, publishers),
        });
        return encodeRead(found);
      }),
    update: (wire) =>
      withStatusErrors(async () => {
        const { id, preview, timeout, ignoreChanges } = wire;
        const updated = await provider.update({
          ...identity(wire),
          id,
          oldInputs: decodeStruct(wire.oldInputs),
          oldOutputs: decodeStruct(wire.olds),
          news: decodeStruct(wire.news, { rejectUnknowns: !preview }),
          timeoutSeconds: timeout,
          ignoreChanges,
          preview,
          ...decodeViews(wire, publishers),
        });
        return {
          properties: outgoing(updated.outputs, { rejectUnknowns: !preview }),
          refreshBeforeUpdate: updated.refreshBeforeUpdate,
        };
      }),
    delete: (wire) =>
      withStatusErrors(async () => {
        await provider.delete({
          ...identity(wire),
          id: wire.id,
          oldInputs: decodeStruct(wire.oldInputs),
          oldOutputs: decodeStruct(wire.properties),
          timeoutSeconds: wire.timeout,
          ...decodeViews(wire, publishers),
        });
        return {};
      }),
    invoke: ({ tok, args, preview }) =>
      withStatusErrors(async () => {
        const { result, failures } = await provider.invoke({ token: tok, args: decodeStruct(args), preview });
        return { return: outgoing(result), failures: [...failures] };
      }),
    construct: (wire) =>
      withStatusErrors(async () => {
        const made = await provider.construct(decodeConstruct(wire));
        return {
          urn: made.urn,
          state: outgoing(made.outputs, { keepOutputValues: wire.acceptsOutputValues }),
          stateDependencies: encodeDependencies(made.outputDependencies),
        };
      }),
    call: (wire) =>
      withStatusErrors(async () => {
        const answer = await provider.call(decodeCall(wire));
        return {
          return: outgoing(answer.result, { keepOutputValues: wire.acceptsOutputValues }),
          returnDependencies: encodeDependencies(answer.resultDependencies),
          failures: [...answer.failures],
        };
      }),
    cancel: () =>
      withStatusErrors(async () => {
        await provider.cancel();
        return {};
      }),
    ...optionalMethods(provider),
  });
}

/** Returns the methods that a provider may lack. The peer receives UNIMPLEMENTED for a missing one. */
function optionalMethods(provider: Provider) {
  return {
    attach:
      provider.attach &&
      (({ address }: { address: string }) =>
        withStatusErrors(async () => {
          await provider.attach?.(address);
          return {};
        })),
    getMapping:
      provider.getMapping &&
      ((wire: pb.GetMappingRequest) =>
        withStatusErrors(
          async () => (await provider.getMapping?.(wire)) ?? { provider: '', data: new Uint8Array() },
        )),
    getMappings:
      provider.getMappings &&
      ((wire: pb.GetMappingsRequest) =>
        withStatusErrors(async () => ({ providers: [...((await provider.getMappings?.(wire)) ?? [])] }))),
    list:
      provider.list &&
      async function* (wire: pb.ListRequest) {
        const answer = await withStatusErrors(async () =>
          provider.list?.({ ...wire, query: decodeStruct(wire.query) }),
        );
        if (answer !== undefined) yield* encodeList(answer);
      },
  };
}

/** Decodes a request to create. */
export function decodeCreate(wire: pb.CreateRequest, publishers: ViewPublishers): CreateRequest {
  const { preview, timeout } = wire;
  return {
    ...identity(wire),
    inputs: decodeStruct(wire.properties, { rejectUnknowns: !preview }),
    timeoutSeconds: timeout,
    preview,
    ...decodeViews(wire, publishers),
  };
}

/** Encodes a created object. Throws if the provider's answer is not valid. */
export function encodeCreated(made: CreateResponse, preview: boolean): pb.CreateResponse {
  return {
    id: textId(made.id),
    properties: outgoing(made.outputs, { rejectUnknowns: !preview }),
    refreshBeforeUpdate: made.refreshBeforeUpdate,
  };
}

/** Runs a handler and converts its errors to the form that the peer receives. */
export async function withStatusErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw statusErrorOf(error);
  }
}

/** Decodes views of a request. Returns nothing if the engine does not listen for them. */
function decodeViews(
  wire: { resourceStatusAddress: string; resourceStatusToken: string; oldViews?: pb.View[] },
  publishers: ViewPublishers,
) {
  const views = publishers.at(wire.resourceStatusAddress, wire.resourceStatusToken);
  if (views === undefined) return {};
  return { views, ...(wire.oldViews !== undefined && { oldViews: wire.oldViews.map(decodeView) }) };
}

function identity({ urn, name, type }: { urn: string; name: string; type: string }) {
  return { urn: urn as Urn, name, type };
}

/** Encodes properties of an answer. Missing properties remain missing: each call gives that its own meaning. */
function outgoing(map: PropertyMap | undefined, options?: EncodeOptions): Uint8Array | undefined {
  if (map === undefined) return undefined;
  try {
    return encodeStruct(map, options);
  } catch (error) {
    throw isWireValueError(error) ? new InvalidAnswerError(error.message, { cause: error }) : error;
  }
}

/** Checks an id that an untyped program may have returned. A number would otherwise be sent as some text. */
function textId(id: unknown): string {
  if (typeof id !== 'string')
    throw new InvalidAnswerError(`its id is ${id === null ? 'null' : typeof id}, not a string`);
  return id;
}

function optionalStruct(bytes: Uint8Array | undefined): PropertyMap | undefined {
  return bytes === undefined ? undefined : decodeStruct(bytes);
}

/** Decodes settings in the older form, for engines that send no others: keys without `<package>:config:`. */
function variables(wire: ReadonlyMap<string, string>): PropertyMap {
  return Object.fromEntries([...wire].map(([key, value]) => [key.slice(key.lastIndexOf(':') + 1), value]));
}

function decodeCheck(wire: pb.CheckRequest): CheckRequest {
  const olds = decodeStruct(wire.olds);
  const sent = decodeStruct(wire.news, { keepOutputValues: true });
  const news = plainOutputsMap(sent);
  return {
    ...identity(wire),
    olds: isEmptyMap(olds) ? undefined : olds,
    news,
    ...(news !== sent && { newsWithOutputs: sent }),
    ...(wire.oldOutputs !== undefined && { oldOutputs: decodeStruct(wire.oldOutputs) }),
    randomSeed: wire.randomSeed,
    allowUnknowns: true,
    autonaming: wire.autonaming && {
      proposedName: wire.autonaming.proposedName,
      mode: AUTONAMING[wire.autonaming.mode],
    },
  };
}

function encodeCheck({ inputs, failures }: CheckResponse): pb.CheckResponse {
  return { inputs: outgoing(inputs), failures: [...failures] };
}

function encodeRead({ id, outputs, inputs, refreshBeforeUpdate }: ReadResponse): pb.ReadResponse {
  return {
    id: outputs === undefined ? '' : textId(id),
    properties: outgoing(outputs ?? emptyMap, { rejectUnknowns: true }),
    inputs: outgoing(inputs, { rejectUnknowns: true }),
    refreshBeforeUpdate,
  };
}

function encodeCapabilities(capabilities: Capabilities): pb.ConfigureResponse {
  return {
    acceptSecrets: capabilities.acceptSecrets,
    acceptResources: capabilities.acceptResources,
    acceptOutputs: capabilities.acceptOutputs,
    supportsPreview: capabilities.supportsPreview,
    supportsAutonamingConfiguration: capabilities.supportsAutonaming,
  };
}

function* encodeList({ computed, results, continuationToken }: ListResponse): Generator<pb.ListResponse> {
  if (computed) yield { response: { $case: 'computed', value: {} } };
  for (const result of results)
    yield { response: { $case: 'result', value: { id: result.id, name: result.name } } };
  if (continuationToken !== '') yield { response: { $case: 'continuation', value: { continuationToken } } };
}
