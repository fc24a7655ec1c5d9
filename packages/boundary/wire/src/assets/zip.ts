import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { AssetError, isAssetError } from './asset-error.js';
import { cleanName } from './member-name.js';
import type { PackedMember } from './packed-member.js';
import type { ByteSource } from './source.js';

type ZipSource = ByteSource & { readonly size: number };

const CHUNK_BYTES = 256 * 1024;
const STORED = 0;
const DEFLATED = 8;

/** Yields the files in a zip file in the order of its central directory. Throws {@link AssetError} if it is damaged. */
export async function* zipMembers(source: ZipSource): AsyncGenerator<PackedMember> {
  const zip = await opened(source);
  for await (const entry of entriesOf(zip, source)) {
    // Names are UTF-8 whatever their flag says.
    const name = entry.fileNameRaw.toString('utf8');
    if (name.endsWith('/')) continue;
    const chunks = () => checked(zip, entry, name, source);
    yield { name: cleanName(name), size: entry.uncompressedSize, chunks };
  }
}

async function opened(source: ZipSource): Promise<ZipFile> {
  const { RandomAccessReader, fromRandomAccessReaderPromise } = await import('yauzl');
  class Reader extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(piecesOf(source, start, end), { objectMode: false });
    }
    override read(
      buffer: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: Error | null) => void,
    ): void {
      source.read(position, length).then((bytes) => {
        bytes.copy(buffer, offset);
        done(null);
      }, done);
    }
    override close(done: (error: Error | null) => void): void {
      done(null);
    }
  }
  try {
    // Sizes and checksums are checked in `checked`; names are cleaned by `cleanName`.
    const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
    return await fromRandomAccessReaderPromise(new Reader(), source.size, options);
  } catch (error) {
    throw isAssetError(error) ? error : new AssetError(source.label, 'it is not a zip file');
  }
}

async function* piecesOf(source: ZipSource, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += CHUNK_BYTES)
    yield await source.read(at, Math.min(CHUNK_BYTES, end - at));
}

async function* entriesOf(zip: ZipFile, source: ZipSource): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    throw damaged(source, error);
  }
}

/**
 * Yields the unpacked bytes of an entry. Throws at the end if size or checksum differ from those of the packed file.
 */
async function* checked(
  zip: ZipFile,
  entry: Entry,
  name: string,
  source: ZipSource,
): AsyncGenerator<Uint8Array> {
  const problem = unreadable(entry);
  if (problem !== undefined) throw new AssetError(source.label, `its member "${name}" is ${problem}`);
  let sum = 0;
  let size = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      sum = crc32(chunk as Uint8Array, sum);
      size += (chunk as Uint8Array).length;
      yield chunk as Uint8Array;
    }
  } catch (error) {
    throw damaged(source, error);
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32)
    throw new AssetError(source.label, `its member "${name}" is damaged`);
}

function unreadable(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'encrypted';
  const { compressionMethod } = entry;
  const known = compressionMethod === STORED || compressionMethod === DEFLATED;
  return known ? undefined : `packed with method ${compressionMethod}`;
}

/** Returns the source's own error if reading failed with one, otherwise an error about the file. */
function damaged(source: ZipSource, error: unknown): AssetError {
  if (isAssetError(error)) return error;
  return new AssetError(
    source.label,
    `it is a damaged zip file: ${String((error as Error).message ?? error)}`,
  );
}
