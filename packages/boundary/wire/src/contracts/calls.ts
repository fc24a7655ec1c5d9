type Method = (request: never) => Promise<unknown>;

/** Requests of the calls `N` of a peer, by call. */
export type Requests<P, N extends keyof P> = { [C in N]: Parameters<Extract<P[C], Method>>[0] };

/** Responses to the calls `N` of a peer, by call. */
export type Responses<P, N extends keyof P> = { [C in N]: Awaited<ReturnType<Extract<P[C], Method>>> };
