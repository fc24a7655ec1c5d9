import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import type { AttachedProvider } from '@cairn/tfplugin';
import { verifyPackage } from './verify.js';
import { choosePackage } from './choose.js';
import { download } from './download.js';
import { askRegistry } from './registry.js';
import type { Fetch } from './registry.js';
import type { CliConfig, InstallationMethod } from './cli-config.js';
import { readLock } from './lock-file.js';
import type { LockedProvider } from './lock-file.js';
import { askMirror } from './network-mirror.js';
import { OWN_LOCK, readOwnLock, recordInOwnLock } from './own-lock.js';
import { providerExecutable, packagesIn } from './packages.js';
import type { TerraformProviderPackage } from './packages.js';
import { platformOf } from './platform.js';
import { admits, cacheOf, placesFor, readUserConfig } from './settings.js';
import { matchesPattern, printSource, readSource, sameSource, writtenSource } from './source-address.js';
import type { ProviderAddress } from './source-address.js';
import { unpacked } from './unpack.js';
import { ANY_VERSION, readConstraint } from './version-constraint.js';
import type { VersionConstraint } from './version-constraint.js';
import { readReattach } from '@cairn/tfplugin';
import { PROTOCOL_VERSIONS } from '../process/environment.js';

/** Query for a provider: an address, or an executable. */
export type ProviderQuery = (
  | {
      /** `[host/][namespace/]type`. */
      readonly source: string;
      readonly path?: undefined;
    }
  | {
      /** An executable `terraform-provider-TYPE…`, or a directory that contains one. Relative to `cwd`. */
      readonly path: string;
      readonly source?: undefined;
    }
) & {
  /** A version or conditions on it, for example `~> 3.1, != 3.2.0`. Defaults to the locked version, else the newest. */
  readonly version?: string | undefined;
  /** The program's directory. Its lock file and installed providers are used. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Requests providers that are not on this machine from the registry. Without it nothing is downloaded. */
  readonly fetch?: Fetch | undefined;
};

/** Way in which a provider was found. */
type FoundHow =
  'path' | 'attached' | 'dev override' | 'installed' | 'mirror' | 'plugin cache' | 'cache' | 'registry';

/** A provider to start or to connect to, in the form that `startProvider` takes. */
export type FoundProvider = {
  /** Name for messages: its address with the host of the query, if any, or of the place; else the type. */
  readonly name: string;
  /** Type, as users call it, for example `random`. */
  readonly type: string;
  /** Full address, with the host where it was found. Undefined if it was given by its path. */
  readonly source: string | undefined;
  /** Version. Undefined if unknown: for a path, an override, or a running provider. */
  readonly version: string | undefined;
  readonly how: FoundHow;
} & (
  | { readonly executable: string; readonly attached?: undefined }
  | { readonly executable?: undefined; readonly attached: AttachedProvider }
);

/**
 * Finds a provider [TFD-6], without a network unless `fetch` is set. Fails with CAIRN-PLUGIN-NOT-FOUND, which lists the
 * packages in all searched places. Fails with CAIRN-PLUGIN-CHECKSUM if a package is not the locked one, and with
 * CAIRN-USAGE for an address, a version or a file that cannot be read.
 */
export async function findProvider(query: ProviderQuery): Promise<FoundProvider> {
  if (query.path !== undefined) return byPath(query.path, query.cwd);
  const source = sourceOf(query.source);
  const constraint = constraintOf(query.version);
  const attached = attachedIn(query.env, source);
  const named = { name: writtenSource(source), type: source.type, source: printSource(source) };
  if (attached !== undefined) return { ...named, version: undefined, how: 'attached', attached };
  const config = await readUserConfig(query.env);
  const override = config.devOverrides.find((each) => sameSource(each.source, source));
  if (override !== undefined) {
    const executable = await providerExecutable(override.directory, source.type);
    if (executable !== undefined) return { ...named, version: undefined, how: 'dev override', executable };
    throw notFound(query, source, [
      `no terraform-provider-${source.type} in the override ${override.directory}`,
    ]);
  }
  return inPlaces(query, source, constraint, config);
}

