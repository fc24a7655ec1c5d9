import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';

/** Files of runs and stacks in the agent's folder. */
export interface RunFiles {
  /** Folder of a run: its plan, its events and its logs. Deleted with the run. */
  readonly folder: string;
  /** Folder for what commands write for the agent. A container sees nothing else of the run. */
  readonly exchange: string;
  readonly plan: string;
  readonly events: string;
  /** The digest of the state from which the plan was made. */
  readonly base: string;
  readonly temporary: string;
  /** Log of a part of the run. */
  readonly log: (part: string) => string;
}

/** Returns the folder of a run. */
export const runFolder = (folder: string, run: string): string => path.join(folder, 'runs', run);

export function runFiles(folder: string, run: string): RunFiles {
  const own = runFolder(folder, run);
  const exchange = path.join(own, 'exchange');
  return {
    folder: own,
    exchange,
    plan: path.join(exchange, 'plan.json'),
    events: path.join(exchange, 'events.jsonl'),
    base: path.join(exchange, 'base'),
    temporary: path.join(own, 'tmp'),
    log: (part) => path.join(own, `${part}.log`),
  };
}

/** Returns the home of a stack's processes. It holds plugins, and nothing of other stacks. */
export const homeOfStack = (folder: string, stack: string): string => path.join(folder, 'homes', stack);

/** Returns the folder of a stack's repository. */
export const checkoutOfStack = (folder: string, stack: string): string => path.join(folder, 'sources', stack);

/** Returns the copy of a stack's repository that its containers see. git never works in it. */
export const programOfStack = (folder: string, stack: string): string => path.join(folder, 'programs', stack);

/** Returns the home that containers of a stack keep. Processes of this machine have another one. */
export const containerHomeOf = (folder: string, stack: string): string =>
  path.join(folder, 'container-homes', stack);

/** Reads a file that a command has written. Fails for a link, a pipe, and all else that is no file. */
export async function readWritten(file: string): Promise<string> {
  // Windows has no such flags, and no containers of this kind.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const opened = await open(file, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!(await opened.stat()).isFile()) throw new Error(`${file} is no file`);
    return await opened.readFile('utf8');
  } finally {
    await opened.close();
  }
}

/** Returns the folder with records of the agent's containers. */
export const containersFolder = (folder: string): string => path.join(folder, 'containers');
