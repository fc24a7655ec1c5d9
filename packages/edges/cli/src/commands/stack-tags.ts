import { EXIT } from '@cairn/diagnostics';
import { checkTag, removeTag, setTag, tagOf } from '@cairn/operations/stacks';
import { withStackForFlags } from '../flows/open-stack.js';
import { valueStream } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';

/** `stack tag get` */
export const get: Command = ({ args: [name = ''], flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    valueStream(context).write(`${await tagOf(stack, name)}\n`);
    return EXIT.ok;
  });

/** `stack tag ls` */
export const list: Command<Switches<'json'>> = ({ flags }, context) =>
  withStackForFlags(context, flags, async ({ backend, id }) => {
    const rows = Object.entries(await backend.tags(id)).sort(([a], [b]) => (a < b ? -1 : 1));
    if (flags.json) {
      printJson(context, Object.fromEntries(rows));
      return EXIT.ok;
    }
    const width = Math.max(4, ...rows.map(([name]) => name.length));
    context.stdout.write(`${'NAME'.padEnd(width)}  VALUE\n`);
    for (const [name, value] of rows) context.stdout.write(`${name.padEnd(width)}  ${value}\n`);
    return EXIT.ok;
  });

/** `stack tag set` */
export const set: Command = ({ args: [name = '', value = ''], flags }, context) => {
  checkTag(name, value);
  return withStackForFlags(context, flags, async (stack) => {
    await setTag(stack, name, value);
    return EXIT.ok;
  });
};

/** `stack tag rm` */
export const remove: Command = ({ args: [name = ''], flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    await removeTag(stack, name);
    return EXIT.ok;
  });
