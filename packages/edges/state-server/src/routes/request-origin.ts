import { randomUUID } from 'node:crypto';
import { clientAddress } from '../domain/trusted-proxies.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';
import type { RouteRequest } from './route-request.js';

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
export function requestOrigin(request: RouteRequest, proxies: TrustedProxies): RequestOrigin {
  const connection = request.incoming?.socket.remoteAddress;
  const source = clientAddress(connection, request.header('x-forwarded-for'), proxies);
  const given = source === connection ? undefined : request.header('x-request-id');
  return { id: given !== undefined && ID.test(given) ? given : randomUUID(), source };
}
