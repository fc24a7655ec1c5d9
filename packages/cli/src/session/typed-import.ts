import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { refuseWordsBesideList } from '@cairn/operations';
import type { OperationOptions, TypedImport } from '@cairn/operations';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';

/**
 * An import as it was typed, with the list that `--file` names, beside which nothing else may be said. Throws
 * CAIRN-USAGE.
 */
export async function typedImport(
  world: World,
  words: TypedImport['words'],
  flags: Flags,
  options: OperationOptions,
): Promise<TypedImport> {
  const file = flags.text('file');
  if (file === undefined) return { words, list: undefined };
  refuseWordsBesideList(words, options);
  const list = await readFile(path.resolve(world.cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  });
  return { words, list, source: file };
}
