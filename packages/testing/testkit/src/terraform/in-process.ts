import { StatusError } from '@cairn/wire';
import type { Service } from '@cairn/wire/server';
import type { CallOptions, Caller } from '@cairn/wire/caller';

/** Returns a connection to services in this process: the same bytes, without a socket. */
export function inProcessCaller(services: readonly Service[]): Caller {
  let closed = false;
  const unary = async (path: string, body: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> => {
    const { signal = new AbortController().signal } = options;
    const handler = services.map((service) => service.unary.get(path)).find((each) => each !== undefined);
    if (closed) throw new StatusError('UNAVAILABLE', 'the connection is closed');
    if (handler === undefined) throw new StatusError('UNIMPLEMENTED', `there is no method ${path}`);
    // The bytes are copied: a client may reuse its buffer.
    return handler(Uint8Array.from(body), { metadata: () => undefined, signal });
  };
  return {
    unary,
    serverStream: (path) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new StatusError('UNIMPLEMENTED', `there is no stream ${path}`)),
      }),
    }),
    close: () => {
      closed = true;
    },
  };
}
