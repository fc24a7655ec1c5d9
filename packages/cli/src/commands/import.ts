import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { generateCode } from '../session/generate-code.js';
import { placeImport, readImportList, wishOfWords } from '../session/import-file.js';
import type { ImportWish } from '../session/import-file.js';
import { operate } from '../session/operate.js';
import type { World } from '../world.js';
import type { CommandCode, Flags, Invocation } from './command-spec.js';

export const run: CommandCode['run'] = async (invocation, world) => {
  const { flags } = invocation;
  const wish = await wishOf(invocation, world);
  return operate(
    world,
    {
      kind: 'import',
      previewOnly: flags.on('preview-only'),
      flags: ofImport(flags),
      imports: (id) => placeImport(wish, id).items,
    },
    async (prepared) => {
      if (flags.on('generate-code'))
        await generateCode(world, prepared, placeImport(wish, prepared.id), flags);
    },
  );
};

async function wishOf({ args, flags }: Invocation, world: World): Promise<ImportWish> {
  const [type, name, id] = args;
  const protect = flags.on('protect');
  const file = flags.text('file');
  if (file === undefined) {
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
  const other = ['parent', 'provider'].find((each) => flags.text(each) !== undefined);
  if (type !== undefined || other !== undefined || flags.list('properties').length > 0) {
    throw cairnError('CAIRN-USAGE', 'with --file, everything is said in the list', {
      hint: 'Put the resource into the list, with its parent, provider and properties.',
    });
  }
  return readImportList(await readList(world, file), file, protect);
}

async function readList(world: World, file: string): Promise<string> {
  return readFile(path.resolve(world.cwd, file), 'utf8').catch((error: unknown) => {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  });
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
