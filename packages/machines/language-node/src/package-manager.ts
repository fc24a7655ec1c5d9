import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { matchesGlob } from '@cairn/addresses';
import { fail } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import type { OnOutput, ProgramInfo } from '@cairn/wire';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import { nearestManifest, readManifest } from './package-manifest.js';
import type { RuntimeOptions } from './runtime-options.js';
import { parseRuntimeOptions } from './runtime-options.js';

/** Tool that installs the packages of a Node project. */
type PackageManager = Exclude<RuntimeOptions['packagemanager'], 'auto'>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Lock files that show which package manager a project uses. The first that is found decides. */
const LOCK_FILES: readonly (readonly [PackageManager, readonly string[]])[] = [
  ['yarn', ['yarn.lock']],
  ['pnpm', ['pnpm-lock.yaml', 'package.yaml']],
  ['bun', ['bun.lock', 'bun.lockb']],
];

/** Arguments for installing with each. */
const INSTALL = {
  npm: (production) => ['install', '--no-audit', '--no-fund', ...(production ? ['--omit=dev'] : [])],
  yarn: (production) => ['install', '--non-interactive', ...(production ? ['--production'] : [])],
  pnpm: (production) => ['install', ...(production ? ['--prod'] : [])],
  // With --production bun refuses to write a lock file.
  bun: () => ['install'],
} satisfies Record<PackageManager, (production: boolean) => readonly string[]>;

/**
 * Returns the package manager of a program: the one in `runtime.options.packagemanager`, else yarn if
 * `PULUMI_PREFER_YARN` is set. Otherwise it is one that has left a lock file in the directory or above it and is on the
 * PATH, else npm. Fails with CAIRN-PROGRAM-LOAD when the project names one that is not on the PATH.
 */
export function packageManagerOf(
  { programDirectory, options }: Pick<ProgramInfo, 'programDirectory' | 'options'>,
  environment: Environment,
): PackageManager {
  const { packagemanager: named } = parseRuntimeOptions(options);
  if (named !== 'auto') {
    if (isOnPath(named, environment)) return named;
    return fail('CAIRN-PROGRAM-LOAD', `the project is installed with ${named}, which is not on the PATH`, {
      hint: `Install ${named}, or correct runtime.options.packagemanager in the project file.`,
    });
  }
  if (prefersYarn(environment) && isOnPath('yarn', environment)) return 'yarn';
  const locked = LOCK_FILES.find(
    ([name, files]) => files.some((file) => isAbove(programDirectory, file)) && isOnPath(name, environment),
  );
  return locked?.[0] ?? 'npm';
}

/** Installs the dependencies of a program. Rejects with the message of the package manager. */
export async function installPackages(
  info: Pick<ProgramInfo, 'programDirectory' | 'options'>,
  environment: Environment,
  onOutput: OnOutput,
): Promise<void> {
  const manager = packageManagerOf(info, environment);
  const words = INSTALL[manager](parseRuntimeOptions(info.options).production);
  await runTool(
    manager,
    words,
    workspaceRoot(info.programDirectory) ?? info.programDirectory,
    environment,
    onOutput,
  );
}

/**
 * Returns the nearest directory above a package whose `workspaces` contain that package, or undefined if there is none.
 */
export function workspaceRoot(directory: string): string | undefined {
  const own = nearestManifest(directory)?.directory;
  let at = own;
  while (own !== undefined && at !== undefined && dirname(at) !== at) {
    at = dirname(at);
    const { workspaces } = readManifest(at)?.data ?? {};
    const patterns = Array.isArray(workspaces)
      ? workspaces
      : (workspaces as { readonly packages?: unknown })?.packages;
    const path = relative(at, own).split(sep);
    if (Array.isArray(patterns) && patterns.some((pattern) => isAt(path, String(pattern)))) return at;
  }
  return undefined;
}

/** Returns true if a folder matches a pattern of `workspaces`. A star matches characters within one folder's name. */
function isAt(folders: readonly string[], pattern: string): boolean {
  const wanted = pattern.split('/').filter((name) => name !== '' && name !== '.');
  if (wanted.at(-1) === '**')
    return startsLike(folders, wanted.slice(0, -1)) && folders.length >= wanted.length;
  return folders.length === wanted.length && startsLike(folders, wanted);
}

function startsLike(folders: readonly string[], names: readonly string[]): boolean {
  return names.every((name, index) => matchesGlob(name, folders[index] ?? ''));
}

/** Returns the stdout of a package manager. Rejects with a ToolFailed that has its message. */
export async function runTool(
  command: PackageManager,
  args: readonly string[],
  cwd: string,
  environment: Environment,
  onOutput: OnOutput,
): Promise<string> {
  const texts = { stdout: '', stderr: '' };
  const tool = await startProcess({
    ...{ command, args, cwd },
    env: { ...withoutOwnSecrets(environment), npm_config_update_notifier: 'false' },
    onOutput: (stream, text) => {
      texts[stream] += text;
      onOutput(stream, text);
    },
  });
  const status = await tool.exit;
  if (status.kind === 'code' && status.code === 0) return texts.stdout;
  throw new ToolFailed(
    `${command} ${args[0] ?? ''} in ${cwd} ${describeExit(status)}: ${texts.stderr.trim()}`,
    texts.stdout,
  );
}

/** Error of a package manager that has ended with an error. */
export class ToolFailed extends Error {
  constructor(
    message: string,
    readonly stdout: string,
  ) {
    super(message);
  }
}

function prefersYarn(environment: Environment): boolean {
  const value = environment['CAIRN_PREFER_YARN'] ?? environment['PULUMI_PREFER_YARN'] ?? '';
  return value === '1' || value.toLowerCase() === 'true';
}

function isAbove(directory: string, file: string): boolean {
  if (existsSync(join(directory, file))) return true;
  const parent = dirname(directory);
  return parent !== directory && isAbove(parent, file);
}

const ENDINGS = process.platform === 'win32' ? ['.cmd', '.exe', ''] : [''];

function isOnPath(command: string, environment: Environment): boolean {
  const directories = (environment['PATH'] ?? '').split(delimiter).filter((each) => each !== '');
  return directories.some((directory) =>
    ENDINGS.some((ending) => isExecutable(join(directory, `${command}${ending}`))),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
