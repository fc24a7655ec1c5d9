import type { SealedStore } from './sealed/sealed-store.js';
import type { BackendSettings } from './settings.js';
import type { Timer } from '../timer.js';
import type { HolderProcess } from '../model/lock-holder.js';
import type { CheckpointPace } from '../backend-ports.js';
import type { StoreLayout } from '../bucket-part.js';

/**
 * Context shared by every part of a backend. It is fixed for the life of the backend, except for the locks that it
 * holds and the stacks that it has just listed.
 */
export interface BackendContext {
  readonly store: SealedStore;
  readonly settings: BackendSettings;
  /** Decides when the checkpoint is written while an operation runs. */
  readonly pace: CheckpointPace;
  /** Layout of the store's keys: by project, or the layout that predates projects. */
  readonly layout: StoreLayout;
  /** True if the store itself said so when it was opened. It then needs no mark before the first write. */
  readonly marked: boolean;
  readonly now: () => Date;
  /** UUID of this instance, which names its locks. */
  readonly instance: string;
  /** Version text for manifests. */
  readonly version: string;
  /** The command line without node and script, joined with spaces. */
  readonly command: string;
  /** Variables that steer Cairn, for the record of a failed integrity check. Values of secrets are masked. */
  readonly variables: Readonly<Record<string, string>>;
  readonly process: HolderProcess;
  readonly timer: Timer;
  /** `check` refuses inconsistent states; `skip` is for `--disable-integrity-checking`. */
  readonly integrity: 'check' | 'skip';
  /** Longest time to wait for the lock of a stack, in milliseconds. 0 means no waiting. */
  readonly waitForLockMs: number;
  /** Notified when the backend waits for something that may take long. */
  readonly waiting?: ((text: string) => void) | undefined;
  /** Keys of the locks that this instance holds. */
  readonly held: Set<string>;
  /** Keys below the stacks' folder as a look for old stacks has found them, until the first question after it. */
  listed: readonly string[] | undefined;
  /** The only key of a stack's checkpoint, as the last look has found it, until the stack is locked. */
  found: string | undefined;
}

/**
 * Returns nanoseconds since 1970, made of the time in milliseconds and a number below a million. The number
 * distinguishes two stamps of the same millisecond.
 */
export function nanoStamp(now: Date, number: number): string {
  return String(BigInt(now.getTime()) * 1_000_000n + BigInt(number % 1_000_000));
}

/** Returns whole seconds since 1970. */
export function unixSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

/** Returns true if a number from a file is a point in time in seconds since 1970 that a date can hold. */
export function isUnixSeconds(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8_640_000_000_000;
}

/** Returns a file's text if it is a point in time. */
export function timeOf(text: unknown): string | undefined {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
