import { joinNames } from './member-name.js';

/** Headers of the tar stream whose hash is an archive's hash, byte for byte [VAL-6]. */

const BLOCK = 512;

const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** One more than the largest size that fits in eleven octal digits. */
const OCTAL_LIMIT = 2 ** 33;

/** Offset and length in bytes of each header field. */
const FIELDS = {
  name: [0, NAME_BYTES],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
  devMajor: [329, 8],
  devMinor: [337, 8],
  prefix: [345, PREFIX_BYTES],
} as const satisfies Record<string, readonly [number, number]>;

/**
 * Returns everything that precedes a file's bytes: its header, after an extended one if name or size need it. `name`
 * has `/` separators, no NUL bytes and no trailing `/`. `size` is in bytes.
 */
export function fileHeader(name: string, size: number): Buffer {
  const fitsName = isAscii(name) && name.length <= NAME_BYTES;
  if (size < OCTAL_LIMIT) {
    if (fitsName) return header(name, size, '');
    const split = splitName(name);
    if (split !== undefined) return header(split.rest, size, split.prefix);
  }
  const records = Buffer.concat([
    ...(fitsName ? [] : [record('path', name)]),
    ...(size < OCTAL_LIMIT ? [] : [record('size', String(size))]),
  ]);
  return Buffer.concat([
    extendedHeader(name, records.length),
    records,
    padding(records.length),
    header(asciiOnly(name), size < OCTAL_LIMIT ? size : 0, ''),
  ]);
}

/** Returns zeros that fill the last block of `size` bytes. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** Blocks that end the stream. */
export const END = Buffer.alloc(2 * BLOCK);

function header(name: string, size: number, prefix: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  text(block, 'name', name);
  octal(block, 'mode', 0o600);
  octal(block, 'size', size);
  octal(block, 'devMajor', 0);
  octal(block, 'devMinor', 0);
  text(block, 'prefix', prefix);
  return sealed(block, '0');
}

/**
 * Builds the header that precedes a file whose name or size does not fit a plain header. It has no device fields and
 * mode 0.
 */
function extendedHeader(name: string, size: number): Buffer {
  const slash = name.lastIndexOf('/');
  const place = joinNames(name.slice(0, slash + 1), 'PaxHeaders.0', name.slice(slash + 1));
  const block = Buffer.alloc(BLOCK);
  text(block, 'name', asciiOnly(place).slice(0, NAME_BYTES).replace(/\/+$/, ''));
  octal(block, 'mode', 0);
  octal(block, 'size', size);
  return sealed(block, 'x');
}

/** Fills in the fields that every header has. The checksum counts its own field as spaces. */
function sealed(block: Buffer, type: '0' | 'x'): Buffer {
  octal(block, 'uid', 0);
  octal(block, 'gid', 0);
  octal(block, 'mtime', 0);
  text(block, 'type', type);
  text(block, 'magic', 'ustar\u000000');
  text(block, 'checksum', ' '.repeat(8));
  const sum = block.reduce((total, byte) => total + byte, 0);
  text(block, 'checksum', `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}

/** Writes a field. A value that is too long is cut; a cut that ends in `/` loses that slash as well. */
function text(block: Buffer, field: keyof typeof FIELDS, value: string): void {
  const [offset, length] = FIELDS[field];
  block.write(value, offset, length, 'latin1');
  if (value.length > length && value[length - 1] === '/') {
    block[offset + value.slice(0, length - 1).replace(/\/+$/, '').length] = 0;
  }
}

function octal(block: Buffer, field: keyof typeof FIELDS, value: number): void {
  text(block, field, `${value.toString(8).padStart(FIELDS[field][1] - 1, '0')}\0`);
}

/** Splits a long name at the last `/` that leaves both parts short enough. Returns undefined if there is none. */
function splitName(name: string): { readonly prefix: string; readonly rest: string } | undefined {
  if (!isAscii(name)) return undefined;
  const slash = name.slice(0, PREFIX_BYTES + 1).lastIndexOf('/');
  const rest = name.slice(slash + 1);
  if (slash <= 0 || rest === '' || rest.length > NAME_BYTES) return undefined;
  return { prefix: name.slice(0, slash), rest };
}

/** Builds `<length> key=value\n`. The length counts its own digits. */
function record(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes;
  while (length !== bytes + String(length).length) length = bytes + String(length).length;
  return Buffer.from(`${length}${rest}`);
}

function isAscii(name: string): boolean {
  return /^[\x00-\x7f]*$/.test(name);
}

function asciiOnly(name: string): string {
  return name.replace(/[^\x01-\x7f]/g, '');
}
