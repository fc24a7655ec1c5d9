import { fail } from '@cairn/diagnostics';
import { canZstd } from './checkpoint/compression.js';
import type { Compression } from './checkpoint/compression.js';
import { CHECKPOINT_PACES } from './operation/pace.js';
import type { LeaseSettings, Takeover } from './locks/lease.js';
import type { CheckpointPace, StateEncryption } from '../backend-ports.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Settings of a backend from the environment [STORE-8]. */
export interface BackendSettings {
  readonly compression: Compression;
  /** Keep a copy of every checkpoint. */
  readonly retainCheckpoints: boolean;
  /** Copy the checkpoint to `backups/` after each operation. */
  readonly backups: boolean;
  /** True to give a new store the layout that came before projects. */
  readonly legacyLayout: boolean;
  /** Allow work on a store of the layout before projects. */
  readonly allowLegacy: boolean;
  /** Number of stacks that are read or upgraded at a time. */
  readonly parallel: number;
  /** Do not warn about stacks of the old layout. */
  readonly silentLegacy: boolean;
  /** Number of journals of finished operations to keep per stack. */
  readonly journalRetention: number;
  /** Rules for holding and taking over locks. */
  readonly lease: LeaseSettings;
  /** Id of the lock of a person under which operations work. Undefined: none. */
  readonly stackLock: string | undefined;
  /** Schedule of checkpoint writes while an operation runs. Undefined if the environment does not say. */
  readonly checkpoint: CheckpointPace | undefined;
  /** Switch for sealing whole states. Undefined if the environment does not say. */
  readonly stateEncryption: StateEncryption;
}

const DEFAULT_RETENTION = 30;
const DEFAULT_PARALLEL = 10;

/**
 * Reads the variables: `CAIRN_…` wins over `PULUMI_…`, a name over its alternative. Fails with `CAIRN-USAGE` when they
 * contradict.
 */
export function backendSettings(env: Env): BackendSettings {
  return {
    compression: compressionOf(env),
    retainCheckpoints: flag(env, 'DIY_BACKEND_RETAIN_CHECKPOINTS', 'RETAIN_CHECKPOINTS'),
    backups: !flag(env, 'DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS', 'DISABLE_CHECKPOINT_BACKUPS'),
    legacyLayout: flag(env, 'DIY_BACKEND_LEGACY_LAYOUT', 'SELF_MANAGED_STATE_LEGACY_LAYOUT'),
    allowLegacy: flag(env, 'DIY_BACKEND_IGNORE_DEPRECATION_ERROR'),
    parallel: parallelOf(env),
    silentLegacy: flag(env, 'DIY_BACKEND_NO_LEGACY_WARNING', 'SELF_MANAGED_STATE_NO_LEGACY_WARNING'),
    journalRetention: retentionOf(env),
    lease: leaseOf(env),
    stackLock: env['CAIRN_STACK_LOCK'] || undefined,
    checkpoint: paceOf(env),
    stateEncryption: encryptionOf(env),
  };
}

function compressionOf(env: Env): Compression {
  const gzip = flag(env, 'DIY_BACKEND_GZIP', 'SELF_MANAGED_STATE_GZIP');
  const zstd = flag(env, 'DIY_BACKEND_ZSTD', 'SELF_MANAGED_STATE_ZSTD');
  if (gzip && zstd) {
    fail('CAIRN-USAGE', 'both gzip and zstd are requested', {
      hint: 'Unset PULUMI_DIY_BACKEND_GZIP or PULUMI_DIY_BACKEND_ZSTD.',
    });
  }
  if (zstd && !canZstd()) {
    fail('CAIRN-USAGE', 'zstd is requested, but this version of Node does not have it', {
      hint: 'Use Node 22.15 or newer, or PULUMI_DIY_BACKEND_GZIP instead of PULUMI_DIY_BACKEND_ZSTD.',
    });
  }
  return zstd ? 'zstd' : gzip ? 'gzip' : 'none';
}

