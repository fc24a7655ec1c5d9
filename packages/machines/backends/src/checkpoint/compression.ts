import * as zlib from 'node:zlib';
import { promisify } from 'node:util';
import { BugError, cairnError, messageOf } from '@cairn/diagnostics';
import { RESTORE_HINT } from '@cairn/state';
import type { CheckpointEnd } from '../layout.js';

/** How a checkpoint is stored. */
export type Compression = 'none' | 'gzip' | 'zstd';

/** What the end of a name grows by. */
export const COMPRESSION_ENDS: Readonly<Record<Compression, CheckpointEnd>> = {
  none: '.json',
  gzip: '.json.gz',
  zstd: '.json.zst',
};

/** The compression that the end of a name stands for. */
export const COMPRESSION_OF: Readonly<Record<CheckpointEnd, Compression>> = {
  '.json': 'none',
  '.json.gz': 'gzip',
  '.json.zst': 'zstd',
};

interface ZstdFunctions {
  readonly zstdCompress?: (bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => void;
  readonly zstdDecompress?: (bytes: Uint8Array, done: (error: Error | null, result: Buffer) => void) => void;
}

/** Node has zstd from 22.15 on. */
const zstd = zlib as ZstdFunctions;
const gzip = promisify<Uint8Array, Buffer>(zlib.gzip);
const gunzip = promisify<Uint8Array, Buffer>(zlib.gunzip);

const MAGIC: Readonly<Record<Exclude<Compression, 'none'>, readonly number[]>> = {
  gzip: [0x1f, 0x8b, 0x08],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** Whether this runtime can write zstd; reading it is always possible. */
export function canZstd(): boolean {
  return zstd.zstdCompress !== undefined;
}

/** The bytes as they are stored. */
export async function compress(bytes: Uint8Array, compression: Compression): Promise<Uint8Array> {
  if (compression === 'none') return bytes;
  if (compression === 'gzip') return gzip(bytes);
  if (zstd.zstdCompress === undefined) throw new BugError('zstd was chosen where there is none');
  return promisify<Uint8Array, Buffer>(zstd.zstdCompress)(bytes);
}

/**
 * The bytes before compression, told by their content and not by a name [STORE-6]. Fails with `CAIRN-STATE-CORRUPT`
 * when they are cut off or damaged. `source`: the file, for messages.
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

/** As zlib, zstd in Node and the library say it. */
function isCutOff(thrown: unknown): boolean {
  return /unexpected (?:end of file|eof)|src size is incorrect/i.test(messageOf(thrown));
}
