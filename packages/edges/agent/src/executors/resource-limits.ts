import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { RunLimits } from '../config/agent-config.js';

/**
 * Way in which a machine limits memory and processors of a command. `system`, `user`: a scope of systemd, for the
 * command and all that it starts. `ulimit`: limits of each process. `none`: no limits.
 */
export type LimitMeans = 'system' | 'user' | 'ulimit' | 'none';

/** A command and its words. */
interface CommandWords {
  readonly command: string;
  readonly args: readonly string[];
}

/** Facts about a machine, for {@link findLimitMeans}. */
interface LimitMachine {
  readonly platform: NodeJS.Platform;
  /** True if systemd is the first process. */
  readonly hasSystemd: boolean;
  readonly isRoot: boolean;
  /** Tells if a command succeeds. */
  readonly succeeds: (command: string, args: readonly string[]) => boolean;
}

/** Variables by which a program could reach systemd, and start processes outside its scope. */
const BUS = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'] as const;

/** Returns the means of this machine. */
export function limitMeansHere(env: Readonly<Record<string, string | undefined>>): LimitMeans {
  return findLimitMeans({
    platform: process.platform,
    hasSystemd: existsSync('/run/systemd/system'),
    isRoot: process.getuid?.() === 0,
    succeeds: (command, args) =>
      spawnSync(command, args, { stdio: 'ignore', timeout: 10_000, env: { ...env } as NodeJS.ProcessEnv })
        .status === 0,
  });
}

/** Returns the best means of a machine: a scope if one can be made. */
export function findLimitMeans({ platform, hasSystemd, isRoot, succeeds }: LimitMachine): LimitMeans {
  if (platform !== 'linux') return 'none';
  const words = [...(isRoot ? [] : ['--user']), ...SCOPE, '--', 'true'];
  if (hasSystemd && succeeds('systemd-run', words)) return isRoot ? 'system' : 'user';
  return 'ulimit';
}

const SCOPE = ['--scope', '--quiet', '--collect'] as const;

/** Variables of the agent that a command needs for its limits. It does not pass them on. */
export function limitVariables(means: LimitMeans): readonly string[] {
  return means === 'user' ? BUS : [];
}

/** Returns the command with which another one runs under limits of memory, processors and processes. */
export function limitedCommand(means: LimitMeans, limits: RunLimits, command: CommandWords): CommandWords {
  const { memoryBytes, processors, processes } = limits;
  if (memoryBytes === undefined && processors === undefined && processes === undefined) return command;
  if (means === 'none') return command;
  return means === 'ulimit' ? underUlimit(limits, command) : inScope(means, limits, command);
}

function inScope(
  means: 'system' | 'user',
  { memoryBytes, processors, processes }: RunLimits,
  { command, args }: CommandWords,
): CommandWords {
  const properties = [
    ...(memoryBytes === undefined ? [] : [`MemoryMax=${memoryBytes}`, 'MemorySwapMax=0']),
    ...(processors === undefined ? [] : [`CPUQuota=${processors * 100}%`]),
    ...(processes === undefined ? [] : [`TasksMax=${processes}`]),
  ].map((property) => `--property=${property}`);
  const own = means === 'system' ? [] : ['env', ...BUS.flatMap((name) => ['-u', name])];
  const user = means === 'system' ? [] : ['--user'];
  return { command: 'systemd-run', args: [...user, ...SCOPE, ...properties, '--', ...own, command, ...args] };
}

/**
 * Runs the command from a shell that has set its limits. Memory is that of each process without its code and stack;
 * processor time is that of each process for the whole time limit. A lower limit of the system remains.
 */
function underUlimit(
  { memoryBytes, processors, timeMs }: RunLimits,
  { command, args }: CommandWords,
): CommandWords {
  const limits = [
    ...(memoryBytes === undefined ? [] : [`ulimit -d ${Math.ceil(memoryBytes / 1024)}`]),
    ...(processors === undefined ? [] : [`ulimit -t ${Math.ceil((processors * timeMs) / 1000)}`]),
  ].map((limit) => `${limit} 2>/dev/null; `);
  return { command: 'sh', args: ['-c', `${limits.join('')}exec "$@"`, 'sh', command, ...args] };
}

/** Returns what a machine cannot limit of what the settings ask for, as words for people. */
export function unlimited(means: LimitMeans, all: readonly RunLimits[]): readonly string[] {
  const asks = (name: 'memoryBytes' | 'processors' | 'processes'): boolean =>
    all.some((limits) => limits[name] !== undefined);
  if (means === 'none')
    return [
      ...(asks('memoryBytes') ? ['memory'] : []),
      ...(asks('processors') ? ['processors'] : []),
      ...(asks('processes') ? ['processes'] : []),
    ];
  return means === 'ulimit' && asks('processes') ? ['processes'] : [];
}
