import type { HolderProcess } from './locks/lock-file.js';
import type { CheckpointPace } from './operation/pace.js';
import type { SealedStore } from './sealed/sealed-store.js';
import type { BackendSettings } from './settings.js';
import type { StoreLayout } from './stacks/meta.js';
import type { Timer } from './timer.js';

/** What every part of a backend works with. Fixed for the life of the backend, but for the locks it holds. */
export interface BackendContext {
  readonly store: SealedStore;
  readonly settings: BackendSettings;
  /** When the checkpoint is written while an operation runs. */
  readonly pace: CheckpointPace;
  /** How the store's keys are made: by project, or as before there were projects. */
  readonly layout: StoreLayout;
  /** The store said so itself when it was opened: it needs no mark before the first write. */
  readonly marked: boolean;
  readonly now: () => Date;
  /** UUID of this instance: the name of its locks. */
  readonly instance: string;
  /** Version text for manifests. */
  readonly version: string;
  /** The command line without node and script, joined with spaces. */
  readonly command: string;
  /** Variables that steer Cairn, for the record of a failed integrity check; values of secrets are masked. */
  readonly variables: Readonly<Record<string, string>>;
  readonly process: HolderProcess;
  readonly timer: Timer;
  /** Whether states that are not consistent are refused; `skip` for `--disable-integrity-checking`. */
  readonly integrity: 'check' | 'skip';
  /** The longest that the lock of a stack is waited for. 0: not at all. */
  readonly waitForLockMs: number;
  /** Told when something is waited for that may take long. */
  readonly waiting?: ((text: string) => void) | undefined;
  /** Keys of the locks that this instance holds now. */
  readonly held: Set<string>;
}

/**
 * Nanoseconds since 1970, made of the time in milliseconds and a number below a million that tells two in one
 * millisecond apart.
 */
export function nanoStamp(now: Date, number: number): string {
  return String(BigInt(now.getTime()) * 1_000_000n + BigInt(number % 1_000_000));
}

/** Whole seconds since 1970. */
export function unixSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}

/** Whether a file's number is a point in time, in seconds since 1970: one that a date can hold. */
export function isUnixSeconds(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8_640_000_000_000;
}

/** A file's text for a point in time, where it is one. */
export function timeOf(text: unknown): string | undefined {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
