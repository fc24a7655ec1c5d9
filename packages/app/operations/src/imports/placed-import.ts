import type { StackId } from '@cairn/backends';
import { noManagerCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { hasSealedValues, placeImport } from './import-list.js';
import type { PlacedImport } from './import-list.js';
import type { ImportRequest } from './import-request.js';

/**
 * Returns the resources of an import with their places in the stack. Sealed values are opened like secrets of the
 * stack. Throws CAIRN-USAGE for a list that does not fit together.
 */
export async function placedImport(
  { id, crypter }: { readonly id: StackId; readonly crypter: Promise<Crypter> },
  { wish }: ImportRequest,
): Promise<PlacedImport> {
  return placeImport(wish, id, hasSealedValues(wish) ? await crypter : noManagerCrypter);
}
