import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isSealedDocument, openDocument } from '@cairn/backends';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { readBytes } from '../terminal/prompt.js';
import { writePieces, writePiecesTo } from '../terminal/pieces.js';
import type { World } from '../world.js';
import { openManager } from '@cairn/operations';
import type { Ports } from '@cairn/operations';

/**
 * The bytes of a document that was named, or of stdin; a sealed export is opened. Fails with `CAIRN-USAGE`,
 * `CAIRN-STATE-SEALED`.
 */
export async function readDocument(
  world: World,
  ports: Ports,
  file: string | undefined,
): Promise<Uint8Array> {
  const bytes = await documentBytes(world, file);
  if (!isSealedDocument(bytes)) return bytes;
  const name = file ?? 'the document on stdin';
  return openDocument(bytes, name, async (manager) => openManager(ports, manager).crypter());
}

async function documentBytes(world: World, file: string | undefined): Promise<Uint8Array> {
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
