import type { CallOptions, Caller } from './caller.js';
import type { CallContext, Service, StreamHandler, UnaryHandler } from './service.js';

/** Which end of a connection we are, and who is at the other one. */
export interface Peer {
  readonly mode: 'client' | 'server';
  readonly kind?: 'resource' | 'analyzer' | 'converter' | 'language' | 'callbacks';
  /** Package of a provider, name of a policy pack or converter. */
  readonly name?: string;
  /** Language of a language host. */
  readonly runtime?: string;
}

/** A call that begins. */
interface BegunCall {
  readonly peer: Peer;
  /** E.g. `/pulumirpc.ResourceProvider/Check`. */
  readonly path: string;
  /** The answer is a stream of messages. */
  readonly stream: boolean;
  /** The request. */
  readonly body: Uint8Array;
  /** A header of the request; undefined when there is none. */
  readonly header: (name: string) => string | undefined;
}

/** Hears what becomes of one call. Nothing here may throw. */
export interface CallEar {
  /** Headers that a call of ours takes along. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** A message of the answer. */
  answered(body: Uint8Array): void;
  /** The call is over; with an error when it failed. */
  ended(error?: unknown): void;
}

/** Hears all calls of connections and servers that it was given to. Without one, nothing is done for it. */
export interface CallWatch {
  begin(call: BegunCall): CallEar;
}

/** The caller, its calls heard by a watch; without a watch the caller itself. */
export function watchedCaller(inner: Caller, peer: Peer, watch: CallWatch | undefined): Caller {
  if (watch === undefined) return inner;
  const begin = (path: string, body: Uint8Array, stream: boolean, options: CallOptions = {}) => {
    const ear = watch.begin({ peer, path, stream, body, header: (name) => options.metadata?.[name] });
    const { metadata } = ear;
    return {
      ear,
      heard:
        metadata === undefined ? options : { ...options, metadata: { ...options.metadata, ...metadata } },
    };
  };
  return {
    unary: (path, body, options) => {
      const { ear, heard } = begin(path, body, false, options);
      return settled(ear, inner.unary(path, body, heard));
    },
    serverStream: (path, body, options) => {
      const { ear, heard } = begin(path, body, true, options);
      return followed(ear, inner.serverStream(path, body, heard));
    },
    close: () => inner.close(),
  };
}

/** The services, calls to them heard by a watch; without a watch the services themselves. */
export function watchedServices(
  services: readonly Service[],
  watch: CallWatch | undefined,
): readonly Service[] {
  return watch === undefined ? services : services.map((service) => watchedService(service, watch));
}

function watchedService({ name, unary, streams }: Service, watch: CallWatch): Service {
  const begin = (path: string, body: Uint8Array, stream: boolean, context: CallContext): CallEar =>
    watch.begin({ peer: SERVER, path, stream, body, header: (header) => context.metadata(header) });
  const one = (path: string, handler: UnaryHandler): UnaryHandler => {
    return (body, context) => settled(begin(path, body, false, context), handler(body, context));
  };
  const many = (path: string, handler: StreamHandler): StreamHandler => {
    return (body, context) => followed(begin(path, body, true, context), handler(body, context));
  };
  return {
    name,
    unary: new Map([...unary].map(([path, handler]) => [path, one(path, handler)])),
    streams: new Map([...streams].map(([path, handler]) => [path, many(path, handler)])),
  };
}

const SERVER: Peer = { mode: 'server' };

async function settled(ear: CallEar, answer: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    const body = await answer;
    ear.answered(body);
    ear.ended();
    return body;
  } catch (error) {
    ear.ended(error);
    throw error;
  }
}

async function* followed(ear: CallEar, answers: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  try {
    for await (const body of answers) {
      ear.answered(body);
      yield body;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    ear.ended(failure);
  }
}
