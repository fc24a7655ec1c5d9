import type { RunRequest } from '@cairn/wire';
import type { EntryPoint } from './entry-point.js';
import type { ProgramSdk, SdkName } from './program-sdk.js';
import type { RuntimeOptions } from './runtime-options.js';

/** Node process to start: arguments, and variables besides the inherited ones. */
export interface NodeCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Parts that a program is run from. */
interface ProgramRun {
  readonly request: RunRequest;
  readonly options: RuntimeOptions;
  readonly entry: EntryPoint;
}

/**
 * A program declares, waits and ends: its objects are either gone at once or there until the end. Less room for young
 * objects (megabytes) saves a fifth of the memory at 10,000 resources, in the same time.
 */
const YOUNG_OBJECTS = '--max-semi-space-size=4';

const START_FLAGS = {
  '@cairn/sdk': { before: [YOUNG_OBJECTS], after: ['--enable-source-maps'] },
  '@pulumi/pulumi': { before: [], after: [] },
} as const satisfies Record<
  SdkName,
  { readonly before: readonly string[]; readonly after: readonly string[] }
>;

/** Returns the parts of a program's start that do not depend on its task. `loader` loads our loader before it. */
export function programStart(
  { name, conditions = [] }: ProgramSdk,
  { nodeargs }: RuntimeOptions,
  loader: NodeCommand,
): NodeCommand {
  const { before, after } = START_FLAGS[name];
  const names = conditions.map((condition) => `--conditions=${condition}`);
  return { args: [...before, ...nodeargs, ...after, ...names, ...loader.args], env: loader.env };
}

const INSTRUCTIONS = {
  '@cairn/sdk': cairnInstructions,
  '@pulumi/pulumi': pulumiInstructions,
} satisfies Record<SdkName, (run: ProgramRun) => NodeCommand>;

/** Returns arguments of an SDK's runner, and its variables besides those of the process. */
export function programInstructions(sdk: SdkName, run: ProgramRun): NodeCommand {
  return INSTRUCTIONS[sdk](run);
}

/** Returns the arguments and variables for our SDK's runner. All of its settings travel in variables. */
function cairnInstructions({ request, entry }: ProgramRun): NodeCommand {
  return {
    args: request.args,
    env: {
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

/** Returns flags and environment of the Node host [PRG-3]. */
function pulumiInstructions({ request, options }: ProgramRun): NodeCommand {
  const { info } = request;
  const flag = (name: string, value: string) => (value === '' ? [] : [`--${name}`, value]);
  return {
    args: [
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
      PULUMI_CONFIG: JSON.stringify(longKeys(request.config)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.configSecretKeys),
      PULUMI_NODEJS_TYPESCRIPT: 'false',
      ...(options.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: options.tsconfig }),
    },
  };
}

/** Returns the keys `namespace:name` as `namespace:config:name`. */
function longKeys(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(':', ':config:'), value]),
  );
}
