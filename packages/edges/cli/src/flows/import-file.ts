import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { importFileText } from '@cairn/operations';
import type { ImportFile, Prepared } from '@cairn/operations';
import { writeTextFile } from '@cairn/files';
import type { CommandContext } from '../command-context.js';

/**
 * Writes the list of resources that a preview would create, for `cairn import --file`, and reports the gaps to fill in.
 */
export async function writeImportFile(
  context: CommandContext,
  prepared: Prepared,
  file: string,
  list: ImportFile,
): Promise<void> {
  const text = await importFileText(prepared, list);
  for (const { urn, keys } of list.unknown)
    context.stderr.write(
      `warning: settings of the provider ${urn} are not known before the update, and are left out of ${file}: ${keys.join(', ')}\n`,
    );
  await writeTextFile(path.resolve(context.cwd, file), text, { mode: 0o666, keepMode: true }).catch(
    (error: unknown) => {
      throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
    },
  );
  context.stderr.write(
    `Wrote what would be created to ${file}; fill in the ids, then run: cairn import --file ${file}\n`,
  );
}
