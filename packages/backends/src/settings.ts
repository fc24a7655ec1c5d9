import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { cairnError } from '@cairn/diagnostics';
import type { Compression } from './layout.js';
import type { Holder } from './locks.js';

/** How a backend behaves, decided once from the environment (state.md 5.5) and the process. */
export interface BackendSettings {
  readonly holder: Holder;
  readonly lockId: string;
  readonly isAlive: (pid: number) => boolean;
  readonly now: () => Date;
  /** Nanoseconds since the epoch; never the same twice. */
  readonly nextNanoseconds: () => bigint;
  /** Version of the program, written into manifests. */
  readonly version: string;
  readonly compression: Compression;
  /** Keep a copy of each checkpoint under `backups/`. */
  readonly backups: boolean;
  /** How many ended journals a stack keeps. */
  readonly journalRetention: number;
}

type Env = Readonly<Record<string, string | undefined>>;

const RETENTION = 30;

/** The settings of this process. Fails with CAIRN-USAGE for a retention that is no number and for two compressions at once. */
export function processSettings(
  env: Env,
  version: string,
  now: () => Date = () => new Date(),
): BackendSettings {
  let last = 0n;
  return {
    holder: { pid: process.pid, username: userInfo().username, hostname: hostname() },
    lockId: randomUUID(),
    isAlive: isAliveHere,
    now,
    nextNanoseconds: () => {
      const ns = BigInt(now().getTime()) * 1_000_000n;
      last = ns > last ? ns : last + 1n;
      return last;
    },
    version,
    compression: compressionOf(env),
    backups: !isOn(env, 'DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS') && !isOn(env, 'DISABLE_CHECKPOINT_BACKUPS'),
    journalRetention: retentionOf(env),
  };
}

function compressionOf(env: Env): Compression {
  if (isOn(env, 'DIY_BACKEND_ZSTD') || isOn(env, 'SELF_MANAGED_STATE_ZSTD')) {
    throw cairnError('CAIRN-USAGE', 'zstd compression of checkpoints is not available', {
      hint: 'unset PULUMI_DIY_BACKEND_ZSTD; PULUMI_DIY_BACKEND_GZIP=true compresses with gzip',
    });
  }
  return isOn(env, 'DIY_BACKEND_GZIP') || isOn(env, 'SELF_MANAGED_STATE_GZIP') ? 'gzip' : 'none';
}

function retentionOf(env: Env): number {
  const text = env['CAIRN_JOURNAL_RETENTION'];
  if (text === undefined || text === '') return RETENTION;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw cairnError(
    'CAIRN-USAGE',
    `CAIRN_JOURNAL_RETENTION is a number of operations, not ${JSON.stringify(text)}`,
  );
}

function isOn(env: Env, name: string): boolean {
  const text = env[`CAIRN_${name}`] ?? env[`PULUMI_${name}`];
  return text === '1' || text?.toLowerCase() === 'true';
}

function isAliveHere(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
