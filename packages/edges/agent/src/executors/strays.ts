import { readFile, readdir } from 'node:fs/promises';

/** Variable that every process of a command inherits, with the id of the command. */
export const COMMAND_VARIABLE = 'CAIRN_AGENT_COMMAND';
/** Most looks: a process that forks all the time is killed faster than it forks, or not at all. */
const LOOKS = 10;

/**
 * Kills processes of a command that have left its group, for example with `setsid`. They are recognised by the variable
 * that they have inherited. Where the system does not show the variables of processes, it does nothing.
 */
export async function killStrays(id: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const mark = `\0${COMMAND_VARIABLE}=${id}\0`;
  for (let look = 0; look < LOOKS; look += 1) {
    const strays = await processesWith(mark);
    if (strays.length === 0) return;
    for (const pid of strays)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
  }
}

async function processesWith(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map(async (name) => {
        const variables = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
        return `\0${variables}`.includes(mark) ? [Number(name)] : [];
      }),
  );
  return found.flat();
}
