import type { ChangeRow } from '@cairn/backends';
import { goStruct } from '@cairn/state';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { chooseChange } from '../changes/choose-change.js';
import { whoAsks } from '@cairn/operations/stacks';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { HAPPENED } from '../session/unfinished.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    const row = chooseChange(await backend.changes(id), { id: args[0], last: flags.text('last') });
    if (row === undefined) {
      if (flags.on('json')) printJson(world, null);
      return EXIT.ok;
    }
    refuseEnded(row);
    const rollback = !flags.on('keep');
    await backend.tell(id, row.number, { t: 'abort', rollback, by: whoAsks() });
    // It may have ended before it could hear of it.
    const now = (await backend.changes(id)).find(({ number }) => number === row.number);
    if (now !== undefined) refuseEnded(now);
    if (flags.on('json')) printJson(world, goStruct({ change: row.id, asked: 'abort', rollback }));
    else
      world.stderr.write(
        `asked change ${row.id} to stop${rollback ? ' and to roll back what it has done' : ''}; \`cairn watch ${row.id}\` follows it\n`,
      );
    return EXIT.ok;
  });

/** Throws CAIRN-CHANGE-ENDED for a change on which nothing works. */
function refuseEnded({ id, running, unfinished, result }: ChangeRow): void {
  if (running) return;
  const how = HAPPENED[result ?? 'interrupted'];
  throw cairnError('CAIRN-CHANGE-ENDED', `it is too late to abort change ${id}: it ${how}`, {
    hint: unfinished
      ? `Nothing works on it: \`cairn rollback ${id}\` rolls it back.`
      : `\`cairn change ${id}\` shows how it ended${result === 'succeeded' ? `, \`cairn rollback ${id}\` rolls it back` : ''}.`,
  });
}
