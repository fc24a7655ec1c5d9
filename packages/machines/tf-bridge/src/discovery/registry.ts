import { basename } from 'node:path';
import semver from 'semver';
import type { CliConfig } from './cli-config.js';
import type { PlatformName } from './platform.js';
import { hostsOf } from './source-address.js';
import type { ProviderAddress } from './source-address.js';
import { allows } from './version-constraint.js';
import type { VersionConstraint } from './version-constraint.js';

/** Fetches the content of a web address. */
export type Fetch = (url: string, init?: { readonly headers?: Record<string, string> }) => Promise<Response>;

/** The list of checksums of a release, its signature, and the keys that its registry vouches for. */
export interface SignedSums {
  /** `SHA256SUMS`: a line `SHA-256  FILE` for each archive of the release. */
  readonly sumsUrl: string;
  /** A detached, binary OpenPGP signature of that file. */
  readonly signatureUrl: string;
  /** Public keys with ASCII armour. */
  readonly keys: readonly string[];
}

/** A package in a registry. */
export interface RegistryPackage {
  /** Full address. */
  readonly source: string;
  readonly version: string;
  readonly url: string;
  /** SHA-256 of the archive, as hexadecimal digits. Undefined for a mirror that does not announce it. */
  readonly sha256: string | undefined;
  /** Checksums of which the package has one, `h1:…` and `zh:…`. Empty for a mirror that announces none. */
  readonly hashes: readonly string[];
  /** Name of the archive in the list of checksums. */
  readonly file?: string | undefined;
  /** Signed checksums. Undefined if the package is not signed. */
  readonly signed?: SignedSums | undefined;
}

/** The package, or a sentence with the reason why there is none. */
export type RegistryAnswer =
  { readonly t: 'package'; readonly found: RegistryPackage } | { readonly t: 'none'; readonly why: string };

/** Query to a registry. */
export interface RegistryQuery {
  readonly source: ProviderAddress;
  readonly constraint: VersionConstraint;
  readonly platform: PlatformName;
  readonly fetch: Fetch;
  readonly env: NodeJS.ProcessEnv;
  readonly config: Pick<CliConfig, 'hosts' | 'tokens' | 'credentialsHelper'>;
}

/** Supported major versions of the protocol. */
const PROTOCOLS = new Set(['5', '6']);

/** A failure of a registry or mirror. Its message follows the registry's name. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}

/** Asks the registry of an address for the newest matching version that can be used here [TFD-8]. Never rejects. */
export async function askRegistry(query: RegistryQuery): Promise<RegistryAnswer> {
  const [host = ''] = hostsOf(query.source);
  try {
    return await ask(query, host);
  } catch (error) {
    const said = error instanceof RegistryError ? error.message : `cannot be reached: ${reason(error)}`;
    return { t: 'none', why: `the registry ${host} ${said}` };
  }
}

