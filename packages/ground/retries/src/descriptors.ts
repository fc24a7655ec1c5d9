import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isOutOfDescriptors, outOfDescriptors } from '@cairn/diagnostics';
import { delayAfter, systemRetryPorts } from './retrying.js';
import type { RetryPorts } from './retrying.js';

/**
 * Waits between attempts, and their total while no part of this process is known to free open files. Times in
 * milliseconds.
 */
export const DESCRIPTOR_LIMITS = {
  attempts: Infinity,
  firstMs: 5,
  mostMs: 250,
  askedMostMs: 0,
  totalMs: 10_000,
} as const;

/**
 * `isHeld`: true while other parts of this process hold open files that they will free, so that waiting has an end.
 * `needs`: number of open files that must be free before the work starts.
 */
interface DescriptorRules {
  readonly needs?: number;
  readonly isHeld?: () => boolean;
  readonly ports?: RetryPorts;
}

/**
 * Does work that opens files, pipes or sockets, and retries it while the process has no open files left. Other parts of
 * the process free theirs meanwhile. Waits as long as `isHeld` says that some will be freed, otherwise ten seconds;
 * then fails with CAIRN-DESCRIPTORS. `what` names the work, such as `start git`. `work` must have had no effect when it
 * fails for this reason.
 */
export async function withDescriptors<T>(
  what: string,
  work: () => Promise<T>,
  { isHeld = () => false, needs = 0, ports = systemRetryPorts }: DescriptorRules = {},
): Promise<T> {
  let since: number | undefined;
  for (let failed = 1; ; failed += 1) {
    try {
      if (needs > 0) haveFree(needs);
      return await work();
    } catch (thrown) {
      if (!isOutOfDescriptors(thrown)) throw thrown;
      const now = ports.now();
      if (since === undefined || isHeld()) since = now;
      if (now - since >= DESCRIPTOR_LIMITS.totalMs) throw outOfDescriptors(what, thrown);
      await ports.sleep(delayAfter(Math.min(failed, 10), undefined, DESCRIPTOR_LIMITS, ports.random));
    }
  }
}

/**
 * Number of open files that must be free before a process with pipes is started. Node never closes the pipes of a
 * process that fails for want of the last two, so a check beforehand costs less than the failure.
 */
export const NEEDED_TO_SPAWN = 16;

/** Throws the system's error (EMFILE, ENFILE) if fewer than `count` more files can be opened. */
export function haveFree(count: number): void {
  if (process.platform === 'win32') return;
  const opened: number[] = [];
  try {
    for (let at = 0; at < count; at += 1) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
