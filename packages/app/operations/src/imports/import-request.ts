import { cairnError } from '@cairn/diagnostics';
import type { OperationOptions } from '../options/operation-options.js';
import { readImportList, wishOfWords } from './import-list.js';
import type { ImportWish } from './import-list.js';

/** An import as it was typed: type, name and id, or the text of a list. */
export interface TypedImport {
  readonly words: readonly (string | undefined)[];
  /** The JSON text of a list, if there is one. */
  readonly list: string | undefined;
  /** Name of the list in errors. */
  readonly source?: string | undefined;
}

/** Resources to import, and the words and list that the user gave, for the record. */
export interface ImportRequest {
  readonly typed: TypedImport;
  readonly wish: ImportWish;
}

/** Reads an import. Throws CAIRN-USAGE for words, options and lists that do not fit together. */
export function importRequest(typed: TypedImport, options: OperationOptions): ImportRequest {
  return { typed, wish: wishOf(typed, options) };
}

function wishOf(
  { words, list, source = 'the import list' }: TypedImport,
  options: OperationOptions,
): ImportWish {
  const [type, name, id] = words;
  const protect = options.protect === true;
  if (list !== undefined) {
    refuseWordsBesideList(words, options);
    return readImportList(list, source, protect);
  }
  if (type === undefined || name === undefined || id === undefined) {
    throw cairnError('CAIRN-USAGE', 'an import needs a type, a name and an id, or a list', {
      hint: 'Run, for example, `cairn import aws:s3/bucket:Bucket logs my-bucket`, or pass --file LIST.json.',
    });
  }
  return wishOfWords(
    { type, name, id },
    {
      protect,
      parent: options.parent,
      provider: options.provider,
      properties: (options.properties ?? []).flatMap((each) => each.split(',')),
    },
  );
}

/** Refuses words and options about the imported resource beside a list. Throws CAIRN-USAGE. */
export function refuseWordsBesideList(
  [type]: TypedImport['words'],
  { parent, provider, properties = [] }: OperationOptions,
): void {
  if (type === undefined && parent === undefined && provider === undefined && properties.length === 0) return;
  throw cairnError('CAIRN-USAGE', 'arguments about the resource cannot be used with --file', {
    hint: 'Put the resource into the list, with its parent, provider and properties.',
  });
}
