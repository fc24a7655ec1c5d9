import type { ChangeRow } from '@cairn/backends';
import { EXIT, cairnError } from '@cairn/diagnostics';
import {
  abortChange,
  approveTask,
  findChange,
  parseTaskId,
  shownChange,
  stackChanges,
} from '@cairn/operations/stacks';
import type { OpenStack, Selection } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import { changeJson, changeListLines } from '../changes/change-list.js';
import { summaryText, taskJson, taskLines } from '../changes/task-list.js';
import { timeStyle } from '../changes/times.js';
import { withStackForFlags } from '../flows/open-stack.js';
import { stackWords } from '../flows/stack-choice.js';
import { terminalColumns } from '../terminal/terminal-size.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import type { Command, Invocation } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import type { StackFlags } from '../flags/operation.js';

/** `changes` */
export const list: Command<Switches<'json'> & Texts<'select' | 'time'>> = async (
  { args, flags },
  context,
) => {
  const [name] = args;
  if (name !== undefined && /^\d+$/.test(name))
    throw cairnError('CAIRN-USAGE', '`cairn changes` takes the name of a stack, not a number', {
      hint: `Try \`cairn change ${name}\`.`,
    });
  const selection = selectionOf(flags.select);
  const style = timeStyle(flags.time, context.now());
  return withStackForFlags(
    context,
    flags,
    async (stack) => {
      const { stack: called } = stack.id;
      const changes = await stackChanges(stack, selection);
      if (flags.json)
        printJson(
          context,
          changes.map((row) => changeJson(row, called)),
        );
      else if (changes.length === 0) context.stderr.write('no changes found\n');
      else context.stdout.write(`${changeListLines(changes, called, style).join('\n')}\n`);
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

/** Runs work with the named change. `--last=KIND?` may match none, which is not a failure. */
export function withChange(
  { args, flags }: Invocation<StackFlags & Switches<'json'> & Texts<'last'>>,
  context: CommandContext,
  run: (stack: OpenStack, row: ChangeRow) => Promise<number>,
): Promise<number> {
  return withStackForFlags(context, flags, async (stack) => {
    const row = await findChange(stack, { id: args[0], last: flags.last });
    if (row !== undefined) return run(stack, row);
    if (flags.json) printJson(context, null);
    return EXIT.ok;
  });
}

/** `change` */
export const show: Command<Switches<'json'> & Texts<'last' | 'report' | 'time'>> = async (
  invocation,
  context,
) => {
  const { flags } = invocation;
  const style = timeStyle(flags.time, context.now());
  return withChange(invocation, context, async (stack, row) => {
    const { stack: called } = stack.id;
    const { tasks, error, environment } = await shownChange(stack, row);
    const report = flags.report;
    if (report !== undefined) {
      const { writeChangeReport } = await import('../flows/write-change-report.js');
      await writeChangeReport(context, stack, row, error, report);
    }
    const log = environment['cairn.log'];
    const columns = context.stdout.isTTY === true ? terminalColumns(context.stdout, context.env) : undefined;
    if (flags.json) {
      const shown = goStruct({
        ...changeJson(row, called),
        ...(error === undefined ? {} : { err: error }),
        ...(log === undefined ? {} : { output: log }),
        tasks: tasks.map((task) => taskJson(task, row.number)),
      });
      printJson(context, shown);
      return EXIT.ok;
    }
    const lines = [
      ...changeListLines([row], called, style),
      '',
      ...(tasks.length === 0 ? ['no tasks'] : taskLines(tasks, row.number, style, columns)),
      ...(log === undefined ? [] : ['', `Its output is in ${log}`]),
    ];
    context.stdout.write(`${lines.join('\n')}\n`);
    return EXIT.ok;
  });
};

/** `abort` */
export const abort: Command<Switches<'json' | 'keep'> & Texts<'last'>> = (invocation, context) =>
  withChange(invocation, context, async (stack, row) => {
    const { flags } = invocation;
    const keep = flags.keep;
    await abortChange(stack, row, { keep });
    if (flags.json) printJson(context, goStruct({ change: row.id, asked: 'abort', rollback: !keep }));
    else
      context.stderr.write(
        `asked change ${row.id} to stop${keep ? '' : ' and to roll back'}; \`cairn follow ${row.id}\` follows it\n`,
      );
    return EXIT.ok;
  });

/** `approve` */
export const approve: Command<Switches<'json'>> = async ({ args, flags }, context) => {
  const { change, task: number } = parseTaskId(args[0] ?? '');
  return withStackForFlags(context, flags, async (stack) => {
    const { row, task, next } = await approveTask(stack, change, number);
    if (flags.json)
      printJson(context, goStruct({ task: `${change}/${number}`, approved: true, running: row.running }));
    else
      context.stderr.write(
        `approved ${change}/${number} ${summaryText(task)}\n${
          next === 'runs'
            ? `change ${change} continues\n`
            : `\`cairn ${next} ${change}${stackWords(flags)}\` continues it\n`
        }`,
      );
    return EXIT.ok;
  });
};
