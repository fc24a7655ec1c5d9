import { errorBody } from '@cairn/http-api';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost)$/;

/**
 * Returns true for a request to this machine by its own name, which no page of another host has sent. A name of
 * another host that leads to this machine is refused, so that its pages cannot read answers.
 */
export function isOwnHost(request: Request): boolean {
  const url = new URL(request.url);
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const isForeign = site === 'cross-site' || site === 'same-site';
  const isNavigation = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';
  if (!LOOPBACK.test(url.hostname) || (isForeign && !isNavigation)) return false;
  return origin === null || origin === url.origin;
}

/** Returns the answer to a request that {@link isOwnHost} refuses. */
export function otherHost(): Response {
  return Response.json(errorBody(403, 'The request belongs to another host.'), { status: 403 });
}