/** Returns the number of journals of ended operations to keep for a stack. Throws CAIRN-USAGE for another text. */
export function retentionOf(env: Env): number {
  const text = env['CAIRN_JOURNAL_RETENTION'];
  if (text === undefined || text === '') return DEFAULT_RETENTION;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  return fail(
    'CAIRN-USAGE',
    `CAIRN_JOURNAL_RETENTION is ${JSON.stringify(text)}, which is not a whole number`,
    {
      hint: 'Set it to the number of finished operations whose journals are kept, e.g. 30.',
    },
  );
}

function parallelOf(env: Env): number {
  const count = Number(env['CAIRN_DIY_BACKEND_PARALLEL'] ?? env['PULUMI_DIY_BACKEND_PARALLEL']);
  return Number.isInteger(count) && count > 0 ? count : DEFAULT_PARALLEL;
}

const DEFAULT_TERM_SECONDS = 60;
const RENEWALS_PER_TERM = 3;
const TAKEOVERS = { unattended: true, always: true, never: true } as const satisfies Record<Takeover, true>;

function leaseOf(env: Env): LeaseSettings {
  const termMs = 1000 * secondsOf(env, 'CAIRN_LEASE_TERM', DEFAULT_TERM_SECONDS);
  const renewalMs = 1000 * secondsOf(env, 'CAIRN_LEASE_RENEWAL', termMs / 1000 / RENEWALS_PER_TERM);
  if (renewalMs > termMs / 2) {
    fail('CAIRN-USAGE', `a lease of ${termMs / 1000} s cannot be renewed every ${renewalMs / 1000} s`, {
      hint: 'Set CAIRN_LEASE_RENEWAL to at most half of CAIRN_LEASE_TERM; both are seconds.',
    });
  }
  const takeover = env['CAIRN_LEASE_TAKEOVER'] ?? '';
  if (takeover === '') return { termMs, renewalMs, takeover: 'unattended' };
  if (Object.hasOwn(TAKEOVERS, takeover)) return { termMs, renewalMs, takeover: takeover as Takeover };
  return fail('CAIRN-USAGE', `CAIRN_LEASE_TAKEOVER is ${JSON.stringify(takeover)}`, {
    hint: `Set it to one of ${Object.keys(TAKEOVERS).join(', ')}.`,
  });
}

/**
 * Returns the number of seconds in a variable of the environment: above 0, at most a day. Throws CAIRN-USAGE for
 * another text.
 */
export function secondsOf(env: Env, name: string, otherwise: number): number {
  const text = env[name] ?? '';
  if (text === '') return otherwise;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0 && seconds <= LONGEST_SECONDS) return seconds;
  return fail('CAIRN-USAGE', `${name} is ${JSON.stringify(text)}, which is not a number of seconds`, {
    hint: `Set it to a number above 0 and up to ${LONGEST_SECONDS}, e.g. 60.`,
  });
}

const LONGEST_SECONDS = 24 * 3600;

function paceOf(env: Env): CheckpointPace | undefined {
  const text = env['CAIRN_CHECKPOINT'] ?? '';
  if (text === '') return undefined;
  const pace = CHECKPOINT_PACES.find((each) => each === text);
  if (pace !== undefined) return pace;
  return fail('CAIRN-USAGE', `CAIRN_CHECKPOINT is ${JSON.stringify(text)}`, {
    hint: `Set it to one of ${CHECKPOINT_PACES.join(', ')}.`,
  });
}

function encryptionOf(env: Env): StateEncryption {
  const text = env['CAIRN_STATE_ENCRYPTION'] ?? '';
  if (text === '') return undefined;
  if (/^(on|true|1)$/i.test(text)) return 'on';
  if (/^(off|false|0)$/i.test(text)) return 'off';
  return fail(
    'CAIRN-USAGE',
    `CAIRN_STATE_ENCRYPTION is ${JSON.stringify(text)}, which is neither on nor off`,
    {
      hint: 'Set it to on to seal states as a whole, or to off to store them plain; unset it to keep them as they are.',
    },
  );
}

/** Returns true only for `1` and `true` in any case. */
function flag(env: Env, ...names: readonly string[]): boolean {
  for (const name of names) {
    const text = env[`CAIRN_${name}`] ?? env[`PULUMI_${name}`];
    if (text !== undefined) return /^(1|true)$/i.test(text);
  }
  return false;
}