async function inPlaces(
  query: ProviderQuery,
  source: ProviderAddress,
  asked: VersionConstraint | undefined,
  config: CliConfig,
): Promise<FoundProvider> {
  const { cwd, env } = query;
  const pinned = await readLock(cwd, source);
  const locked = pinned === undefined ? undefined : constraintOf(pinned.version);
  const lock = pinned ?? (await readOwnLock(cwd, source));
  const places = placesFor(source, config, cwd, env);
  const packages = (await Promise.all(places.map((place) => packagesIn(place, source)))).flat();
  const constraint = asked ?? locked ?? ANY_VERSION;
  const choice = choosePackage({ constraint, platform: platformOf(), places, packages });
  const chosen =
    choice.t === 'chosen'
      ? choice.chosen
      : await downloaded(query, source, constraint, config, lock, choice.looked);
  const directory = await filesOf(chosen, env);
  if (lock !== undefined && lock.version === chosen.version)
    await verifyPackage(chosen, directory, lock, env);
  const executable = await providerExecutable(directory, source.type);
  if (executable === undefined)
    throw notFound(query, source, [`no terraform-provider-${source.type} in ${directory}`], constraint.text);
  const { version, place } = chosen;
  return {
    ...{ name: chosen.source, type: source.type, source: chosen.source },
    version,
    how: place.kind,
    executable,
  };
}

/**
 * Downloads the package from the first web mirror or registry that has it, in the order of the configuration [TFD-8].
 * Its checksums are recorded in Cairn's lock file.
 */
async function downloaded(
  query: ProviderQuery,
  source: ProviderAddress,
  constraint: VersionConstraint,
  config: CliConfig,
  lock: LockedProvider | undefined,
  looked: readonly string[],
): Promise<TerraformProviderPackage> {
  const { cwd, fetch, env } = query;
  const { methods = [DIRECT], missingFile } = config;
  const missing = missingFile === undefined ? [] : [`there is no configuration file ${missingFile}`];
  const fail = (...more: string[]) =>
    notFound(query, source, [...looked, ...missing, ...more], constraint.text, lock?.file === OWN_LOCK);
  if (fetch === undefined) throw fail();
  const ways = methods.filter((method) => method.kind !== 'filesystem_mirror' && admits(method, source));
  if (ways.length === 0) throw fail('the configuration file has no direct or network_mirror method for it');
  const platform = platformOf();
  const asked = { source, constraint, platform, fetch, env, config };
  const why: string[] = [];
  for (const { kind, url = '' } of ways) {
    const answer = await (kind === 'direct'
      ? askRegistry(asked)
      : kind === 'network_mirror'
        ? askMirror(asked, url)
        : ({ t: 'none', why: `${kind} of the configuration file is not supported` } as const));
    if (answer.t === 'none') {
      why.push(answer.why);
      continue;
    }
    const place = { kind: 'registry', directory: join(cacheOf(env), 'providers') } as const;
    const allowsUnsigned = isUnsignedAllowed(env, source);
    const made = await download(answer.found, platform, place, lock, fetch, allowsUnsigned);
    await recordInOwnLock(cwd, made.package.source, made.package.version, made.hashes);
    return made.package;
  }
  throw fail(...why);
}

const DIRECT: InstallationMethod = { kind: 'direct', include: undefined, exclude: [] };

/** Reads `CAIRN_UNSIGNED_PROVIDERS`: addresses separated by commas, with `*` as in configuration files. */
function isUnsignedAllowed(env: NodeJS.ProcessEnv, source: ProviderAddress): boolean {
  const patterns = (env['CAIRN_UNSIGNED_PROVIDERS'] ?? '').split(',').map((each) => each.trim());
  return patterns.some((pattern) => pattern !== '' && matchesPattern(pattern, source));
}

