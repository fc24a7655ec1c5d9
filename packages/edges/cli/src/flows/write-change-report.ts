import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeRow } from '@cairn/backends';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { OpenStack } from '@cairn/operations/stacks';
import { changeReport } from '../report/change-report.js';
import type { CommandContext } from '../command-context.js';

/** Writes a page about a change to a file. Throws CAIRN-USAGE if the file cannot be written. */
export async function writeChangeReport(
  context: CommandContext,
  { backend, id }: OpenStack,
  row: ChangeRow,
  error: string | undefined,
  file: string,
): Promise<void> {
  const page = await changeReport(await backend.change(id, row.number), row, { ...id, error });
  await writeFile(path.resolve(context.cwd, file), page).catch((thrown: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(thrown)] }, thrown);
  });
}
