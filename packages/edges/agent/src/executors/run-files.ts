import path from 'node:path';

/** Files of runs and stacks in the agent's folder. */
export interface RunFiles {
  /** Folder of a run: its plan, its events and its logs. Deleted with the run. */
  readonly folder: string;
  readonly plan: string;
  readonly events: string;
  readonly temporary: string;
  /** Log of a part of the run. */
  readonly log: (part: string) => string;
}

/** Returns the folder of a run. */
export const runFolder = (folder: string, run: string): string => path.join(folder, 'runs', run);

export function runFiles(folder: string, run: string): RunFiles {
  const own = runFolder(folder, run);
  return {
    folder: own,
    plan: path.join(own, 'plan.json'),
    events: path.join(own, 'events.jsonl'),
    temporary: path.join(own, 'tmp'),
    log: (part) => path.join(own, `${part}.log`),
  };
}

/** Returns the home of a stack's processes. It holds plugins, and nothing of other stacks. */
export const homeOfStack = (folder: string, stack: string): string => path.join(folder, 'homes', stack);

/** Returns the folder of a stack's repository. */
export const checkoutOfStack = (folder: string, stack: string): string => path.join(folder, 'sources', stack);
