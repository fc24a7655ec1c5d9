import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { PathNames } from '../calls/stack-names.js';

/** Parts of a request that routes read, whichever way it came. */
export interface RouteRequest {
  readonly method: string;
  readonly url: string;
  readonly names: PathNames;
  /** Request of the connection by which it came, if there is one. */
  readonly incoming: IncomingMessage | undefined;
  /** Body of a request that came by no connection. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** Returns the value of a header. Its name is in lower case. */
  header(name: string): string | undefined;
  headers(): Readonly<Record<string, string>>;
}

/** Returns the parts of a request of the router. */
export function routedRequest({ req, env }: Context): RouteRequest {
  const { incoming } = (env ?? {}) as { readonly incoming?: IncomingMessage };
  return {
    ...{ method: req.method, url: req.url, names: req.param() as PathNames, incoming },
    get body() {
      return (req.raw.body as AsyncIterable<Uint8Array> | null) ?? undefined;
    },
    header: (name) => req.header(name),
    headers: () => req.header(),
  };
}
