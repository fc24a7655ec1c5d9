import type { RunRequest } from '@cairn/wire';
import type { EntryPoint } from './entry-point.js';
import type { SdkName } from './program-sdk.js';
import type { RuntimeOptions } from './runtime-options.js';

/** A node process to start: arguments, and variables beside the inherited ones. */
export interface NodeCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Everything a command line is made from. */
export interface ProgramStart {
  readonly request: RunRequest;
  readonly options: RuntimeOptions;
  readonly entry: EntryPoint;
  readonly runner: string;
  /** What puts our loader in front. */
  readonly loader: NodeCommand;
}

const COMMANDS = {
  '@cairn/sdk': cairnCommand,
  '@pulumi/pulumi': pulumiCommand,
} satisfies Record<SdkName, (start: ProgramStart) => NodeCommand>;

/** How a program of an SDK is started. */
export function programCommand(sdk: SdkName, start: ProgramStart): NodeCommand {
  return COMMANDS[sdk](start);
}

/**
 * A program declares, waits and ends: what it makes is either gone at once or there until the end. Less room for young
 * objects (megabytes) is a fifth less memory at 10,000 resources, at the same time.
 */
const YOUNG_OBJECTS = '--max-semi-space-size=4';

/** Command and environment of our SDK's runner: everything travels in variables. */
function cairnCommand({ request, options, entry, runner, loader }: ProgramStart): NodeCommand {
  return {
    args: [
      YOUNG_OBJECTS,
      ...options.nodeargs,
      '--enable-source-maps',
      ...loader.args,
      runner,
      ...request.args,
    ],
    env: {
      ...loader.env,
      CAIRN_MONITOR: request.monitorAddress,
      CAIRN_ENGINE: request.engineAddress,
      CAIRN_PROJECT: request.project,
      CAIRN_STACK: request.stack,
      CAIRN_ORGANIZATION: request.organization,
      CAIRN_ROOT_DIRECTORY: request.info.rootDirectory,
      CAIRN_DRY_RUN: String(request.dryRun),
      CAIRN_PARALLEL: String(request.parallel),
      CAIRN_CONFIG: JSON.stringify(request.config),
      CAIRN_CONFIG_SECRET_KEYS: JSON.stringify(request.configSecretKeys),
      CAIRN_PROGRAM: entry.path,
    },
  };
}

/** Flags and environment of the Node host [PRG-3]. */
function pulumiCommand({ request, options, runner, loader }: ProgramStart): NodeCommand {
  const { info } = request;
  const flag = (name: string, value: string) => (value === '' ? [] : [`--${name}`, value]);
  return {
    args: [
      ...options.nodeargs,
      ...loader.args,
      runner,
      ...flag('monitor', request.monitorAddress),
      ...flag('engine', request.engineAddress),
      ...flag('organization', request.organization),
      ...flag('project', request.project),
      ...flag('root-directory', info.rootDirectory),
      ...flag('stack', request.stack),
      ...flag('pwd', info.programDirectory),
      ...(request.dryRun ? ['--dry-run'] : []),
      ...flag('parallel', String(request.parallel)),
      info.entryPoint,
      ...request.args,
    ],
    env: {
      ...loader.env,
      PULUMI_CONFIG: JSON.stringify(longKeys(request.config)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.configSecretKeys),
      PULUMI_NODEJS_TYPESCRIPT: 'false',
      ...(options.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
    },
  };
}

/** `namespace:name` as `namespace:config:name`. */
function longKeys(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(':', ':config:'), value]),
  );
}
