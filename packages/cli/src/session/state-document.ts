import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { readBytes } from '../terminal/prompt.js';
import { writePieces, writePiecesTo } from '../terminal/pieces.js';
import type { World } from '../world.js';

/** The bytes of a document that was named, or of stdin. Fails with `CAIRN-USAGE`. */
export async function readDocument(world: World, file: string | undefined): Promise<Uint8Array> {
  if (file === undefined) return readBytes(world);
  try {
    return await readFile(path.resolve(world.cwd, file));
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  }
}

/**
 * Writes a document to the file that was named, or to stdout; in pieces, because it may be larger than a string can be.
 */
export async function writeDocument(
  world: World,
  file: string | undefined,
  pieces: Iterable<string>,
): Promise<void> {
  if (file === undefined) return writePieces(world.stdout, pieces);
  try {
    await writePiecesTo(path.resolve(world.cwd, file), pieces);
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
  }
}
