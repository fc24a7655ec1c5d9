import type { SourceContext } from './source-contract.js';

type Environment = SourceContext['environment'];

/** Kinds of hosts: the variable with the token, the public hosts, and the variables that name the user's own hosts. */
const KINDS = {
  github: {
    token: 'GITHUB_TOKEN',
    scheme: 'token',
    hosts: ['github.com', 'api.github.com'],
    named: ['GH_HOST', 'GITHUB_SERVER_URL', 'GITHUB_API_URL'],
  },
  gitlab: {
    token: 'GITLAB_TOKEN',
    scheme: 'Bearer',
    hosts: ['gitlab.com'],
    named: ['GITLAB_HOST', 'CI_SERVER_URL', 'CI_API_V4_URL'],
  },
} as const;

/**
 * Returns the authorization header for a URL. Returns undefined without a token. Also returns undefined if the host is
 * neither a public one of its kind nor one that the environment names as the user's own. The author of an address in a
 * project thus receives no token.
 */
export function authorizationFor(
  kind: keyof typeof KINDS,
  url: string,
  environment: Environment,
): string | undefined {
  const { token, scheme, hosts, named } = KINDS[kind];
  const value = environment[token];
  if (!value || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  const known = new Set<string>([...hosts, ...named.flatMap((name) => hostsOf(environment[name]))]);
  return protocol === 'https:' && known.has(host) ? `${scheme} ${value}` : undefined;
}

/** Returns the host that a variable names, as a host or a URL, and the host of its API. */
function hostsOf(named: string | undefined): readonly string[] {
  if (!named) return [];
  const url = named.includes('://') ? named : `https://${named}`;
  if (!URL.canParse(url)) return [];
  const { host } = new URL(url);
  return [host, `api.${host}`];
}
