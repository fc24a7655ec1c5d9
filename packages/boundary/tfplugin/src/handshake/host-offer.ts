import { COOKIE } from './cookie.js';

/** Environment variables of a host for the plugin that it starts. */
export const HOST_VARIABLES: readonly string[] = [
  COOKIE.name,
  'PLUGIN_PROTOCOL_VERSIONS',
  'PLUGIN_CLIENT_CERT',
  'PLUGIN_MIN_PORT',
  'PLUGIN_MAX_PORT',
  'PLUGIN_UNIX_SOCKET_DIR',
  'PLUGIN_UNIX_SOCKET_GROUP',
  'PLUGIN_MULTIPLEX_GRPC',
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Offer of a host in the environment of the plugin that it starts [TFP-1]. */
export interface HostOffer {
  /** Protocol versions that the host knows, in its own notation. */
  readonly versions: string | undefined;
  /** PEM of the only client to serve. Undefined if the connection is not encrypted. */
  readonly clientCertificate: string | undefined;
  /** Directory for the socket. */
  readonly socketDirectory: string | undefined;
  /** First and last port that may be used. */
  readonly ports: readonly [number, number] | undefined;
}

/** Reads the offer. Undefined for a process that no host has started. */
export function readHostOffer(env: Environment): HostOffer | undefined {
  if (env[COOKIE.name] !== COOKIE.value) return undefined;
  const given = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const [first, last] = [Number(given('PLUGIN_MIN_PORT')), Number(given('PLUGIN_MAX_PORT'))];
  return {
    versions: given('PLUGIN_PROTOCOL_VERSIONS'),
    clientCertificate: given('PLUGIN_CLIENT_CERT'),
    socketDirectory: given('PLUGIN_UNIX_SOCKET_DIR'),
    ports: first > 0 && last >= first && last <= 65_535 ? [first, last] : undefined,
  };
}
