import type { StackId } from '@cairn/backends';
import { noManagerCrypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { isSealed, placeImport } from './import-list.js';
import type { PlacedImport } from './import-list.js';
import type { ImportRequest } from './import-request.js';

/**
 * What an import takes over, with its place in the stack; what is sealed in it is opened as secrets of the stack are.
 * Throws CAIRN-USAGE for a list that does not fit together.
 */
export async function placedImport(
  { id, crypter }: { readonly id: StackId; readonly crypter: Promise<Crypter> },
  { wish }: ImportRequest,
): Promise<PlacedImport> {
  return placeImport(wish, id, isSealed(wish) ? await crypter : noManagerCrypter);
}
