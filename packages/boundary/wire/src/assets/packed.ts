import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AssetError, isAssetError } from './asset-error.js';
import type { PackedMember } from './packed-member.js';
import { sized } from './source.js';
import type { ByteSource } from './source.js';
import { cleanName } from './member-name.js';
import { zipMembers } from './zip.js';

type Packing = 'tar' | 'gzipped tar' | 'zip';

const PACKINGS: readonly (readonly [suffix: string, packing: Packing])[] = [
  ['.tar', 'tar'],
  ['.tgz', 'gzipped tar'],
  ['.tar.gz', 'gzipped tar'],
  ['.zip', 'zip'],
  ['.jar', 'zip'],
];

/** Returns the packing of a file by the ending of its name [VAL-6], or undefined if it is not packed. */
export function packingOf(name: string): Packing | undefined {
  return PACKINGS.find(([suffix]) => name.endsWith(suffix))?.[1];
}

/**
 * Yields the files in a packed archive in their order, with cleaned names. Throws {@link AssetError} if it cannot be
 * unpacked.
 */
export async function* packedMembers(source: ByteSource, packing: Packing): AsyncGenerator<PackedMember> {
  try {
    yield* unpacked(source, packing);
  } catch (error) {
    if (isAssetError(error)) throw error;
    throw new AssetError(source.label, `it cannot be unpacked: ${String((error as Error).message ?? error)}`);
  }
}

function unpacked(source: ByteSource, packing: Packing): AsyncGenerator<PackedMember> {
  switch (packing) {
    case 'tar':
      return tarMembers(Readable.from(source.chunks()), source.label);
    case 'gzipped tar':
      return tarMembers(gunzipped(source), source.label);
    case 'zip':
      return zipped(source);
    default:
      return packing satisfies never;
  }
}

async function* zipped(source: ByteSource): AsyncGenerator<PackedMember> {
  yield* zipMembers(await sized(source));
}

function gunzipped(source: ByteSource): Readable {
  const packed = Readable.from(source.chunks());
  const plain = createGunzip();
  packed.on('error', (error) => plain.destroy(error));
  plain.on('close', () => packed.destroy());
  return packed.pipe(plain);
}

async function* tarMembers(stream: Readable, label: string): AsyncGenerator<PackedMember> {
  const { extract } = await import('tar-stream');
  const entries = extract();
  stream.on('error', (error) => entries.destroy(error));
  stream.pipe(entries);
  try {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header;
      if (type === 'file' || type === 'contiguous-file') {
        yield { name: cleanName(name), size, chunks: () => entry as AsyncIterable<Uint8Array> };
      } else if (type !== 'directory') {
        throw new AssetError(label, `its member "${name}" is neither a file nor a directory, but a ${type}`);
      }
      entry.resume();
    }
  } finally {
    stream.destroy();
  }
}
