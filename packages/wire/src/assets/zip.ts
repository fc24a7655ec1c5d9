import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AssetError } from './asset-error.js';
import type { PackedMember } from './packed-member.js';
import type { Source } from './source.js';
import { cleanName } from './member-name.js';

type ZipSource = Source & { readonly size: number };

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END64_SIGNATURE = 0x06064b50;
const LOCATOR64_SIGNATURE = 0x07064b50;
const LOCATOR64_BYTES = 20;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const EXTRA64 = 1;
const LIMIT32 = 0xffff_ffff;
const ENCRYPTED = 1;
const CHUNK_BYTES = 256 * 1024;

/** One line of the list of contents at the end of a zip file. */
interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** Files in a zip file in the order of its list of contents. Throws {@link AssetError} when it is damaged. */
export async function* zipMembers(source: ZipSource): AsyncGenerator<PackedMember> {
  for (const entry of await contents(source)) {
    if (entry.name.endsWith('/')) continue;
    yield { name: cleanName(entry.name), size: entry.size, chunks: () => checked(source, entry) };
  }
}

async function contents(source: ZipSource): Promise<readonly ZipEntry[]> {
  const { offset, length } = await listPlace(source);
  const list = await source.read(offset, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; at < length;) {
    if (at + ENTRY_BYTES > length || list.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged(source);
    const name = list.readUInt16LE(at + 28);
    const extra = list.readUInt16LE(at + 30);
    const end = at + ENTRY_BYTES + name + extra + list.readUInt16LE(at + 32);
    if (end > length) throw damaged(source);
    entries.push(entryOf(list.subarray(at, end), name, extra));
    at = end;
  }
  return entries;
}

function entryOf(line: Buffer, nameBytes: number, extraBytes: number): ZipEntry {
  const nameEnd = ENTRY_BYTES + nameBytes;
  const wide = wideNumbers(line.subarray(nameEnd, nameEnd + extraBytes));
  const number = (at: number): number => {
    const value = line.readUInt32LE(at);
    return value === LIMIT32 ? (wide.shift() ?? value) : value;
  };
  const size = number(24);
  const packedSize = number(20);
  return {
    name: line.toString('utf8', ENTRY_BYTES, nameEnd),
    flags: line.readUInt16LE(8),
    method: line.readUInt16LE(10),
    crc: line.readUInt32LE(16),
    size,
    packedSize,
    offset: number(42),
  };
}

/** Numbers of an entry that do not fit into 32 bits, in the order size, packed size, offset. */
function wideNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === EXTRA64) {
      const numbers: number[] = [];
      for (let place = at + 4; place + 8 <= Math.min(end, extra.length); place += 8) {
        numbers.push(Number(extra.readBigUInt64LE(place)));
      }
      return numbers;
    }
    at = end;
  }
  return [];
}

/** Where the list of contents is; the record that says so ends the file, but for a comment. */
async function listPlace(source: ZipSource): Promise<{ readonly offset: number; readonly length: number }> {
  const tail = Math.min(source.size, END_BYTES + LOCATOR64_BYTES + 0xffff);
  const bytes = await source.read(source.size - tail, tail);
  let at = bytes.length - END_BYTES;
  while (at >= 0 && !(bytes.readUInt32LE(at) === END_SIGNATURE && commentFits(bytes, at))) at--;
  if (at < 0) throw new AssetError(source.label, 'it is not a zip file');
  const place = { length: bytes.readUInt32LE(at + 12), offset: bytes.readUInt32LE(at + 16) };
  const wide = place.length === LIMIT32 || place.offset === LIMIT32 || bytes.readUInt16LE(at + 10) === 0xffff;
  const locator = at - LOCATOR64_BYTES;
  if (!wide || locator < 0 || bytes.readUInt32LE(locator) !== LOCATOR64_SIGNATURE) return place;
  const end = await source.read(Number(bytes.readBigUInt64LE(locator + 8)), 56);
  if (end.readUInt32LE(0) !== END64_SIGNATURE) throw damaged(source);
  return { length: Number(end.readBigUInt64LE(40)), offset: Number(end.readBigUInt64LE(48)) };
}

function commentFits(bytes: Buffer, end: number): boolean {
  return end + END_BYTES + bytes.readUInt16LE(end + 20) <= bytes.length;
}

/** The unpacked bytes of an entry; an error at their end when they are not the ones that were packed. */
async function* checked(source: ZipSource, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  let size = 0;
  for await (const chunk of plain(source, entry)) {
    sum = crc32(chunk, sum);
    size += chunk.length;
    yield chunk;
  }
  if (size !== entry.size || sum !== entry.crc) {
    throw new AssetError(source.label, `its member "${entry.name}" is damaged`);
  }
}

function plain(source: ZipSource, entry: ZipEntry): AsyncIterable<Uint8Array> {
  if ((entry.flags & ENCRYPTED) !== 0) {
    throw new AssetError(source.label, `its member "${entry.name}" is encrypted`);
  }
  switch (entry.method) {
    case 0:
      return packedBytes(source, entry);
    case 8:
      return inflated(source, entry);
    default:
      throw new AssetError(source.label, `its member "${entry.name}" is packed with method ${entry.method}`);
  }
}

function inflated(source: ZipSource, entry: ZipEntry): AsyncIterable<Uint8Array> {
  const packed = Readable.from(packedBytes(source, entry));
  const result = createInflateRaw();
  packed.on('error', (error) => result.destroy(error));
  result.on('close', () => packed.destroy());
  return packed.pipe(result) as AsyncIterable<Uint8Array>;
}

async function* packedBytes(source: ZipSource, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const local = await source.read(entry.offset, LOCAL_BYTES);
  if (local.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damaged(source);
  const start = entry.offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  for (let at = 0; at < entry.packedSize; at += CHUNK_BYTES) {
    yield await source.read(start + at, Math.min(CHUNK_BYTES, entry.packedSize - at));
  }
}

function damaged(source: ZipSource): AssetError {
  return new AssetError(source.label, 'it is a damaged zip file');
}
