import { BlockBody, readBlocks } from './block-syntax.js';
import type { BlockEntry, BlockValue } from './block-syntax.js';
import { readSource } from './source-address.js';
import type { ProviderAddress } from './source-address.js';

/** One way to get providers, for the addresses that match its patterns. */
export interface InstallationMethod {
  readonly kind: 'filesystem_mirror' | 'network_mirror' | 'direct' | 'oci_mirror';
  /** Directory of a mirror in the file system. */
  readonly path?: string | undefined;
  readonly url?: string | undefined;
  /** Patterns. Undefined for any address. */
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[];
}

/** Settings of a user's configuration file about the places of providers [TFD-5]. */
export interface CliConfig {
  /** Directories that are used for an address, for any version. */
  readonly devOverrides: readonly { readonly source: ProviderAddress; readonly directory: string }[];
  /** Installation methods. Undefined if the file has none: mirrors in the usual places, then registries. */
  readonly methods: readonly InstallationMethod[] | undefined;
  readonly pluginCacheDirectory: string | undefined;
  /** Addresses of providers that replace those announced by a host, by host. */
  readonly hosts: ReadonlyMap<string, string>;
  /** Tokens by host. */
  readonly tokens: ReadonlyMap<string, string>;
  /** A credentials helper, which is not run. */
  readonly credentialsHelper: string | undefined;
  /** A missing file that the user named. Other tools only warn about it. */
  readonly missingFile?: string | undefined;
}

/** Settings without a configuration file. */
export const NO_CLI_CONFIG: CliConfig = {
  devOverrides: [],
  methods: undefined,
  pluginCacheDirectory: undefined,
  hosts: new Map(),
  tokens: new Map(),
  credentialsHelper: undefined,
};

/** Thrown for a configuration file with an invalid setting. */
class CliConfigError extends Error {
  override readonly name = 'CliConfigError';
}

/**
 * Reads a configuration file, ignoring settings that do not concern the installation of providers. `variable` returns
 * the value of an environment variable. Throws {@link CliConfigError}, or BlockSyntaxError if the text cannot be read.
 */
export function readCliConfig(text: string, variable: (name: string) => string): CliConfig {
  const body = readBlocks(text);
  const cache = body.value('plugin_cache_dir');
  const installations = body.entries.filter(({ key }) => key === 'provider_installation');
  if (installations.length > 1)
    throw failure(installations[1] as BlockEntry, 'there is more than one provider_installation');
  return {
    ...NO_CLI_CONFIG,
    ...(installations[0] && installationOf(installations[0])),
    pluginCacheDirectory: typeof cache === 'string' ? expanded(cache, variable) : undefined,
    hosts: new Map(labelled(body, 'host').flatMap(([host, block]) => serviceOf(host, block))),
    tokens: new Map(
      labelled(body, 'credentials').flatMap(([host, { value }]): [string, string][] => {
        const token = (value as BlockBody).value('token');
        return typeof token === 'string' && token !== '' ? [[host, token]] : [];
      }),
    ),
    credentialsHelper: labelled(body, 'credentials_helper')[0]?.[0],
  };
}

/** Returns blocks `KEY "label" { … }`, including their JSON form: `{ "KEY": { "label": { … } } }`. Labels are hosts. */
function labelled(body: BlockBody, key: string): readonly (readonly [label: string, block: BlockEntry])[] {
  return body.entries
    .filter((entry) => entry.key === key)
    .flatMap((entry) => {
      if (!(entry.value instanceof BlockBody)) throw failure(entry, `${key} must be a block with a label`);
      const blocks =
        entry.labels.length > 0
          ? [[entry.labels[0] as string, entry] as const]
          : entry.value.entries.map((inner) => [inner.key, inner] as const);
      for (const [, block] of blocks)
        if (!(block.value instanceof BlockBody)) throw failure(block, `${key} must be a block with a label`);
      return blocks.map(([label, block]) => [label.toLowerCase(), block] as const);
    });
}

/** Returns the address of a host's providers, if the block has one. */
function serviceOf(host: string, block: BlockEntry): [string, string][] {
  const services = (block.value as BlockBody).value('services');
  const url = services instanceof BlockBody ? services.value('providers.v1') : undefined;
  if (url === undefined) return [];
  return [[host, webAddress(block, 'providers.v1', url)]];
}

