import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters that are written at once. */
const BATCH = 1 << 18;

/** Writes a document that comes in pieces, as fast as the stream takes it; the stream stays open. */
export function writePieces(stream: Writable, pieces: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(batches(pieces), { objectMode: true, highWaterMark: 1 }), stream, {
    end: false,
  });
}

/** Writes a document that comes in pieces to a file, over what was there; a new file is for our user alone. */
export function writePiecesTo(file: string, pieces: Iterable<string>): Promise<void> {
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
