import { readFileSync, readdirSync, statSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isOwnMarkFile } from './call-marks.js';
import { readMarks } from './mark-text.js';
import type { MarkWriter, MarkedCall } from './mark-text.js';

/** Call of a provider during which a command was ended by a signal. */
export interface Crash extends MarkedCall {
  /** File that records it. After its removal the provider is trusted again. */
  readonly file: string;
  readonly atMs: number;
}

/**
 * Lists the crashes that commands have left in a folder of marks, the newest first. Removes files of commands that were
 * ended while they called no provider. Never throws.
 */
export function findCrashes(directory: string): readonly Crash[] {
  return namesIn(directory)
    .map((name) => join(directory, name))
    .filter((file) => !isOwnMarkFile(file))
    .flatMap(crashesIn)
    .sort((one, other) => other.atMs - one.atMs);
}

/**
 * Returns the crash for which a package may not run in our process: one of the same version, since which its module has
 * not been rewritten. Forgets crashes that no longer count.
 */
export function crashOf(
  crashes: readonly Crash[],
  provider: { readonly npmName: string; readonly version: string; readonly module: string },
): Crash | undefined {
  const own = crashes.filter((crash) => nameOf(crash.provider) === provider.npmName);
  const [newest] = own;
  const counts =
    newest?.provider === `${provider.npmName}@${provider.version}` &&
    modifiedMs(provider.module) <= newest.atMs;
  for (const { file } of own) if (!counts || file !== newest.file) forget(file);
  return counts ? newest : undefined;
}

const nameOf = (provider: string): string => provider.slice(0, provider.lastIndexOf('@'));

function crashesIn(file: string): readonly Crash[] {
  try {
    const marks = readMarks(readFileSync(file, 'latin1'));
    if (marks === undefined || isRunning(marks.writer)) return [];
    if (marks.calls.length === 0 && marks.writer.host === hostname()) forget(file);
    const atMs = modifiedMs(file);
    return marks.calls.map((call) => ({ ...call, file, atMs }));
  } catch {
    return [];
  }
}

/** Returns true if the writer runs. A process of another host is taken for one that has ended. */
function isRunning({ pid, host }: MarkWriter): boolean {
  if (host !== hostname() || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function modifiedMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function forget(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process has removed it.
  }
}
