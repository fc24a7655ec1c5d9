import { EXIT } from '@cairn/diagnostics';
import { goStruct } from '@cairn/state';
import type { Command } from '../command-spec.js';
import type { Switches } from '../flags/flag-spec.js';
import { alignedLines } from '../terminal/columns.js';
import { printJson } from '../terminal/json-output.js';
import { variableTable } from './variables.js';
import type { VariableSpec } from './variables.js';

/** `about env`: lists the honoured variables with their values. */
export const run: Command<Switches<'json'>> = async ({ flags }, context) => {
  const rows = variableTable.map((row) => ({ name: `CAIRN_${row.name}`, row, set: setBy(row, context.env) }));
  if (flags.json) {
    const shown = rows.map(({ name, row, set }) =>
      goStruct({ name, description: row.summary, ...(set && { setBy: set.name, value: set.value }) }),
    );
    printJson(context, shown);
    return EXIT.ok;
  }
  const lines = rows.map(({ name, row, set }) => [
    name,
    set === undefined ? 'unset' : set.name === name ? set.value : `${set.value} (${set.name})`,
    row.summary,
  ]);
  for (const line of alignedLines([['VARIABLE', 'VALUE', 'DESCRIPTION'], ...lines]))
    context.stdout.write(`${line}\n`);
  return EXIT.ok;
};

/** Returns the name of the variable that takes effect, and its value. */
function setBy(
  { name, ours, also = [], secret }: VariableSpec,
  env: Readonly<Record<string, string | undefined>>,
): { readonly name: string; readonly value: string } | undefined {
  const names = [name, ...also].flatMap((each) =>
    ours === true ? [`CAIRN_${each}`] : [`CAIRN_${each}`, `PULUMI_${each}`],
  );
  const found = names.find((each) => env[each] !== undefined);
  if (found === undefined) return undefined;
  return { name: found, value: secret === true ? '[secret]' : JSON.stringify(env[found]) };
}
