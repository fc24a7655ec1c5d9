import type { RpcRequest, RpcResponse, ServiceDefinition } from './method.js';
import { methodPath } from './method.js';

/** Information about a call for its handler. */
export interface CallContext {
  /** Returns a request header, or undefined if it was not sent. Calls over a stream have none. */
  metadata(name: string): string | undefined;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** Serves one unary method with encoded messages. */
export type UnaryHandler = (body: Uint8Array, context: CallContext) => Promise<Uint8Array>;

/** Serves one method that answers with a stream. */
export type StreamHandler = (body: Uint8Array, context: CallContext) => AsyncIterable<Uint8Array>;

/** Handlers of a server by method path, independent of the transport. */
export interface Service {
  readonly name: string;
  readonly unary: ReadonlyMap<string, UnaryHandler>;
  readonly streams: ReadonlyMap<string, StreamHandler>;
}

type MethodHandler<M> = M extends { responseStream: true }
  ? (request: RpcRequest<M>, context: CallContext) => AsyncIterable<RpcResponse<M>>
  : (request: RpcRequest<M>, context: CallContext) => Promise<RpcResponse<M>>;

/** Handlers of a service definition, with decoded messages. A missing method answers UNIMPLEMENTED. */
export type ServiceHandlers<D extends ServiceDefinition> = {
  readonly [K in keyof D['methods']]?: MethodHandler<D['methods'][K]> | undefined;
};

/** Creates a {@link Service} from handlers. Client-streaming methods cannot be served. */
export function service<D extends ServiceDefinition>(definition: D, handlers: ServiceHandlers<D>): Service {
  const unary = new Map<string, UnaryHandler>();
  const streams = new Map<string, StreamHandler>();
  for (const [key, method] of Object.entries(definition.methods)) {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the types above tie handler and method together
    const handler = (handlers as Record<string, any>)[key];
    if (handler === undefined || method.requestStream) continue;
    const path = methodPath(definition, method);
    if (method.responseStream) {
      streams.set(path, async function* (body, context) {
        for await (const message of handler(method.requestType.decode(body), context)) {
          yield method.responseType.encode(message).finish();
        }
      });
    } else {
      unary.set(path, answering(handler, method.requestType, method.responseType));
    }
  }
  return { name: definition.fullName, unary, streams };
}

/**
 * Keeps neither the bytes nor the message of a request until its answer: a program may wait for tens of thousands of
 * answers.
 */
function answering<Request, Response>(
  handler: (request: Request, context: CallContext) => Promise<Response>,
  request: { decode(bytes: Uint8Array): Request },
  response: { encode(message: Response): { finish(): Uint8Array } },
): UnaryHandler {
  const encode = (message: Response): Uint8Array => response.encode(message).finish();
  return (body, context) => {
    try {
      return handler(request.decode(body), context).then(encode);
    } catch (thrown) {
      return Promise.reject(thrown as Error);
    }
  };
}
