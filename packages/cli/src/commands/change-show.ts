import { goStruct } from '@cairn/state';
import { EXIT } from '@cairn/diagnostics';
import { changeError } from '@cairn/changes';
import { changeJson, changeLines } from '../changes/change-list.js';
import { chooseChange } from '../changes/choose-change.js';
import { taskJson, taskLines } from '../changes/task-list.js';
import { timeStyle } from '../changes/times.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ args, flags }, world) => {
  const style = timeStyle(flags.text('time'), world.now());
  return withStack(world, flags, async ({ backend, id }) => {
    const row = chooseChange(await backend.changes(id), { id: args[0], last: flags.text('last') });
    if (row === undefined) {
      if (flags.on('json')) printJson(world, null);
      return EXIT.ok;
    }
    const { view, operation } = await backend.change(id, row.number);
    const tasks = [...(view?.tasks.values() ?? [])];
    const error = view === undefined ? undefined : changeError(view);
    const log = operation.environment['cairn.log'];
    if (flags.on('json')) {
      const shown = goStruct({
        ...changeJson(row, id.stack),
        ...(error === undefined ? {} : { err: error }),
        ...(log === undefined ? {} : { output: log }),
        tasks: tasks.map((task) => taskJson(task, row.number)),
      });
      printJson(world, shown);
      return EXIT.ok;
    }
    const lines = [
      ...changeLines([row], id.stack, style),
      '',
      ...(tasks.length === 0 ? ['no tasks'] : taskLines(tasks, row.number, style)),
      ...(log === undefined ? [] : ['', `What it says is in ${log}`]),
    ];
    world.stdout.write(`${lines.join('\n')}\n`);
    return EXIT.ok;
  });
};
