import { goStruct } from '@cairn/state';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { chooseChange } from '../changes/choose-change.js';
import { whoAsks } from '../session/messages.js';
import { withStack } from '../session/open-stack.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ args, flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    const row = chooseChange(await backend.changes(id), { id: args[0], last: flags.text('last') });
    if (row === undefined) {
      if (flags.on('json')) printJson(world, null);
      return EXIT.ok;
    }
    if (!row.running)
      throw cairnError('CAIRN-CHANGE-ENDED', `cannot abort change ${row.id} with nothing pending`, {
        hint: row.unfinished
          ? `nothing works on it: \`cairn rollback ${row.id}\` takes it back`
          : `\`cairn change ${row.id}\` shows how it ended`,
      });
    const rollback = !flags.on('keep');
    await backend.tell(id, row.number, { t: 'abort', rollback, by: whoAsks() });
    if (flags.on('json')) printJson(world, goStruct({ change: row.id, asked: 'abort', rollback }));
    else
      world.stderr.write(
        `asked change ${row.id} to stop${rollback ? ' and to take back what it has done' : ''}; \`cairn watch ${row.id}\` follows it\n`,
      );
    return EXIT.ok;
  });
