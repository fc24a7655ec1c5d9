import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isOutOfDescriptors, outOfDescriptors } from '@cairn/diagnostics';
import { delayAfter, systemRetryPorts } from './retrying.js';
import type { RetryPorts } from './retrying.js';

/** Between attempts, and in all while nobody is known to give any back. Times in milliseconds. */
export const DESCRIPTOR_LIMITS = {
  attempts: Infinity,
  firstMs: 5,
  mostMs: 250,
  askedMostMs: 0,
  totalMs: 10_000,
} as const;

/**
 * `isHeld`: others of this process hold open files and are going to give them back, so that waiting has an end.
 * `needs`: so many must be free before the work is done at all.
 */
interface DescriptorRules {
  readonly needs?: number;
  readonly isHeld?: () => boolean;
  readonly ports?: RetryPorts;
}

/**
 * Does what opens files, pipes or sockets, and does it again while the process has none left: others give theirs back.
 * Waits as long as somebody holds some that it is known to give back, else ten seconds; then fails with
 * CAIRN-DESCRIPTORS. `what`: what is done, such as `start git`. `work` must have done nothing when it fails like that.
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
 * Open files that must be free before a process with pipes is started: Node never closes the pipes of one that fails
 * for want of the last two, so failing costs more than looking first.
 */
export const NEEDED_TO_SPAWN = 16;

/** Throws the system's error (EMFILE, ENFILE) when not so many more files can be opened. */
export function haveFree(count: number): void {
  if (process.platform === 'win32') return;
  const opened: number[] = [];
  try {
    for (let at = 0; at < count; at += 1) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
