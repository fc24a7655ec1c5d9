import { readFileSync, readdirSync } from 'node:fs';
import type { Sandbox } from './cairn.js';

/** Command lines of the processes that run with the home folder of a sandbox in their environment. */
export function processesOf(box: Sandbox): readonly string[] {
  return runningOf(box).map(({ words }) => words);
}

/** A process, and its command line. */
interface RunningProcess {
  readonly pid: number;
  readonly words: string;
}

/** The processes that run with the home folder of a sandbox in their environment. */
export function runningOf(box: Sandbox): readonly RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return environment.includes(box.home) && !words.includes('/bin/sh -c')
          ? [{ pid: Number(pid), words }]
          : [];
      } catch {
        return [];
      }
    });
}

/** Waits up to 20 seconds until no process of a sandbox runs. Returns those that still do then. */
export async function untilNoProcess(box: Sandbox): Promise<readonly string[]> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (processesOf(box).length === 0) return [];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return processesOf(box);
}
