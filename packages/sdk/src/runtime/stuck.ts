import { RunError } from '../resource/resource-error.js';
import type { Wait } from './pending.js';

const SHOWN = 10;

/** The error for a program in which nothing can happen any more though something is waited for. */
export function stuckError(waits: readonly Wait[]): RunError {
  const resources = waits.filter((wait) => wait.kind === 'resource');
  if (resources.length === 0) {
    const rest = waits.map((wait) => wait.what);
    const what =
      rest.length === 0 ? 'a promise at its top level or an output' : rest.slice(0, SHOWN).join(', ');
    return new RunError(`the program ended while it still waits for something that nobody resolves: ${what}`);
  }
  const lines = resources.slice(0, SHOWN).map(describe);
  if (resources.length > SHOWN) lines.push(`  and ${resources.length - SHOWN} more`);
  const problem =
    resources.length === 1
      ? 'a resource waits for an input that never comes: its own output, or a promise that nobody resolves'
      : 'circular dependency: resources wait for each other, or for a promise that nobody resolves';
  return new RunError([problem, ...lines].join('\n'), 'CAIRN-RESOURCE-CYCLE');
}

function describe({ what, declaredAt }: Wait): string {
  const at = declaredAt?.();
  return at === undefined ? `  ${what}` : `  ${what} declared at ${at}`;
}
