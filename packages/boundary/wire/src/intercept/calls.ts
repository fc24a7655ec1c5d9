import type { Requests, Responses } from '../contracts/calls.js';

/** Makes the intercepted call with the given request. */
type Next<P, N extends keyof P, C extends N> = (request: Requests<P, N>[C]) => Promise<Responses<P, N>[C]>;

/** Handles any call of a peer. `next` calls the peer itself. */
export type Interceptor<P, N extends keyof P> = <C extends N>(
  call: C,
  request: Requests<P, N>[C],
  next: Next<P, N, C>,
) => Promise<Responses<P, N>[C]>;

/** Handles some calls of a peer. */
export type Overrides<P, N extends keyof P> = {
  readonly [C in N]?: (request: Requests<P, N>[C], next: Next<P, N, C>) => Promise<Responses<P, N>[C]>;
};

type AnyMethod = (request: unknown) => Promise<unknown>;
type AnyHandler = (request: unknown, next: AnyMethod) => Promise<unknown>;

/** Puts an interceptor around those calls that the peer has. Each method is created once. */
export function interceptCalls<P, N extends keyof P & string>(
  peer: P,
  names: readonly N[],
  interceptor: Interceptor<P, N>,
): Pick<P, N> {
  const handle = interceptor as (call: N, request: unknown, next: AnyMethod) => Promise<unknown>;
  return mapCalls(peer, names, (call) => (request, next) => handle(call, request, next));
}

/**
 * Puts overrides around some calls of a peer. Other calls remain unchanged; calls that the peer does not have remain
 * absent.
 */
export function overrideCalls<P, N extends keyof P & string>(
  peer: P,
  names: readonly N[],
  overrides: Overrides<P, N>,
): Pick<P, N> {
  return mapCalls(peer, names, (call) => overrides[call] as AnyHandler | undefined);
}

function mapCalls<P, N extends keyof P & string>(
  peer: P,
  names: readonly N[],
  handlerOf: (call: N) => AnyHandler | undefined,
): Pick<P, N> {
  const made: Record<string, unknown> = {};
  for (const call of names) {
    const method = peer[call] as AnyMethod | undefined;
    if (method === undefined) continue;
    const next = method.bind(peer);
    const handler = handlerOf(call);
    made[call] = handler === undefined ? next : (request: unknown) => handler(request, next);
  }
  return made as Pick<P, N>;
}
