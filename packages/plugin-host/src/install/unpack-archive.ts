import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * Unpacks a gzipped tar into a directory that nobody else writes. `strip`: leading parts of names that are left out.
 * Rejects on members that would lie outside or behind a link, and on what is neither a file, a directory nor a link.
 */
export async function unpackArchive(archive: string, directory: string, strip = 0): Promise<void> {
  const { extract } = await import('tar-stream');
  const entries = extract();
  const links = new Set<string>();
  // The first failure is told, and ends the rest.
  const failed = new AbortController();
  const failing = (error: unknown): void => failed.abort(error);
  const fed = pipeline(createReadStream(archive), createGunzip(), entries).catch(failing);
  const taken = (async (): Promise<void> => {
    for await (const entry of entries) {
      const { name, type, mode, linkname } = entry.header;
      const target = inside(directory, name, strip);
      if (target === undefined) entry.resume();
      else
        await write(entry, failed.signal, {
          directory,
          name,
          type,
          mode,
          linkname: linkname ?? '',
          target,
          links,
        });
    }
  })().catch(failing);
  await Promise.all([fed, taken]);
  if (failed.signal.aborted) throw failed.signal.reason;
}

interface Member {
  readonly directory: string;
  readonly name: string;
  readonly type: string | null | undefined;
  readonly mode: number | undefined;
  readonly linkname: string;
  readonly target: string;
  /** Links that the archive has made so far. */
  readonly links: Set<string>;
}

async function write(
  entry: AsyncIterable<unknown> & { resume(): unknown },
  signal: AbortSignal,
  member: Member,
): Promise<void> {
  const { directory, name, type, mode, linkname, target, links } = member;
  if (isBehind(links, target, directory))
    throw new Error(`its member ${JSON.stringify(name)} lies behind a link`);
  switch (type) {
    case 'directory':
      await mkdir(target, { recursive: true, mode: 0o700 });
      break;
    case 'file':
    case 'contiguous-file':
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(
        entry as AsyncIterable<Uint8Array>,
        createWriteStream(target, { mode: (mode ?? 0o600) & 0o777 }),
        {
          signal,
        },
      );
      return;
    case 'symlink':
      if (!isInside(directory, isAbsolute(linkname) ? linkname : resolve(dirname(target), linkname)))
        throw new Error(`its link ${JSON.stringify(name)} points outside`);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rm(target, { force: true });
      await symlink(linkname, target);
      links.add(target);
      break;
    default:
      throw new Error(`its member ${JSON.stringify(name)} is neither a file nor a directory, but a ${type}`);
  }
  entry.resume();
}

/** Where a member goes; undefined: it is (a part of) the directory itself. */
function inside(directory: string, name: string, strip: number): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const path = join(directory, ...parts.slice(strip));
  if (parts.includes('..') || !isInside(directory, path))
    throw new Error(`its member ${JSON.stringify(name)} lies outside`);
  return path === directory ? undefined : path;
}

/** Whether a path would be followed through a link: where it leads then is not told by its name. */
function isBehind(links: ReadonlySet<string>, path: string, directory: string): boolean {
  for (let above = dirname(path); above.length > directory.length; above = dirname(above))
    if (links.has(above)) return true;
  return false;
}

function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory + sep);
}
