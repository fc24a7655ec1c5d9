import type { RunRequest } from '@cairn/wire';
import type { EntryPoint } from './entry-point.js';
import type { ProgramSdk, SdkName } from './program-sdk.js';
import type { RuntimeOptions } from './runtime-options.js';

/** A node process to start: arguments, and variables beside the inherited ones. */
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
 * A program declares, waits and ends: what it makes is either gone at once or there until the end. Less room for young
 * objects (megabytes) is a fifth less memory at 10,000 resources, at the same time.
 */
const YOUNG_OBJECTS = '--max-semi-space-size=4';

const START_FLAGS = {
  '@cairn/sdk': { before: [YOUNG_OBJECTS], after: ['--enable-source-maps'] },
  '@pulumi/pulumi': { before: [], after: [] },
} as const satisfies Record<
  SdkName,
  { readonly before: readonly string[]; readonly after: readonly string[] }
>;

/**
 * How the process of a program is started, as far as that does not depend on what it is to do. `loader`: what puts our
 * loader in front.
 */
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

/** Arguments of an SDK's runner, and its variables beside those of the process. */
export function programInstructions(sdk: SdkName, run: ProgramRun): NodeCommand {
  return INSTRUCTIONS[sdk](run);
}

/** Arguments of our SDK's runner, all of which travel in variables. */
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

/** Flags and environment of the Node host [PRG-3]. */
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

/** `namespace:name` as `namespace:config:name`. */
function longKeys(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace(':', ':config:'), value]),
  );
}
