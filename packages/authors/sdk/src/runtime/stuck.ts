import { setImmediate as turn } from 'node:timers/promises';
import { Abandoned } from '../resource/abandoned.js';
import { RunError } from '../resource/resource-error.js';
import type { PendingRequests, PendingRequest } from './pending.js';

/** One resource of a cycle, and the input by which it waits for the next. Undefined if it waits by an option. */
interface Link {
  readonly wait: PendingRequest;
  readonly input: string | undefined;
}

/** Turns of the event loop in which a failure reaches all waiting code, through outputs made of one another. */
const TURNS = 10;

/**
 * Returns the resources that wait for one another in a cycle, in that order; empty if there is no cycle. For a program
 * in which nothing more can happen. It fails every waiting resource, and the resulting errors show which one waited for
 * which.
 */
export async function findWaitCycle(pending: PendingRequests): Promise<readonly Link[]> {
  const resources = pending.list().filter(({ kind }) => kind === 'resource');
  const next = new Map<PendingRequest, { readonly to: PendingRequest; readonly input: string | undefined }>();
  pending.close((wait, error) => {
    if (error instanceof Abandoned) next.set(wait, { to: error.of as PendingRequest, input: error.input });
  });
  for (const wait of resources) wait.abandon?.(new Abandoned<PendingRequest>(wait));
  for (let count = 0; count < TURNS; count += 1) await turn();
  for (const start of resources) {
    const path: Link[] = [];
    let at: PendingRequest = start;
    for (let link = next.get(at); link !== undefined; link = next.get(at)) {
      const seen = path.findIndex(({ wait }) => wait === at);
      if (seen >= 0) return path.slice(seen);
      path.push({ wait: at, input: link.input });
      at = link.to;
    }
  }
  return [];
}

const SHOWN = 10;

/** Returns the error for a program in which nothing more can happen although requests are pending. */
export function stuckError(waits: readonly PendingRequest[], cycle: readonly Link[] = []): RunError {
  if (cycle.length > 0) return new RunError(drawn(cycle), 'CAIRN-RESOURCE-CYCLE');
  const resources = waits.filter((wait) => wait.kind === 'resource');
  if (resources.length === 0) {
    const rest = waits.map((wait) => describe(wait).trimStart());
    const what =
      rest.length === 0 ? 'a promise at its top level or an output' : rest.slice(0, SHOWN).join(', ');
    return new RunError(
      `the program ended while it still waits for something that is never resolved: ${what}`,
    );
  }
  const lines = resources.slice(0, SHOWN).map(describe);
  if (resources.length > SHOWN) lines.push(`  and ${resources.length - SHOWN} more`);
  const problem =
    resources.length === 1
      ? 'a resource waits for an input that never comes: its own output, or a promise that is never resolved'
      : 'circular dependency: resources wait for each other, or for a promise that is never resolved';
  return new RunError([problem, ...lines].join('\n'), 'CAIRN-RESOURCE-CYCLE');
}

/** Describes a wait as a line of a message. */
export function describe(wait: PendingRequest): string {
  const { what } = wait;
  const at = wait.declaredAt?.();
  return at === undefined ? `  ${what}` : `  ${what} declared at ${at}`;
}

/** Draws a cycle as text: a line for each resource, and one that leads back to the first. */
function drawn(cycle: readonly Link[]): string {
  const waits = (input: string | undefined): string =>
    `${input === undefined ? 'an option' : `its input "${input}"`} waits for`;
  const [first] = cycle;
  if (cycle.length === 1 && first !== undefined)
    return `circular dependency: a resource waits for itself\n${describe(first.wait)}: ${waits(first.input)} its own output`;
  const lines = cycle.map(
    ({ wait, input }, index) => `  ${index === 0 ? '┌→' : '│ '}${describe(wait).slice(1)}: ${waits(input)}`,
  );
  const last = `  └─ ${first?.wait.what ?? ''}`;
  return ['circular dependency: resources wait for each other', ...lines, last].join('\n');
}
