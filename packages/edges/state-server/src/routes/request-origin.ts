import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { clientAddress } from '../domain/trusted-proxies.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';

/** Facts about a request that do not depend on its route. */
export interface RequestOrigin {
  /** Id of the request, in the log, in error bodies and in the header `x-request-id`. */
  readonly id: string;
  /** Address of the client, or undefined if the request came by no connection. */
  readonly source: string | undefined;
}

/** Ids that a proxy may give: they go into the log as they are. */
const ID = /^[\w.:-]{8,100}$/;

/** Reads the facts about a request. The id and the address that a trusted proxy gives are kept. */
export function requestOrigin(context: Context, proxies: TrustedProxies): RequestOrigin {
  const { incoming } = (context.env ?? {}) as { readonly incoming?: IncomingMessage };
  const connection = incoming?.socket.remoteAddress;
  const source = clientAddress(connection, context.req.header('x-forwarded-for'), proxies);
  const given = source === connection ? undefined : context.req.header('x-request-id');
  return { id: given !== undefined && ID.test(given) ? given : randomUUID(), source };
}
