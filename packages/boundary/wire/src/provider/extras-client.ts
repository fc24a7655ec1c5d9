import { randomUUID } from 'node:crypto';
import { InvalidAnswerError } from '../contracts/provider-errors.js';
import type {
  CreateRequest,
  LookupRequest,
  LookupResponse,
  ProviderExtras,
  TypeExtras,
} from '../contracts/provider.js';
import * as own from '../generated/cairn/provider.js';
import * as pb from '../generated/pulumi/provider.js';
import { decodeMap } from '@cairn/protobuf';
import { callStream, orUndefined, serviceClient } from '../rpc/caller.js';
import type { Caller, ServiceClient } from '../rpc/caller.js';

/**
 * Client of the companion service of a provider (proto/cairn/provider.proto), if there is one. Errors are StatusErrors.
 */
export class ProviderExtrasClient {
  readonly #rpc: ServiceClient<typeof own.ProviderExtrasDefinition>;
  #described: Promise<ProviderExtras | undefined> | undefined;
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#rpc = serviceClient(own.ProviderExtrasDefinition, caller);
  }

  /** Returns the provider's promises; requested once. Undefined if there is no such service. */
  describe(): Promise<ProviderExtras | undefined> {
    return (this.#described ??= this.#describe());
  }

  async lookup(request: LookupRequest, inputs: Uint8Array): Promise<LookupResponse> {
    const { urn, name, type, token } = request;
    const { found } = await this.#rpc.lookup({ urn, name, type, inputs, token });
    return { found: found.map((id) => ({ id })) };
  }

  /** Makes a create that can be continued. */
  async create(wire: pb.CreateRequest, request: CreateRequest): Promise<pb.CreateResponse> {
    const key = randomUUID();
    const { token = '', progressId, onProgressId } = request;
    const body = { create: pb.CreateRequest.encode(wire).finish(), token, progressId, key };
    const { create } = own.ProviderExtrasDefinition.methods;
    let created: Uint8Array | undefined;
    for await (const { event } of callStream(this.#caller, own.ProviderExtrasDefinition, create, body)) {
      if (event?.$case === 'progressId') {
        await onProgressId?.(event.value);
        await this.#rpc.noted({ key });
      } else if (event?.$case === 'created') created = event.value;
    }
    if (created === undefined) throw new InvalidAnswerError('it is empty');
    return pb.CreateResponse.decode(created);
  }

  async #describe(): Promise<ProviderExtras | undefined> {
    const answer = await orUndefined(this.#rpc.describe({}));
    return (
      answer && { maxInFlight: answer.maxInFlight || undefined, types: decodeMap(answer.types, decodeType) }
    );
  }
}

function decodeType(wire: own.TypeExtras): TypeExtras {
  const { takesToken, tokenLength, lookup, settleSeconds, holdsData, maxInFlight, exclusive } = wire;
  const { repeatableUpdate, repeatableDelete } = wire;
  return {
    idempotencyToken: takesToken ? { maxLength: tokenLength === 0 ? undefined : tokenLength } : undefined,
    lookup,
    settleSeconds,
    holdsData,
    maxInFlight: maxInFlight === 0 ? undefined : maxInFlight,
    exclusive: exclusive.length === 0 ? undefined : exclusive,
    reads: READS[wire.reads],
    repeatable: [
      ...(repeatableUpdate ? ['update' as const] : []),
      ...(repeatableDelete ? ['delete' as const] : []),
    ],
    plainCreate: wire.plainCreate || undefined,
    compares: wire.comparesArguments ? 'arguments' : undefined,
  };
}

/** Meaning of each number. Numbers of later versions count as not set. */
const READS: Readonly<Partial<Record<own.Reads, TypeExtras['reads']>>> = {
  [own.Reads.READS_WORLD]: 'world',
  [own.Reads.READS_RECORD]: 'record',
};
