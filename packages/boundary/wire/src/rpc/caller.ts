import { isStatusError } from '../contracts/status.js';
import type { RpcMethod, RpcRequest, RpcResponse, ServiceDefinition } from './method.js';
import { methodPath } from './method.js';

/** Options of a call besides its message. */
export interface CallOptions {
  /** Extra request headers, with lower-case names. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Ends the call with CANCELLED when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connection for calls of a peer's methods by path, with encoded messages. Calls may run side by side. Calls reject
 * with {@link StatusError}. Idle connections do not keep the process alive.
 */
export interface Caller {
  unary(path: string, body: Uint8Array, options?: CallOptions): Promise<Uint8Array>;
  /** Yields messages of the answer as they arrive. Leaving the loop early cancels the call. */
  serverStream(path: string, body: Uint8Array, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Closes the connection; calls under way end with UNAVAILABLE. Never throws. */
  close(): void;
}

/** Client of one service with a function for each unary method, over any {@link Caller}. */
export type ServiceClient<D extends ServiceDefinition> = {
  readonly [K in keyof D['methods']]: (
    request: RpcRequest<D['methods'][K]>,
    options?: CallOptions,
  ) => Promise<RpcResponse<D['methods'][K]>>;
};

/** Creates a {@link ServiceClient}. Its functions do not depend on `this`. */
export function serviceClient<D extends ServiceDefinition>(service: D, caller: Caller): ServiceClient<D> {
  const client: Record<string, unknown> = {};
  for (const [key, method] of Object.entries(service.methods)) {
    if (method.requestStream || method.responseStream) continue;
    const path = methodPath(service, method);
    const decode = (answer: Uint8Array): unknown => method.responseType.decode(answer);
    // Not an async function: a suspended one would keep the request until the answer.
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

/** Returns the answer to a call, or undefined if the peer does not have the method. */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isStatusError(error, 'UNIMPLEMENTED')) return undefined;
    throw error;
  }
}

/** Calls a method that answers with a stream, and yields decoded messages. */
export async function* callStream<Request, Response>(
  caller: Caller,
  service: ServiceDefinition,
  method: RpcMethod<Request, Response>,
  request: Request,
  options?: CallOptions,
): AsyncGenerator<Response> {
  const body = method.requestType.encode(request).finish();
  for await (const message of caller.serverStream(methodPath(service, method), body, options)) {
    yield method.responseType.decode(message);
  }
}
