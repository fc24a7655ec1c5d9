import { EXIT } from '@cairn/diagnostics';
import { printJson } from '../terminal/json-output.js';
import type { Command } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: Command = async ({ flags }, world) =>
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
