import type { Backend, StackId } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { StackFlags } from '../flags/operation.js';
import type { CommandContext } from '../command-context.js';
import { alignedLines } from '../terminal/columns.js';
import { visible } from '../terminal/controls.js';
import { withStackForFlags } from './open-stack.js';

/** Does work with what only a state service has for the stack, and ends well. `what` and `hint` are for errors. */
export function withServiceOfStack(
  context: CommandContext,
  flags: StackFlags,
  { what, hint }: { readonly what: string; readonly hint: string },
  work: (service: NonNullable<Backend['service']>, id: StackId) => Promise<void>,
): Promise<number> {
  return withStackForFlags(context, flags, async ({ backend, id }) => {
    if (backend.service === undefined)
      throw cairnError('CAIRN-USAGE', `cannot use ${what}: ${backend.url} is not a state service`, { hint });
    await work(backend.service, id);
    return EXIT.ok;
  });
}

/** Writes rows as a table with a head. */
export function writeTable(
  { stdout }: CommandContext,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const lines = alignedLines([head, ...rows.map((row) => row.map((cell) => visible(cell)))]);
  stdout.write(`${lines.join('\n')}\n`);
}

/** Writes names and values, one pair a line. */
export function writeFields(
  { stdout }: CommandContext,
  fields: readonly (readonly [string, string])[],
): void {
  const rows = fields.map(([name, value]) => [`${name}:`, visible(value)]);
  stdout.write(`${alignedLines(rows).join('\n')}\n`);
}
