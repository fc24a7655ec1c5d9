import { isStatusError } from '../contracts/status.js';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from './method.js';
import { methodPath } from './method.js';

/** What a call may be given besides its message. */
export interface CallOptions {
  /** Extra request headers; lower-case names. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Ends the call with CANCELLED. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A connection on which methods of a peer are called by path, with encoded messages. Calls may be under way side by
 * side. Calls reject with {@link StatusError}. Idle connections do not keep the process alive.
 */
export interface Caller {
  unary(path: string, body: Uint8Array, options?: CallOptions): Promise<Uint8Array>;
  /** Messages of the answer as they come. Leaving the loop early cancels the call. */
  serverStream(path: string, body: Uint8Array, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Lets go of the connection; calls under way end with UNAVAILABLE. Never throws. */
  close(): void;
}

/** A client of one service with a function for each unary method, over any {@link Caller}. */
export type ServiceClient<D extends ServiceDefinition> = {
  readonly [K in keyof D['methods']]: (
    request: RequestOf<D['methods'][K]>,
    options?: CallOptions,
  ) => Promise<ResponseOf<D['methods'][K]>>;
};

/** Makes a {@link ServiceClient}. Its functions do not depend on `this`. */
export function serviceClient<D extends ServiceDefinition>(service: D, caller: Caller): ServiceClient<D> {
  const client: Record<string, unknown> = {};
  for (const [key, method] of Object.entries(service.methods)) {
    if (method.requestStream || method.responseStream) continue;
    const path = methodPath(service, method);
    const decode = (answer: Uint8Array): unknown => method.responseType.decode(answer);
    // Not suspended while it waits: that would keep the request for as long.
    client[key] = (request: unknown, options?: CallOptions) => {
      try {
        return caller.unary(path, method.requestType.encode(request).finish(), options).then(decode);
      } catch (thrown) {
        return Promise.reject(thrown as Error);
      }
    };
  }
  return client as ServiceClient<D>;
}

/** The answer to a call; undefined when the peer does not have the method. */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isStatusError(error, 'UNIMPLEMENTED')) return undefined;
    throw error;
  }
}

/** Calls a method that answers with a stream; messages come decoded. */
export async function* callStream<Request, Response>(
  caller: Caller,
  service: ServiceDefinition,
  method: MethodDefinition<Request, Response>,
  request: Request,
  options?: CallOptions,
): AsyncGenerator<Response> {
  const body = method.requestType.encode(request).finish();
  for await (const message of caller.serverStream(methodPath(service, method), body, options)) {
    yield method.responseType.decode(message);
  }
}
