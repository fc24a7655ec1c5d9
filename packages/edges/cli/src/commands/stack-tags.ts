import { EXIT } from '@cairn/diagnostics';
import { checkTag, removeTag, setTag, tagOf } from '@cairn/operations/stacks';
import { withStack } from '../session/open-stack.js';
import { valueStream } from '../terminal/controls.js';
import { printJson } from '../terminal/json-output.js';
import type { Command } from '../command-spec.js';

/** `stack tag get` */
export const get: Command = ({ args: [name = ''], flags }, world) =>
  withStack(world, flags, async (stack) => {
    valueStream(world).write(`${await tagOf(stack, name)}\n`);
    return EXIT.ok;
  });

/** `stack tag ls` */
export const list: Command = ({ flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    const rows = Object.entries(await backend.tags(id)).sort(([a], [b]) => (a < b ? -1 : 1));
    if (flags.on('json')) {
      printJson(world, Object.fromEntries(rows));
      return EXIT.ok;
    }
    const width = Math.max(4, ...rows.map(([name]) => name.length));
    world.stdout.write(`${'NAME'.padEnd(width)}  VALUE\n`);
    for (const [name, value] of rows) world.stdout.write(`${name.padEnd(width)}  ${value}\n`);
    return EXIT.ok;
  });

/** `stack tag set` */
export const set: Command = ({ args: [name = '', value = ''], flags }, world) => {
  checkTag(name, value);
  return withStack(world, flags, async (stack) => {
    await setTag(stack, name, value);
    return EXIT.ok;
  });
};

/** `stack tag rm` */
export const remove: Command = ({ args: [name = ''], flags }, world) =>
  withStack(world, flags, async (stack) => {
    await removeTag(stack, name);
    return EXIT.ok;
  });
