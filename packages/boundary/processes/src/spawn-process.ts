import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { NEEDED_TO_SPAWN, withDescriptors } from '@cairn/retries';

/**
 * Starts a process, without a group of its own unless `options` ask for one, and resolves once it runs. Waits for
 * descriptors when there are none left, then fails with CAIRN-DESCRIPTORS. Otherwise rejects with the system's error
 * (`code` ENOENT, EACCES, …). `onStart` is called as soon as the process has its streams, before Cairn knows whether it
 * runs.
 */
export function spawnProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
  onStart: (child: ChildProcess) => void = () => undefined,
): Promise<ChildProcess> {
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(command, [...args], options);
    const running = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('spawn', resolve);
    });
    // Without descriptors it has no streams.
    if ((child.stdio as ChildProcess['stdio'] | undefined) !== undefined) onStart(child);
    await running;
    return child;
  };
  return withDescriptors(`start ${command}`, start, { needs: NEEDED_TO_SPAWN });
}