/** Returns a web address. Without encryption it must be on this machine. */
function webAddress(entry: BlockEntry, what: string, value: BlockValue): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isLocal = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url === undefined || (url.protocol !== 'https:' && !isLocal))
    throw failure(entry, `${what} must be an https address`);
  return url.href;
}

/** Merges the settings of several files. For each setting, the first file that has it wins. */
export function mergeCliConfigs(configs: readonly CliConfig[]): CliConfig {
  const says = configs.filter(
    ({ methods, devOverrides }) => methods !== undefined || devOverrides.length > 0,
  );
  if (says.length > 1) throw new CliConfigError('there is more than one provider_installation in the files');
  return {
    ...(says[0] ?? NO_CLI_CONFIG),
    pluginCacheDirectory: configs.map((each) => each.pluginCacheDirectory).find((each) => each !== undefined),
    hosts: new Map(configs.toReversed().flatMap(({ hosts }) => [...hosts])),
    tokens: new Map(configs.toReversed().flatMap(({ tokens }) => [...tokens])),
    credentialsHelper: configs.map((each) => each.credentialsHelper).find((each) => each !== undefined),
    missingFile: configs.map((each) => each.missingFile).find((each) => each !== undefined),
  };
}

function installationOf(entry: BlockEntry): Pick<CliConfig, 'devOverrides' | 'methods'> {
  const body = bodyOf(entry);
  const devOverrides: { source: ProviderAddress; directory: string }[] = [];
  const methods: InstallationMethod[] = [];
  for (const each of body.entries) {
    if (each.key !== 'dev_overrides') methods.push(methodOf(each));
    else if (methods.length > 0)
      throw failure(each, 'dev_overrides must come before all other installation methods');
    else devOverrides.push(...bodyOf(each).entries.map(overrideOf));
  }
  return { devOverrides, methods };
}

function overrideOf(entry: BlockEntry) {
  const read = readSource(entry.key);
  if (read.t === 'refused') throw failure(entry, read.why);
  return { source: read.source, directory: textOf(entry) };
}

const METHODS: Readonly<Record<InstallationMethod['kind'], 'path' | 'url' | undefined>> = {
  filesystem_mirror: 'path',
  network_mirror: 'url',
  oci_mirror: undefined,
  direct: undefined,
};

function methodOf(entry: BlockEntry): InstallationMethod {
  if (!Object.hasOwn(METHODS, entry.key))
    throw failure(
      entry,
      `${entry.key} is not an installation method; use ${Object.keys(METHODS).join(', ')}`,
    );
  const kind = entry.key as InstallationMethod['kind'];
  const body = bodyOf(entry);
  const needed = METHODS[kind];
  const where = needed === undefined ? undefined : body.value(needed);
  if (needed !== undefined && (typeof where !== 'string' || where === ''))
    throw failure(entry, `${kind} needs ${needed}`);
  if (kind === 'network_mirror') webAddress(entry, 'the url of network_mirror', where ?? null);
  const include = body.value('include');
  return {
    kind,
    ...(needed !== undefined && { [needed]: where }),
    include: include === undefined ? undefined : patternsOf(entry, include),
    exclude: patternsOf(entry, body.value('exclude') ?? []),
  };
}

function patternsOf(entry: BlockEntry, value: BlockValue): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw failure(entry, 'include and exclude must be lists of addresses');
  return value;
}

function bodyOf(entry: BlockEntry): BlockBody {
  if (!(entry.value instanceof BlockBody) || entry.labels.length > 0)
    throw failure(entry, `${entry.key} must be a block without labels`);
  return entry.value;
}

function textOf(entry: BlockEntry): string {
  if (typeof entry.value !== 'string') throw failure(entry, `${entry.key} must be a directory`);
  return entry.value;
}

/** Replaces `$NAME` and `${NAME}` by environment variables. */
function expanded(text: string, variable: (name: string) => string): string {
  return text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, plain?: string) =>
    variable(braced ?? plain ?? ''),
  );
}

const failure = (entry: BlockEntry, why: string): CliConfigError =>
  new CliConfigError(`line ${entry.line}: ${why}`);