/** Returns the directory of its files. */
async function filesOf({ files, source }: TerraformProviderPackage, env: NodeJS.ProcessEnv): Promise<string> {
  if (files.t === 'directory') return files.path;
  return unpacked(files.path, join(cacheOf(env), 'unpacked')).catch((error: unknown) => {
    const details = { causes: [messageOf(error)], hint: 'Install the package again.' };
    throw cairnError(
      'CAIRN-PLUGIN-CHECKSUM',
      `cannot unpack ${files.path}, a package of ${source}`,
      details,
      error,
    );
  });
}

const EXECUTABLE = /^terraform-provider-(.+?)(?:_v?(\d[^_]*)(?:_.*)?)?(?:\.exe)?$/;

async function byPath(path: string, cwd: string): Promise<FoundProvider> {
  const full = isAbsolute(path) ? path : resolve(cwd, path);
  const there = await stat(full).catch(() => undefined);
  const executable = there?.isDirectory() === true ? await providerExecutable(full) : full;
  const [, type, version] = EXECUTABLE.exec(basename(executable ?? full)) ?? [];
  if (there === undefined || executable === undefined || type === undefined)
    throw cairnError('CAIRN-PLUGIN-NOT-FOUND', `there is no Terraform provider at ${full}`, {
      causes: [why(there !== undefined, executable)],
      hint: 'Name an executable terraform-provider-NAME, or its directory.',
    });
  return { name: type, type, source: undefined, version, how: 'path', executable };
}

function why(isThere: boolean, executable: string | undefined): string {
  if (!isThere) return 'nothing is there';
  if (executable === undefined) return 'no file in the directory begins with terraform-provider-';
  return `the name ${basename(executable)} does not begin with terraform-provider-`;
}

function sourceOf(text: string): ProviderAddress {
  const read = readSource(text);
  if (read.t === 'refused')
    throw cairnError('CAIRN-USAGE', read.why, {
      hint: 'Write [host/][namespace/]type, e.g. hashicorp/random.',
    });
  return read.source;
}

function constraintOf(text: string | undefined): VersionConstraint | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const read = readConstraint(text);
  if (read.t === 'refused') throw cairnError('CAIRN-USAGE', read.why);
  return read.constraint;
}

function notFound(
  query: ProviderQuery,
  source: ProviderAddress,
  causes: readonly string[],
  version = '',
  wasDownloaded = false,
): CairnError {
  const wanted = version === '' ? '' : ` ${version}`;
  return cairnError(
    'CAIRN-PLUGIN-NOT-FOUND',
    `cannot find the Terraform provider ${writtenSource(source)}${wanted}`,
    {
      causes: [...causes],
      hint: wasDownloaded
        ? `Run \`cairn install\`, which downloads the version that ${OWN_LOCK} names.`
        : `Put it into a mirror, run \`terraform init\` or \`tofu init\` in ${query.cwd}, or add the package with --download.`,
    },
  );
}

/** Returns the running provider of the address [TFP-6]. Fails with CAIRN-USAGE if the variable cannot be read. */
function attachedIn(env: NodeJS.ProcessEnv, source: ProviderAddress): AttachedProvider | undefined {
  const text = env['TF_REATTACH_PROVIDERS'] ?? '';
  if (text === '') return undefined;
  const read = readReattach(text, PROTOCOL_VERSIONS);
  if (read.t === 'refused') throw unusable(read.why);
  for (const [address, provider] of read.providers) {
    const of = readSource(address);
    if (of.t === 'refused') throw unusable(of.why);
    if (sameSource(of.source, source)) return provider;
  }
  return undefined;
}

const unusable = (why: string) =>
  cairnError('CAIRN-USAGE', 'cannot use TF_REATTACH_PROVIDERS', { causes: [why] });
