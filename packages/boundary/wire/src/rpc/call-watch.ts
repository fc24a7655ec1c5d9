import type { CallOptions, Caller } from './caller.js';
import type { CallContext, Service, StreamHandler, UnaryHandler } from './service.js';

/** Own end of a connection, and the peer at the other end. */
export interface Peer {
  readonly mode: 'client' | 'server';
  readonly kind?: 'resource' | 'analyzer' | 'converter' | 'language' | 'callbacks';
  /** Package of a provider, name of a policy pack or converter. */
  readonly name?: string;
  /** Language of a language host. */
  readonly runtime?: string;
}

/** Call that begins. */
interface BegunCall {
  readonly peer: Peer;
  /** Path of the method, e.g. `/pulumirpc.ResourceProvider/Check`. */
  readonly path: string;
  /** True if the answer is a stream of messages. */
  readonly stream: boolean;
  /** Encoded request. */
  readonly body: Uint8Array;
  /** Returns a header of the request, or undefined if there is none. */
  readonly header: (name: string) => string | undefined;
}

/** Observer of one call. Its methods must not throw. */
export interface CallEar {
  /** Headers to add to an outgoing call. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Receives a message of the answer. */
  answered(body: Uint8Array): void;
  /** Called when the call is over, with an error if it failed. */
  ended(error?: unknown): void;
}

/** Observer of all calls of the connections and servers that it was passed to. Without one, there is no overhead. */
export interface CallWatch {
  begin(call: BegunCall): CallEar;
}

/** Returns a caller whose calls are observed by the watch, or the caller itself without a watch. */
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

/** Returns services whose calls are observed by the watch, or the services themselves without a watch. */
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
