/** Address of a published provider: a registry, and its name there. */
export interface ProviderAddress {
  /** Host of the registry. Undefined if the address has none: {@link DEFAULT_HOSTS} are tried in their order. */
  readonly host: string | undefined;
  readonly namespace: string;
  /** Type, as users call the provider, for example `random`. */
  readonly type: string;
}

/** Registries of an address without a host. The first one is asked; providers installed from either are found. */
const DEFAULT_HOSTS: readonly string[] = ['registry.opentofu.org', 'registry.terraform.io'];
const DEFAULT_NAMESPACE = 'hashicorp';
const EXECUTABLE_PREFIX = 'terraform-provider-';

/** The address in a text, or its error. */
type SourceReading =
  | { readonly t: 'source'; readonly source: ProviderAddress }
  | { readonly t: 'refused'; readonly why: string };

const PART = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?$/u;
const HOST =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?::\d{1,5})?$/u;

/** Reads `[host/][namespace/]type` [TFD-1]. Case does not matter. */
export function readSource(text: string): SourceReading {
  const parts = text.split('/');
  const [type = '', namespace = DEFAULT_NAMESPACE, host] = parts.map((part) => part.toLowerCase()).reverse();
  if (parts.length > 3) return refused(text, 'it has more than host, namespace and type');
  for (const part of [namespace, type])
    if (!PART.test(part) || part.includes('--'))
      return refused(text, `"${part}" is not a name of letters, digits, dashes and underscores`);
  if (host !== undefined && !isHost(host)) return refused(text, `"${host}" is not a host name`);
  if (type.startsWith(EXECUTABLE_PREFIX))
    return refused(text, `leave out the prefix of the executable: "${type.slice(EXECUTABLE_PREFIX.length)}"`);
  return { t: 'source', source: { host, namespace, type } };
}

/** Tells whether a text is the host of an address with a namespace: its name has a dot or a port. */
const isHost = (text: string): boolean => HOST.test(text) && (/[.:]/.test(text) || text === 'localhost');

const refused = (text: string, why: string): SourceReading => ({
  t: 'refused',
  why: `"${text}" is not the address of a provider: ${why}`,
});

/** Returns the possible hosts of an address, the first choice first. */
export function hostsOf(source: ProviderAddress): readonly string[] {
  return source.host === undefined ? DEFAULT_HOSTS : [source.host];
}

/** Returns the full address, with the host of the first choice if it has none. */
export function printSource(source: ProviderAddress): string {
  return `${source.host ?? DEFAULT_HOSTS[0]}/${source.namespace}/${source.type}`;
}

/** Returns the address for messages: with the host that its author wrote, and no other. */
export function writtenSource({ host, namespace, type }: ProviderAddress): string {
  return `${host === undefined ? '' : `${host}/`}${namespace}/${type}`;
}

/** Tells whether two addresses can mean the same provider. */
export function sameSource(one: ProviderAddress, other: ProviderAddress): boolean {
  return (
    one.type === other.type &&
    one.namespace === other.namespace &&
    hostsOf(one).some((host) => hostsOf(other).includes(host))
  );
}

/**
 * Tells whether the address matches a pattern of a configuration file: an address in which `*` represents any host,
 * namespace or type, in this order.
 */
export function matchesPattern(pattern: string, source: ProviderAddress): boolean {
  const [type, namespace = DEFAULT_NAMESPACE, host] = pattern.toLowerCase().split('/').reverse();
  const hosts = host === undefined ? DEFAULT_HOSTS : [host];
  return (
    (type === '*' || type === source.type) &&
    (namespace === '*' || namespace === source.namespace) &&
    (host === '*' || hostsOf(source).some((each) => hosts.includes(each)))
  );
}
