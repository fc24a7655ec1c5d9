import type { Urn } from '@cairn/addresses';
import type { Provider, ProviderExtras, TypeExtras } from '../contracts/provider.js';
import * as own from '../generated/cairn/provider.js';
import * as pb from '../generated/pulumi/provider.js';
import { encodeMap } from '@cairn/protobuf';
import { ViewPublishers } from '../resource-status/client.js';
import { MessageQueue } from '../rpc/message-queue.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { decodeStruct } from '../values/index.js';
import { decodeCreate, encodeCreated, withStatusErrors } from './server.js';

/**
 * Serves a provider's promises beyond the common protocol (proto/cairn/provider.proto), next to its ordinary service. A
 * provider without such promises needs none.
 */
export function providerExtrasService(provider: Provider): Service {
  const publishers = new ViewPublishers();
  const noted = new Map<string, () => void>();
  return service(own.ProviderExtrasDefinition, {
    describe: () => withStatusErrors(async () => encodeExtras((await provider.extras?.()) ?? { types: {} })),
    lookup:
      provider.lookup &&
      (({ urn, name, type, inputs, token }) =>
        withStatusErrors(async () => {
          const request = { urn: urn as Urn, name, type, inputs: decodeStruct(inputs), token };
          const answer = await provider.lookup?.(request);
          return { found: (answer?.found ?? []).map(({ id }) => id) };
        })),
    create: async function* ({ create, token, progressId, key }) {
      const request = decodeCreate(pb.CreateRequest.decode(create), publishers);
      const events = new MessageQueue<own.CreateEvent>();
      const creating = withStatusErrors(() =>
        provider.create({
          ...request,
          token: token === '' ? undefined : token,
          progressId,
          onProgressId: (id) =>
            new Promise((resolve) => {
              noted.set(key, resolve);
              events.push({ event: { $case: 'progressId', value: id } });
            }),
        }),
      ).finally(() => events.end());
      // The failure is thrown below, once; until then it must not count as unhandled.
      creating.catch(() => undefined);
      yield* events;
      noted.delete(key);
      const value = pb.CreateResponse.encode(encodeCreated(await creating, request.preview)).finish();
      yield { event: { $case: 'created', value } };
    },
    noted: ({ key }) => {
      noted.get(key)?.();
      return Promise.resolve({});
    },
  });
}

function encodeExtras({ maxInFlight = 0, types }: ProviderExtras): own.DescribeResponse {
  return { maxInFlight, types: encodeMap(types, encodeType) };
}

function encodeType(extras: TypeExtras): own.TypeExtras {
  const { idempotencyToken, lookup, settleSeconds, holdsData, maxInFlight, exclusive, reads } = extras;
  return {
    takesToken: idempotencyToken !== undefined,
    tokenLength: idempotencyToken?.maxLength ?? 0,
    lookup: lookup === true,
    settleSeconds,
    holdsData: holdsData === true,
    maxInFlight: maxInFlight ?? 0,
    exclusive: [...(exclusive ?? [])],
    reads: reads === undefined ? own.Reads.READS_UNSAID : READS[reads],
    repeatableUpdate: extras.repeatable?.includes('update') === true,
    repeatableDelete: extras.repeatable?.includes('delete') === true,
    plainCreate: extras.plainCreate === true,
    comparesArguments: extras.compares === 'arguments',
  };
}

const READS = { world: own.Reads.READS_WORLD, record: own.Reads.READS_RECORD } as const;
