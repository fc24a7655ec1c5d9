import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';

/** Member of an archive. Its content must be read, or skipped, before the next member is requested. */
export type Member =
  | { readonly kind: 'directory'; readonly name: string }
  | { readonly kind: 'link'; readonly name: string; readonly text: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly isExecutable: boolean;
      readonly content: () => Promise<AsyncIterable<Uint8Array>>;
    };

type Format = 'zip' | 'gzipped tar';

/**
 * Yields the members of a zip file or a gzipped tar, in order, without reading ahead. Rejects when the file is neither.
 */
export async function* archiveMembers(file: string): AsyncGenerator<Member> {
  switch (await formatOf(file)) {
    case 'zip':
      yield* zipMembers(file);
      break;
    case 'gzipped tar':
      yield* tarMembers(file);
      break;
    case undefined:
      throw new Error('it is neither a gzipped tar nor a zip file');
  }
}

/** Detects the format by the first bytes; names do not count. */
async function formatOf(file: string): Promise<Format | undefined> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    if (buffer[0] === 0x1f && buffer[1] === 0x8b) return 'gzipped tar';
    const signature = buffer.toString('latin1');
    return signature === 'PK\x03\x04' || signature === 'PK\x05\x06' ? 'zip' : undefined;
  } finally {
    await handle.close();
  }
}

async function* tarMembers(file: string): AsyncGenerator<Member> {
  const { extract } = await import('tar-stream');
  const entries = extract();
  const fed = pipeline(createReadStream(file), createGunzip(), entries).catch((error: Error) => {
    entries.destroy(error);
    throw error;
  });
  fed.catch(() => undefined);
  for await (const entry of entries) {
    const { name, type, mode = 0, linkname } = entry.header;
    switch (type) {
      case 'directory':
        yield { kind: 'directory', name };
        break;
      case 'symlink':
        yield { kind: 'link', name, text: linkname ?? '' };
        break;
      case 'file':
      case 'contiguous-file':
        yield {
          kind: 'file',
          name,
          isExecutable: (mode & 0o111) !== 0,
          content: () => Promise.resolve(entry as AsyncIterable<Uint8Array>),
        };
        break;
      default:
        throw new Error(
          `its member ${JSON.stringify(name)} is neither a file nor a directory, but a ${type}`,
        );
    }
    entry.resume();
  }
  await fed;
}

const FILE_TYPE = 0o170_000;
const LINK = 0o120_000;

async function* zipMembers(file: string): AsyncGenerator<Member> {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) yield zipMember(zip, entry);
  } finally {
    zip.close();
  }
}

function zipMember(zip: ZipFile, entry: Entry): Member {
  const { fileName: name, externalFileAttributes } = entry;
  const mode = externalFileAttributes >>> 16;
  if ((mode & FILE_TYPE) === LINK)
    throw new Error(`its member ${JSON.stringify(name)} is a link, which a zip file must not have`);
  if (name.endsWith('/')) return { kind: 'directory', name };
  // Zip files made on Windows have no modes, so every file may be executed.
  return {
    kind: 'file',
    name,
    isExecutable: true,
    content: async () => (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>,
  };
}
