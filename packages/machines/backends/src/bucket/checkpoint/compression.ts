import * as zlib from 'node:zlib';
import { promisify } from 'node:util';
import { BugError, cairnError, messageOf } from '@cairn/diagnostics';
import { RESTORE_HINT } from '@cairn/state';
import type { CheckpointEnd } from '../layout.js';

/** Compression of a stored checkpoint. */
export type Compression = 'none' | 'gzip' | 'zstd';

/** End of a file's name by compression. */
export const COMPRESSION_ENDS: Readonly<Record<Compression, CheckpointEnd>> = {
  none: '.json',
  gzip: '.json.gz',
  zstd: '.json.zst',
};

/** Compression by the end of a file's name. */
export const COMPRESSION_OF: Readonly<Record<CheckpointEnd, Compression>> = {
  '.json': 'none',
  '.json.gz': 'gzip',
  '.json.zst': 'zstd',
};

interface ZstdFunctions {
  readonly zstdCompress?: (bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => void;
  readonly zstdDecompress?: (bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => void;
}

/** Node has zstd since 22.15. */
const zstd = zlib as ZstdFunctions;
const gzip = promisify<Uint8Array, Buffer>(zlib.gzip);
const gunzip = promisify<Uint8Array, Buffer>(zlib.gunzip);

const MAGIC: Readonly<Record<Exclude<Compression, 'none'>, readonly number[]>> = {
  gzip: [0x1f, 0x8b, 0x08],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** Returns true if this runtime can write zstd. Reading it is always possible. */
export function canZstd(): boolean {
  return zstd.zstdCompress !== undefined;
}

/** Returns the bytes to store. */
export async function compress(bytes: Uint8Array, compression: Compression): Promise<Uint8Array> {
  if (compression === 'none') return bytes;
  if (compression === 'gzip') return gzip(bytes);
  if (zstd.zstdCompress === undefined) throw new BugError('zstd was chosen where there is none');
  return promisify<Uint8Array, Buffer>(zstd.zstdCompress)(bytes);
}

/**
 * Returns the bytes before compression. Detects the compression from the content and not from a name [STORE-6]. Fails
 * with `CAIRN-STATE-CORRUPT` when the bytes are cut off or damaged. `source` is the file, for messages.
 */
export async function decompress(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const found = compressionOf(bytes);
  if (found === 'none') return bytes;
  const run = found === 'gzip' ? gunzip : unzstd;
  try {
    return await run(bytes);
  } catch (thrown) {
    throw cairnError(
      'CAIRN-STATE-CORRUPT',
      `cannot read the state in ${source}: ${isCutOff(thrown) ? 'the file was cut off and cannot be decompressed' : 'it cannot be decompressed'}`,
      {
        causes: [messageOf(thrown)],
        hint: RESTORE_HINT,
      },
      thrown,
    );
  }
}

function compressionOf(bytes: Uint8Array): Compression {
  for (const kind of ['gzip', 'zstd'] as const)
    if (MAGIC[kind].every((byte, index) => bytes[index] === byte)) return kind;
  return 'none';
}

async function unzstd(bytes: Uint8Array): Promise<Uint8Array> {
  if (zstd.zstdDecompress !== undefined) return promisify<Uint8Array, Buffer>(zstd.zstdDecompress)(bytes);
  const { decompress: run } = await import('fzstd');
  return run(bytes);
}

/** Matches the messages of zlib, of zstd in Node and of the library. */
function isCutOff(thrown: unknown): boolean {
  return /unexpected (?:end of file|eof)|src size is incorrect/i.test(messageOf(thrown));
}
