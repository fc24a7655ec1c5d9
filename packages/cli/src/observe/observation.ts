import path from 'node:path';
import type { Observer } from '@cairn/operations/stacks';
import type { World } from '../world.js';
import { openCallLog } from './call-log.js';
import { callLogFile } from './wanted.js';

/** What looks into one command, from its start to its end. */
export interface Observation {
  readonly observer: Observer;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** Starts to look into a command. Fails (CAIRN-USAGE) when there is no way to write what is asked for. */
export async function startObservation(world: World): Promise<Observation> {
  const file = callLogFile(world);
  const log = file === undefined ? undefined : openCallLog(path.resolve(world.cwd, file), world.now);
  return {
    observer: { observed: (mask) => ({ calls: log?.watch(mask), asProcesses: log !== undefined }) },
    close: async () => log?.close(),
  };
}
