import { hash } from 'node:crypto';
import type { BlobStore, Segment } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';

/** Appends pieces of bytes. A piece is read back whole or not at all. */
export interface PieceLog {
  /** Resolves when the piece is durable. */
  append(piece: Uint8Array): Promise<void>;
  /** Returns true if another process has opened the log since, and may have appended to it. */
  isReplaced(): Promise<boolean>;
  /** Waits for appends under way. */
  close(): Promise<void>;
}

const DIGEST = 16;
const MOST_TRIES = 100;

/**
 * Opens a log of pieces below a folder: a new segment behind those of earlier processes, which are fenced first. A
 * piece is a line with its length and digest, then its bytes.
 */
export async function openPieces(store: BlobStore, folder: string): Promise<PieceLog> {
  let number = 1;
  for (const key of await segmentsOf(store, folder)) {
    await store.fenceSegment?.(key);
    number = numberOf(key) + 1;
  }
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const opened = await store.openSegment(folder + String(number + tries).padStart(DIGITS, '0'), {
      create: 'exclusive',
    });
    if (opened.ok)
      return pieceLog(opened.segment, async () => {
        const newest = (await segmentsOf(store, folder)).at(-1);
        return newest !== undefined && numberOf(newest) > number + tries;
      });
  }
  throw new Error(`cannot open a log in ${folder}: another process opens it all the time`);
}

function pieceLog(segment: Segment, isReplaced: PieceLog['isReplaced']): PieceLog {
  return {
    append: (piece) => segment.append(framed(piece)),
    isReplaced,
    close: () => segment.close(),
  };
}

/**
 * Returns the pieces of a log, oldest first. A torn piece at the end of a segment was never acknowledged. With `whole`,
 * fails with `CAIRN-STATE-CORRUPT` if a segment, or a piece before another one, is gone or damaged.
 */
export async function readPieces(
  store: BlobStore,
  folder: string,
  { whole }: { readonly whole: boolean },
): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  const segments = await segmentsOf(store, folder);
  if (whole && segments.some((key, index) => numberOf(key) !== index + 1)) throw lostPieces(folder);
  for (const key of segments) {
    const bytes = await bytesOf(store, key);
    if (bytes === undefined) continue;
    const segment = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = 0;
    for (const piece of piecesIn(segment)) {
      pieces.push(piece);
      end = piece.byteOffset - segment.byteOffset + piece.length + 1;
    }
    if (whole && hasPieceAfter(segment, end)) throw lostPieces(key);
  }
  return pieces;
}

/** Returns true if a piece follows bytes that are none. */
function hasPieceAfter(bytes: Buffer, from: number): boolean {
  for (let line = bytes.indexOf('\n', from); line >= 0; line = bytes.indexOf('\n', line + 1))
    if (!piecesIn(bytes.subarray(line + 1)).next().done) return true;
  return false;
}

function lostPieces(place: string): Error {
  return cairnError('CAIRN-STATE-CORRUPT', `cannot read the journal in ${place}: it has lost entries`, {
    hint: 'Restore it from a backup, or put the state of an older version in its place.',
  });
}

/** Returns the bytes of a blob without its version if the store can leave it out: that is a digest of everything. */
async function bytesOf(store: BlobStore, key: string): Promise<Uint8Array | undefined> {
  return store.getFrom === undefined ? (await store.get(key))?.bytes : store.getFrom(key, 0);
}

function numberOf(segment: string): number {
  return Number(segment.slice(-DIGITS));
}

/** Digits of the number of a segment. */
const DIGITS = 6;

async function segmentsOf(store: BlobStore, folder: string): Promise<readonly string[]> {
  return (await store.list(folder))
    .map(({ key }) => key)
    .filter((key) => /^\d{6}$/.test(key.slice(folder.length)));
}

function framed(piece: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length} ${digestOf(piece)}\n`), piece, Buffer.from('\n')]);
}

function* piecesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const line = bytes.indexOf('\n', at);
    const head = line < 0 ? null : /^(\d{1,12}) ([0-9a-f]{16})$/.exec(bytes.toString('latin1', at, line));
    if (head === null) return;
    const end = line + 1 + Number(head[1]);
    const piece = bytes.subarray(line + 1, end);
    if (end >= bytes.length || digestOf(piece) !== head[2]) return;
    yield piece;
    at = end + 1;
  }
}

function digestOf(piece: Uint8Array): string {
  return hash('sha256', piece).slice(0, DIGEST);
}
