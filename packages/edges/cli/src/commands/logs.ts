import { readFile, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, cairnError } from '@cairn/diagnostics';
import { userOf } from '@cairn/operations/stacks';
import { goStruct } from '@cairn/state';
import { homeDirectory } from '@cairn/workspace';
import { isConfirmed } from '../flows/confirm.js';
import { alignedLines } from '../terminal/columns.js';
import { formatAge, parseDuration } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import { confirm, needsAnswer } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';

/** Output of an operation in the background. */
interface Log {
  /** Name in commands: project, stack and file. */
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: Date;
}

/** Returns the folder of the logs of operations in the background. */
const folderOf = (context: CommandContext): string => path.join(homeDirectory(userOf(context)), 'logs');

/** Returns every log, oldest first. */
async function logsOf(context: CommandContext): Promise<readonly Log[]> {
  const folder = folderOf(context);
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const logs: Log[] = [];
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    const file = path.join(folder, name);
    const { size, mtime } = await stat(file);
    logs.push({ name: name.replaceAll(path.sep, '/'), file, size, modified: mtime });
  }
  return logs.sort((a, b) => a.modified.getTime() - b.modified.getTime() || (a.name < b.name ? -1 : 1));
}

/** `logs list` */
export const list: Command<Switches<'json'>> = async ({ flags }, context) => {
  const logs = await logsOf(context);
  if (flags.json) {
    const rows = logs.map(({ name, file, size, modified }) =>
      goStruct({ name, file, size, modified: modified.toISOString() }),
    );
    printJson(context, rows);
    return EXIT.ok;
  }
  const rows = logs.map(({ name, size, modified }) => [
    formatAge(modified, context.now()),
    `${size} B`,
    name,
  ]);
  for (const line of alignedLines([['WRITTEN', 'SIZE', 'NAME'], ...rows])) context.stdout.write(`${line}\n`);
  return EXIT.ok;
};

/** `logs show`: shows the newest log unless one is named. */
export const show: Command = async ({ args: [name] }, context) => {
  const logs = await logsOf(context);
  const found = name === undefined ? logs.at(-1) : logs.find((each) => each.name === name);
  if (found === undefined)
    throw cairnError('CAIRN-USAGE', name === undefined ? 'there is no log' : `there is no log ${name}`, {
      hint: 'Run `cairn logs list` to list the logs of background operations, or `cairn change ID` to see what a change did.',
    });
  context.stdout.write(await readFile(found.file, 'utf8'));
  return EXIT.ok;
};

/** `logs remove` */
export const remove: Command<Switches<'all'> & Texts<'before'>> = async ({ args, flags }, context) => {
  const names = args.filter((each) => each !== undefined);
  const before = flags.before;
  if (names.length === 0 && before === undefined && !flags.all)
    throw cairnError('CAIRN-USAGE', 'no logs to remove were given: pass names, --before or --all');
  const until = before === undefined ? undefined : pointInTime(before, context.now());
  const logs = await logsOf(context);
  const unknown = names.find((name) => !logs.some((each) => each.name === name));
  if (unknown !== undefined)
    throw cairnError('CAIRN-USAGE', `there is no log ${unknown}`, {
      hint: 'Run `cairn logs list` to list them.',
    });
  const chosen = logs.filter(
    ({ name, modified }) =>
      (names.length === 0 || names.includes(name)) && (until === undefined || modified < until),
  );
  if (chosen.length > 0 && !isConfirmed(context, flags)) {
    if (!context.terminal.interactive) throw needsAnswer('removing logs needs a confirmation', '--yes');
    if (!(await confirm(context, `Remove ${chosen.length === 1 ? '1 log' : `${chosen.length} logs`}?`)))
      throw cairnError('CAIRN-CANCELLED', 'nothing was removed');
  }
  for (const { file } of chosen) await rm(file, { force: true });
  context.stderr.write(`Removed ${chosen.length === 1 ? '1 log' : `${chosen.length} logs`}\n`);
  return EXIT.ok;
};

/** Parses a date, or a duration before the current time. */
function pointInTime(text: string, now: Date): Date {
  const ms = parseDuration(text);
  const date = ms === undefined ? new Date(text) : new Date(now.getTime() - ms);
  if (!Number.isNaN(date.getTime())) return date;
  throw cairnError(
    'CAIRN-USAGE',
    `--before takes a date such as 2030-01-31 or an age such as 7d, not ${JSON.stringify(text)}`,
  );
}
