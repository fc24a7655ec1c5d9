import { CONSOLE_HEADER } from '@cairn/http-api';
import { sessionToken } from '../calls/console/sessions.js';
import { Refusal } from '../domain/refusal.js';
import type { RouteRequest } from './route-request.js';

/** Name of the cookie. Only a page of this very host over TLS can set the first; the second is for loopback. */
const SECURE = '__Host-cairn-session';
const PLAIN = 'cairn-session';

/** Returns the cookie of a session. A life of 0 removes it. */
export function sessionCookie(secret: string, life: number, isSecure: boolean): string {
  const name = isSecure ? `${SECURE}=${secret}; Secure` : `${PLAIN}=${secret}`;
  return `${name}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${life}`;
}

/**
 * Returns the token of the session of a browser. Refuses a request with one that changes something and does not come
 * from the console: no form of another site can send its header.
 */
export function sessionIn(request: Pick<RouteRequest, 'method' | 'header'>): string | undefined {
  const pairs = (request.header('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  const [, secret] = pairs.find(([name]) => name === SECURE || name === PLAIN) ?? [];
  if (secret === undefined || secret === '') return undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && request.header(CONSOLE_HEADER) === undefined)
    throw new Refusal(403, `A call with a cookie needs the header ${CONSOLE_HEADER}.`);
  return sessionToken(secret);
}

/** Hosts whose pages may use a session without TLS. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])$/;

/** Returns true if the page of a browser came by TLS. Refuses one that did not, except on this machine. */
export function isSecurePage(page: string | undefined): boolean {
  const address = page === undefined || !URL.canParse(page) ? undefined : new URL(page);
  if (address?.protocol === 'https:') return true;
  if (address !== undefined && LOOPBACK.test(address.hostname)) return false;
  throw new Refusal(
    403,
    'The console needs TLS. Start the service with --tls-cert and --tls-key, or behind a proxy that has a certificate.',
  );
}
