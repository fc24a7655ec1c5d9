import type { Environment } from './environment.js';
import { environmentValue } from './environment.js';

/**
 * Returns the address of the proxy for requests to `url`, or undefined. It is `HTTPS_PROXY` or `HTTP_PROXY` by its
 * scheme, in upper or lower case, unless `NO_PROXY` names its host. The loopback address never uses one.
 */
export function proxyFor(url: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = environmentValue(env, name) ?? environmentValue(env, name.toUpperCase());
  if (proxy === undefined || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return undefined;
  const spared = (environmentValue(env, 'no_proxy') ?? environmentValue(env, 'NO_PROXY') ?? '')
    .split(/[\s,]+/)
    .filter(Boolean);
  return spared.some((entry) => spares(entry.toLowerCase(), hostname, port)) ? undefined : proxy;
}

/** Matches `*`, a host with its sub-domains (with or without a leading dot or `*`), or `host:port`. */
function spares(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const [, host = entry, wanted] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wanted !== undefined && wanted !== port) return false;
  const domain = host.replace(/^\*?\./, '');
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
