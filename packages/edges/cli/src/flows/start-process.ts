import type { ChildProcess } from 'node:child_process';
import type { spawnProcess } from '@cairn/processes';

/** `spawnProcess` for commands that seldom start a process: its package is loaded with the first one. */
export async function startChildProcess(...request: Parameters<typeof spawnProcess>): Promise<ChildProcess> {
  const { spawnProcess: spawn } = await import('@cairn/processes');
  return spawn(...request);
}
