import { EXIT, cairnError } from '@cairn/diagnostics';
import { changeJson, changeLines, selectChanges } from '../changes/change-list.js';
import type { Selection } from '../changes/change-list.js';
import { timeStyle } from '../changes/times.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const [name] = args;
  if (name !== undefined && /^\d+$/.test(name))
    throw cairnError('CAIRN-USAGE', '`cairn changes` takes the name of a stack, not a number', {
      hint: `try \`cairn change ${name}\``,
    });
  const selection = selectionOf(flags.text('select'));
  const style = timeStyle(flags.text('time'), world.now());
  return withStack(
    world,
    flags,
    async ({ backend, id }) => {
      const changes = selectChanges(await backend.changes(id), selection);
      if (flags.on('json'))
        printJson(
          world,
          changes.map((row) => changeJson(row, id.stack)),
        );
      else if (changes.length === 0) world.stderr.write('no changes found\n');
      else world.stdout.write(`${changeLines(changes, id.stack, style).join('\n')}\n`);
      return EXIT.ok;
    },
    name,
  );
};

function selectionOf(text: string | undefined): Selection {
  if (text === undefined || text === 'all' || text === 'in-progress' || text === 'ready')
    return text ?? 'all';
  throw cairnError('CAIRN-USAGE', `--select takes all, in-progress or ready, not ${JSON.stringify(text)}`);
}
