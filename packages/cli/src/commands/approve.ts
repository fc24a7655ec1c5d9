import { goStruct } from '@cairn/state';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { parseTaskId } from '../changes/change-id.js';
import { withNumber } from '../changes/choose-change.js';
import { summaryText } from '../changes/task-list.js';
import { whoAsks } from '@cairn/operations/stacks';
import { stackWords } from '../session/stack-choice.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const { change, task: number } = parseTaskId(args[0] ?? '');
  return withStack(world, flags, async ({ backend, id }) => {
    const row = withNumber(await backend.changes(id), change);
    const { view } = await backend.change(id, change);
    const task = view?.tasks.get(number);
    if (task === undefined)
      throw cairnError('CAIRN-CHANGE-UNKNOWN', `change ${change} has no task ${number}`, {
        hint: `\`cairn change ${change}\` lists its tasks`,
      });
    if (task.status !== 'wait')
      throw cairnError('CAIRN-CHANGE-ENDED', `task ${change}/${number} does not wait for anything`, {
        hint: `\`cairn change ${change}\` shows how it stands`,
      });
    await backend.tell(id, change, { t: 'approve', task: number, by: whoAsks() });
    if (flags.on('json'))
      printJson(world, goStruct({ task: `${change}/${number}`, approved: true, running: row.running }));
    else
      world.stderr.write(
        `approved ${change}/${number} ${summaryText(task)}\n${
          row.running
            ? `change ${change} goes on\n`
            : `\`cairn ${nextFor(task)} ${change}${stackWords(flags)}\` goes on with it\n`
        }`,
      );
    return EXIT.ok;
  });
};

/** A gate is passed by going on; everything else that can be agreed to belongs to a rollback. */
function nextFor({ kind }: { readonly kind: string }): string {
  return kind === 'gate' ? 'resume' : 'rollback';
}