/** Returns the reason behind the error of a fetch, which reports only that it failed. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

async function ask(query: RegistryQuery, host: string): Promise<RegistryAnswer> {
  const { source, platform } = query;
  const { namespace, type } = source;
  const base = await serviceOf(query, host);
  const listed = await askJson(
    query,
    host,
    new URL(`${namespace}/${type}/versions`, base),
    'has no such provider',
  );
  const version = newest(query, listed);
  if (version === undefined) return { t: 'none', why: `the registry ${host} ${whatItHas(query, listed)}` };
  const [system, architecture] = platform.split('_');
  const place = `${namespace}/${type}/${version}/download/${system}/${architecture}`;
  const url = new URL(place, base);
  const told = await askJson(query, host, url, `has no package of ${version} for ${platform}`);
  const { download_url: download, shasum, filename } = told as Record<string, unknown>;
  if (typeof download !== 'string' || typeof shasum !== 'string' || !/^[0-9a-f]{64}$/i.test(shasum))
    throw new RegistryError('does not have the address and checksum of the package');
  return {
    t: 'package',
    found: {
      source: `${host}/${namespace}/${type}`,
      version,
      url: new URL(download, url).href,
      sha256: shasum.toLowerCase(),
      hashes: [`zh:${shasum.toLowerCase()}`],
      file: typeof filename === 'string' ? filename : basename(new URL(download, url).pathname),
      signed: signedIn(told as Record<string, unknown>, url),
    },
  };
}

function signedIn(told: Record<string, unknown>, base: URL): SignedSums | undefined {
  const { shasums_url: sums, shasums_signature_url: signature } = told;
  const { gpg_public_keys: listed } = (told['signing_keys'] ?? {}) as { gpg_public_keys?: unknown };
  const keys = (Array.isArray(listed) ? (listed as { ascii_armor?: unknown }[]) : []).flatMap(
    ({ ascii_armor: armour }) => (typeof armour === 'string' && armour !== '' ? [armour] : []),
  );
  if (typeof sums !== 'string' || typeof signature !== 'string' || keys.length === 0) return undefined;
  return { sumsUrl: new URL(sums, base).href, signatureUrl: new URL(signature, base).href, keys };
}

async function serviceOf(query: RegistryQuery, host: string): Promise<URL> {
  const named = query.config.hosts.get(host);
  if (named !== undefined) return new URL(named.endsWith('/') ? named : `${named}/`);
  const url = new URL(`https://${host}/.well-known/terraform.json`);
  const services = await askJson(query, host, url, 'is not a registry');
  const base = (services as Record<string, unknown>)['providers.v1'];
  if (typeof base !== 'string') throw new RegistryError('has no providers');
  return new URL(base.endsWith('/') ? base : `${base}/`, url);
}

interface Release {
  readonly version: string;
  readonly protocols: readonly string[];
  readonly platforms: readonly PlatformName[];
}

function releasesOf(listed: unknown): readonly Release[] {
  const { versions } = listed as { versions?: unknown };
  if (!Array.isArray(versions)) throw new RegistryError('does not list its versions');
  return versions.flatMap((each: unknown): readonly Release[] => {
    const { version, protocols, platforms } = each as Record<string, unknown>;
    if (typeof version !== 'string' || semver.valid(version) === null) return [];
    const list = Array.isArray(platforms) ? (platforms as { os?: string; arch?: string }[]) : [];
    return [
      {
        version,
        protocols: Array.isArray(protocols) ? protocols.map(String) : [],
        platforms: list.map(({ os, arch }) => `${os}_${arch}`),
      },
    ];
  });
}

function newest({ constraint, platform }: RegistryQuery, listed: unknown): string | undefined {
  const usable = releasesOf(listed).filter(
    ({ version, protocols, platforms }) =>
      allows(constraint, version) && platforms.includes(platform) && protocols.some(isSpoken),
  );
  return usable.map(({ version }) => version).sort(semver.rcompare)[0];
}

/** Tells whether a protocol version is supported. It may be written with or without a minor version. */
const isSpoken = (protocol: string): boolean => PROTOCOLS.has(protocol.split('.', 1)[0] ?? '');

function whatItHas({ constraint, platform }: RegistryQuery, listed: unknown): string {
  const wanted = releasesOf(listed).filter(({ version }) => allows(constraint, version));
  if (wanted.length === 0) return 'has no version that is wanted';
  return `has no wanted version for ${platform} that speaks version 5 or 6 of the protocol`;
}

/**
 * Requests JSON. The token of `host` is sent to that host alone; `missing` is the meaning of 404. Throws
 * {@link RegistryError}.
 */
export async function askJson(
  { fetch, env, config }: RegistryQuery,
  host: string,
  url: URL,
  missing: string,
): Promise<object> {
  const token = env[tokenVariable(host)] || config.tokens.get(host);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token && url.host === (servedBy(config, host) ?? host)) headers['authorization'] = `Bearer ${token}`;
  const response = await fetch(url.href, { headers });
  if (response.status === 404) throw new RegistryError(missing);
  if ([401, 403].includes(response.status) && !token && config.credentialsHelper !== undefined)
    throw new RegistryError(
      `asks for a token, and credentials_helper "${config.credentialsHelper}" is not supported: set ${tokenVariable(host)}`,
    );
  if (!response.ok) throw new RegistryError(`answered with HTTP status ${response.status}`);
  const read: unknown = await response.json().catch(() => undefined);
  if (typeof read !== 'object' || read === null) throw new RegistryError('did not answer with JSON');
  return read;
}

/** Returns the host that the configuration names for the services of another. */
function servedBy({ hosts }: RegistryQuery['config'], host: string): string | undefined {
  const named = hosts.get(host);
  return named === undefined ? undefined : new URL(named).host;
}

/** Returns the name of the variable with a host's token: dots become underscores, dashes become two of them. */
const tokenVariable = (host: string): string => `TF_TOKEN_${host.replaceAll('-', '__').replaceAll('.', '_')}`;
