import { crc32, deflateRawSync } from 'node:zlib';

const LOCAL = 0x0403_4b50;
const CENTRAL = 0x0201_4b50;
const END = 0x0605_4b50;

/** Returns a zip file of these files, deflated. A name that ends in `@` is a link. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [named, text] of Object.entries(files)) {
    const name = Buffer.from(named.replace(/@$/, ''));
    const packed = deflateRawSync(text);
    const common = fields(
      [2, 20],
      [2, 0],
      [2, 8],
      [4, 0],
      [4, crc32(text)],
      [4, packed.length],
      [4, Buffer.byteLength(text)],
      [2, name.length],
      [2, 0],
    );
    const local = Buffer.concat([fields([4, LOCAL]), common, name, packed]);
    const mode = (named.endsWith('@') ? 0o120_777 : 0o100_644) * 0x1_0000;
    directory.push(
      fields([4, CENTRAL], [2, 0x0314]),
      common,
      fields([2, 0], [2, 0], [2, 0], [4, mode], [4, offset]),
      name,
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = locals.length;
  const end = fields(
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, central.length],
    [4, offset],
    [2, 0],
  );
  return Buffer.concat([...locals, central, end]);
}

/** Encodes unsigned numbers in the given numbers of bytes, lowest first. */
function fields(...parts: readonly (readonly [bytes: number, value: number])[]): Buffer {
  return Buffer.concat(
    parts.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}
