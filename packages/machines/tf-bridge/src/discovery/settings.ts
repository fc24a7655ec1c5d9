import { readFile, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { NO_CLI_CONFIG, mergeCliConfigs, readCliConfig } from './cli-config.js';
import type { CliConfig, InstallationMethod } from './cli-config.js';
import type { PackageLocation } from './packages.js';
import { matchesPattern } from './source-address.js';
import type { ProviderAddress } from './source-address.js';

/** Reads the user's configuration files [TFD-5]. Fails with CAIRN-USAGE on one that cannot be read. */
export async function readUserConfig(env: NodeJS.ProcessEnv, home = homeOf(env)): Promise<CliConfig> {
  const files = await configFiles(env, home);
  const read = files.map(async ({ file, named }): Promise<CliConfig> => {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unusable(file, error);
    });
    if (text === undefined) return { ...NO_CLI_CONFIG, missingFile: named ? file : undefined };
    try {
      return fromDirectory(
        readCliConfig(text, (name) => env[name] ?? ''),
        dirname(file),
      );
    } catch (error) {
      throw unusable(file, error);
    }
  });
  const configs = await Promise.all(read);
  try {
    return mergeCliConfigs(configs);
  } catch (error) {
    throw unusable(files.map(({ file }) => file).join(' and '), error);
  }
}

/** Resolves relative directories of overrides against the directory of their file. */
function fromDirectory(config: CliConfig, directory: string): CliConfig {
  const devOverrides = config.devOverrides.map((each) => ({
    ...each,
    directory: resolve(directory, each.directory),
  }));
  return { ...config, devOverrides };
}

const unusable = (file: string, error: unknown) =>
  cairnError(
    'CAIRN-USAGE',
    `cannot use the configuration file ${file}`,
    { causes: [messageOf(error)], hint: 'Correct it, or set TF_CLI_CONFIG_FILE to another file.' },
    error,
  );

interface ConfigFile {
  readonly file: string;
  /** True if the user named the file. */
  readonly named: boolean;
}

/**
 * Returns the file that a variable names. Otherwise returns the first of the usual ones that exists, and all files of
 * the directory.
 */
async function configFiles(env: NodeJS.ProcessEnv, home: string): Promise<readonly ConfigFile[]> {
  const named = env['TF_CLI_CONFIG_FILE'] || env['TERRAFORM_CONFIG'];
  if (named !== undefined && named !== '') return [{ file: resolve(named), named: true }];
  const xdg = env['XDG_CONFIG_HOME'];
  const usual =
    process.platform === 'win32'
      ? ['tofu.rc', 'terraform.rc'].map((name) => join(env['APPDATA'] ?? home, name))
      : [
          join(home, '.tofurc'),
          join(home, '.terraformrc'),
          ...(xdg ? [join(xdg, 'opentofu', 'tofurc')] : []),
        ];
  const there = await Promise.all(usual.map(exists));
  const file = usual.find((_, at) => there[at]);
  const directory = join(home, '.terraform.d');
  const more = (await readdir(directory).catch((): string[] => []))
    .filter((name) => /\.tfrc(?:\.json)?$/.test(name))
    .sort();
  return [...(file === undefined ? [] : [file]), ...more.map((name) => join(directory, name))].map(
    (each) => ({
      file: each,
      named: false,
    }),
  );
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns the user's directory. */
function homeOf(env: NodeJS.ProcessEnv): string {
  return (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir();
}

/** Returns the directory for unpacked and downloaded packages of Cairn. */
export function cacheOf(env: NodeJS.ProcessEnv): string {
  const home = env['CAIRN_HOME'] || env['PULUMI_HOME'] || join(homeOf(env), '.cairn');
  return join(resolve(home), 'terraform');
}

/** Returns the directory of the providers that `init` of other tools installed for the program in `cwd`. */
function dataDirectoryOf(cwd: string, env: NodeJS.ProcessEnv): string {
  return resolve(cwd, env['TF_DATA_DIR'] || '.terraform');
}

/** Returns the places for an address, the first choice first [TFD-6]. */
export function placesFor(
  source: ProviderAddress,
  config: CliConfig,
  cwd: string,
  env: NodeJS.ProcessEnv,
): readonly PackageLocation[] {
  const mirrors =
    config.methods === undefined ? usualMirrors(cwd, env) : mirrorsFor(source, config.methods, cwd);
  const pluginCache = env['TF_PLUGIN_CACHE_DIR'] || config.pluginCacheDirectory;
  return [
    { kind: 'installed', directory: join(dataDirectoryOf(cwd, env), 'providers') },
    ...mirrors.map((directory): PackageLocation => ({ kind: 'mirror', directory })),
    ...(pluginCache ? [{ kind: 'plugin cache', directory: resolve(pluginCache) } as const] : []),
    { kind: 'cache', directory: join(cacheOf(env), 'providers') },
  ];
}

function mirrorsFor(source: ProviderAddress, methods: readonly InstallationMethod[], cwd: string) {
  return methods
    .filter((method) => admits(method, source))
    .flatMap(({ path }) => (path === undefined ? [] : [resolve(cwd, path)]));
}

/** Tells whether the method is for the address: included, or all are, and not excluded. */
export function admits({ include, exclude }: InstallationMethod, source: ProviderAddress): boolean {
  const among = (patterns: readonly string[]) => patterns.some((each) => matchesPattern(each, source));
  return (include === undefined || among(include)) && !among(exclude);
}

/** Returns the directories that are mirrors by default. */
function usualMirrors(cwd: string, env: NodeJS.ProcessEnv): readonly string[] {
  const home = homeOf(env);
  const dataHome = env['XDG_DATA_HOME'];
  return [
    join(cwd, 'terraform.d', 'plugins'),
    ...(process.platform === 'win32' ? [] : [join(home, '.terraform.d', 'plugins')]),
    ...(dataHome ? [join(dataHome, 'opentofu', 'plugins')] : []),
    ...systemMirrors(home, env),
  ];
}

function systemMirrors(home: string, env: NodeJS.ProcessEnv): readonly string[] {
  if (process.platform === 'darwin')
    return [home, '/'].map((root) => join(root, 'Library', 'Application Support', 'io.terraform', 'plugins'));
  if (process.platform === 'win32')
    return [env['APPDATA'], env['PROGRAMDATA']]
      .filter((root) => root !== undefined)
      .flatMap((root) => [
        join(root, 'terraform.d', 'plugins'),
        join(root, 'HashiCorp', 'Terraform', 'plugins'),
      ]);
  const dataHome = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
  const shared = (env['XDG_DATA_DIRS'] || ['/usr/local/share', '/usr/share'].join(delimiter)).split(
    delimiter,
  );
  return [dataHome, ...shared]
    .filter((root) => root !== '')
    .map((root) => join(root, 'terraform', 'plugins'));
}
