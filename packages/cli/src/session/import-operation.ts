import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { generateCode } from './generate-code.js';
import { placeImport, readImportList, wishOfWords } from '@cairn/operations';
import type { ImportWish } from '@cairn/operations';
import type { Operation } from './operate.js';

/** An import as it was typed: type, name and id, or the text of a list. */
export interface TypedImport {
  readonly words: readonly (string | undefined)[];
  /** Content of the file that `--file` names; undefined without one. */
  readonly list: string | undefined;
}

/** Reads the list that `--file` names, beside which nothing else may be said. Throws CAIRN-USAGE. */
export async function typedImport(
  world: World,
  words: TypedImport['words'],
  flags: Flags,
): Promise<TypedImport> {
  const file = flags.text('file');
  if (file === undefined) return { words, list: undefined };
  refuseWordsBesideList(words, flags);
  const list = await readFile(path.resolve(world.cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  });
  return { words, list };
}

/** The operation, with the code that is written after it. Throws CAIRN-USAGE for words that do not fit together. */
export function importOperation(world: World, typed: TypedImport, flags: Flags): Operation {
  const wish = wishOf(typed, flags);
  return {
    kind: 'import',
    previewOnly: flags.on('preview-only'),
    flags: ofImport(flags),
    imports: (id) => placeImport(wish, id).items,
    typed,
    afterwards: async (prepared) => {
      if (flags.on('generate-code'))
        await generateCode(world, prepared, placeImport(wish, prepared.id), flags);
    },
  };
}

function wishOf({ words, list }: TypedImport, flags: Flags): ImportWish {
  const [type, name, id] = words;
  const protect = flags.on('protect');
  if (list === undefined) {
    if (type === undefined || name === undefined || id === undefined) {
      throw cairnError('CAIRN-USAGE', 'an import needs a type, a name and an id, or a list', {
        hint: 'Type e.g. `cairn import aws:s3/bucket:Bucket logs my-bucket`, or pass --file LIST.json.',
      });
    }
    return wishOfWords(
      { type, name, id },
      {
        protect,
        parent: flags.text('parent'),
        provider: flags.text('provider'),
        properties: flags.list('properties').flatMap((each) => each.split(',')),
      },
    );
  }
  return readImportList(list, flags.text('file') ?? 'the import list', protect);
}

function refuseWordsBesideList([type]: TypedImport['words'], flags: Flags): void {
  const other = ['parent', 'provider'].find((each) => flags.text(each) !== undefined);
  if (type !== undefined || other !== undefined || flags.list('properties').length > 0) {
    throw cairnError('CAIRN-USAGE', 'with --file, everything is said in the list', {
      hint: 'Put the resource into the list, with its parent, provider and properties.',
    });
  }
}

/** Flags of other operations, which an import does not have: they are never given. */
const OTHERS: ReadonlySet<string> = new Set([
  'target',
  'target-dependents',
  'exclude',
  'exclude-dependents',
  'ignore-protect',
  'refresh',
  'continue-on-error',
  'expect-no-changes',
  'run-program',
]);

function ofImport(flags: Flags): Flags {
  return {
    has: (name) => !OTHERS.has(name) && flags.has(name),
    text: (name) => (OTHERS.has(name) ? undefined : flags.text(name)),
    list: (name) => (OTHERS.has(name) ? [] : flags.list(name)),
    on: (name) => !OTHERS.has(name) && flags.on(name),
    count: (name) => (OTHERS.has(name) ? undefined : flags.count(name)),
  };
}
