import { isIP } from 'node:net';
import { cairnError } from '@cairn/diagnostics';
import { networksOf } from '@cairn/http-api/hooks';

/** Proxies whose X-Forwarded-For header counts. */
export interface TrustedProxies {
  isTrusted(address: string): boolean;
}

/** Returns the proxies in networks such as `10.0.0.0/8` or `::1`. Fails with `CAIRN-USAGE` for another text. */
export function trustedProxies(networks: readonly string[]): TrustedProxies {
  return { isTrusted: networksOf(networks, noNetwork) };
}

/**
 * Returns the address that a request comes from: that of its connection, or the newest entry of X-Forwarded-For that no
 * trusted proxy has.
 */
export function clientAddress(
  connection: string | undefined,
  forwarded: string | undefined,
  proxies: TrustedProxies,
): string | undefined {
  let source = plain(connection);
  const entries = (forwarded ?? '').split(',').map((entry) => entry.trim());
  while (source !== undefined && proxies.isTrusted(source)) {
    const before = plain(entries.pop());
    if (before === undefined || isIP(before) === 0) return source;
    source = before;
  }
  return source;
}

/** Sockets of both protocols show an IPv4 address in the form of IPv6. */
function plain(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '');
}

function noNetwork(text: string): Error {
  return cairnError('CAIRN-USAGE', `cannot trust proxies in ${JSON.stringify(text)}: it is not a network`, {
    hint: 'Give --trusted-proxy an address or a network, for example 10.0.0.0/8.',
  });
}
