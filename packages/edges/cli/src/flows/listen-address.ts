import { cairnError } from '@cairn/diagnostics';

/** Reads an address to listen on. `flag` is the one that gave it. */
export function parseListenAddress(
  text: string,
  flag: 'listen' | 'metrics',
): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host !== undefined && port <= 65_535) return { host, port };
  throw cairnError('CAIRN-USAGE', `cannot listen on ${JSON.stringify(text)}: it is not an address`, {
    hint: `Give --${flag} HOST:PORT, for example 127.0.0.1:8080; port 0 is any free port.`,
  });
}

/** Reads the address at which others reach the service, which ends with no slash. */
export function parseServiceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.search + url.hash + url.username + url.password === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol))
    return (url.origin + url.pathname).replace(/\/+$/, '');
  throw cairnError('CAIRN-USAGE', 'cannot use the address of --url: it is no plain http or https address', {
    hint: 'Give it as https://state.example.com.',
  });
}
