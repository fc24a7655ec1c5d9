import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file of a package: its name in the package, with `/` between directories, and its content. */
interface PackedFile {
  readonly name: string;
  readonly sha256: string;
}

/** Returns the checksum of the files of a package, which is the same packed and unpacked: `h1:…` [TFD-7]. */
function filesChecksum(files: readonly PackedFile[]): string {
  const names = Buffer.compare;
  const lines = files
    .toSorted((a, b) => names(Buffer.from(a.name), Buffer.from(b.name)))
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  return `h1:${createHash('sha256').update(lines.join('')).digest('base64')}`;
}

/** Returns the checksum of all files in a directory. */
export async function directoryChecksum(directory: string): Promise<string> {
  const files: PackedFile[] = [];
  for (const name of await filesBelow(directory))
    files.push({ name, sha256: await fileSha256(join(directory, name)) });
  return filesChecksum(files);
}

/** Returns the names of all files in a directory, with `/` between directories. */
export async function filesBelow(root: string, prefix = ''): Promise<readonly string[]> {
  const entries = await readdir(join(root, prefix), { withFileTypes: true });
  const found = entries.map((entry) => {
    const name = `${prefix}${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, `${name}/`) : [name];
  });
  return (await Promise.all(found)).flat();
}

/** Returns the SHA-256 of a file as hexadecimal digits. For an archive these are the digits after `zh:`. */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
