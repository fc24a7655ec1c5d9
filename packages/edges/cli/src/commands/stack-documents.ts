import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXIT, cairnError, messageOf } from '@cairn/diagnostics';
import { exportStack, importStack } from '@cairn/operations/stacks';
import { withStackForFlags } from '../flows/open-stack.js';
import { withVersionWords } from '../terminal/alias-errors.js';
import { isAlias } from '../terminal/called-as.js';
import { readBytes } from '../terminal/prompt.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Counts, Switches, Texts } from '../flags/flag-spec.js';

/** Number of characters in one write. */
const BATCH = 1 << 18;

/** `stack export` */
export const exportState: Command<
  Texts<'base' | 'file' | 'to'> & Switches<'plain' | 'showSecrets'> & Counts<'version'>
> = ({ flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    const file = flags.file;
    if (flags.to !== undefined) {
      const { givenBack } = await import('../flows/given-back.js');
      return write(context, file, await givenBack(context, flags, stack));
    }
    if (flags.base !== undefined)
      throw cairnError('CAIRN-USAGE', '--base needs --to terraform', { hint: 'Leave it out.' });
    const pieces = await exportStack(stack, {
      version: flags.version,
      showSecrets: flags.showSecrets,
      plain: flags.plain,
    });
    return write(context, file, pieces);
  });

/** Writes a document in pieces, because it may be larger than a string can be. */
async function write(
  context: CommandContext,
  file: string | undefined,
  pieces: Iterable<string>,
): Promise<number> {
  if (file === undefined) await writePieces(context.stdout, pieces);
  else await writing(file, () => writePiecesTo(path.resolve(context.cwd, file), pieces));
  return EXIT.ok;
}

/** Writes a document in pieces, as fast as the stream accepts it. The stream stays open. */
function writePieces(stream: Writable, pieces: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(batches(pieces), { objectMode: true, highWaterMark: 1 }), stream, {
    end: false,
  });
}

/** Writes a document in pieces to a file, replacing its content. A new file is readable by its user only. */
function writePiecesTo(file: string, pieces: Iterable<string>): Promise<void> {
  return pipeline(
    Readable.from(batches(pieces), { objectMode: true, highWaterMark: 1 }),
    createWriteStream(file, { mode: 0o600 }),
  );
}

function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = '';
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = '';
  }
  if (batch !== '') yield batch;
}

/** `stack import` */
export const importState: Command<Texts<'file'> & Switches<'force'>> = ({ flags }, context) =>
  withStackForFlags(context, flags, async (stack) => {
    const file = flags.file;
    const document = (): Promise<Uint8Array> => readDocument(context, file);
    const options = {
      source: file ?? 'the document on stdin',
      force: flags.force,
      skipIntegrity: flags.disableIntegrityChecking,
    };
    const count = await importStack(stack, document, options).catch((error: unknown) => {
      throw isAlias(context) ? withVersionWords(error, stack.id.stack) : error;
    });
    context.stderr.write(`Imported ${count} resources into stack ${stack.id.stack}\n`);
    return EXIT.ok;
  });

async function readDocument(context: CommandContext, file: string | undefined): Promise<Uint8Array> {
  if (file === undefined) return readBytes(context);
  try {
    return await readFile(path.resolve(context.cwd, file));
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  }
}

async function writing(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot write ${file}`, { causes: [messageOf(error)] }, error);
  }
}
