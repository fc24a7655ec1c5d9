import { constants } from 'node:fs';
import { mkdir, open, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linkTarget } from './link-target.js';
import { archiveMembers } from './members.js';
import type { Member } from './members.js';
import { DEFAULT_UNPACK_LIMITS, unpackBudget } from './unpack-limits.js';
import type { UnpackBudget, UnpackLimits } from './unpack-limits.js';

/** Options of {@link unpackArchive}. */
export interface UnpackOptions {
  /** Leading parts of member names that are dropped. Defaults to 0. */
  readonly strip?: number;
  /** Limits that differ from {@link DEFAULT_UNPACK_LIMITS}. */
  readonly limits?: Partial<UnpackLimits>;
}

/**
 * Unpacks a gzipped tar or a zip file into a folder that only the caller writes. Creates the folder if it is missing.
 *
 * Nothing is written outside of it. Cairn refuses members whose name or link leaves the folder, members behind a link,
 * devices and hard links, and archives beyond the limits. Files are never written through links, which are made last.
 * Of two members with one name the later one counts. Rejects with the cause; the caller removes whatever exists by
 * then.
 */
export async function unpackArchive(
  archive: string,
  directory: string,
  { strip = 0, limits = {} }: UnpackOptions = {},
): Promise<void> {
  const budget = unpackBudget({ ...DEFAULT_UNPACK_LIMITS, ...limits }, (await stat(archive)).size);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const folder = new ArchiveFolder(directory, budget);
  for await (const member of archiveMembers(archive)) {
    budget.addEntry();
    const path = pathOf(member.name, strip);
    if (path !== '') await folder.add(path, member);
  }
  await folder.makeLinks();
}

/** Returns the path of a member below the folder, with parts joined by `/`. It is empty for the folder itself. */
function pathOf(name: string, strip: number): string {
  const parts = name.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || parts.some((part) => part.includes('\0')) || /^[a-z]:/i.test(name))
    throw new Error(`its member ${JSON.stringify(name)} lies outside`);
  return parts.slice(strip).join('/');
}

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Folder that is filled, with a record of its contents from the archive so far. */
class ArchiveFolder {
  readonly #directory: string;
  readonly #budget: UnpackBudget;
  readonly #kinds = new Map<string, Member['kind']>();
  readonly #links = new Map<string, string>();

  constructor(directory: string, budget: UnpackBudget) {
    this.#directory = directory;
    this.#budget = budget;
  }

  async add(path: string, member: Member): Promise<void> {
    await this.#makeParents(path);
    switch (member.kind) {
      case 'directory':
        return this.#makeDirectory(path);
      case 'link':
        await this.#makeRoom(path);
        this.#links.set(path, member.text);
        break;
      case 'file':
        await this.#makeRoom(path);
        await this.#writeFile(path, member.isExecutable, await member.content());
        break;
    }
    this.#kinds.set(path, member.kind);
  }

  /** Checks every link against all others, then makes them. */
  async makeLinks(): Promise<void> {
    for (const path of this.#links.keys())
      if (linkTarget(path, this.#links) === undefined)
        throw new Error(`its link ${JSON.stringify(path)} points outside`);
    for (const [path, text] of this.#links) await symlink(text, this.#place(path));
  }

  #place(path: string): string {
    return join(this.#directory, ...path.split('/'));
  }

  async #makeParents(path: string): Promise<void> {
    const parts = path.split('/');
    for (let count = 1; count < parts.length; count += 1)
      await this.#makeDirectory(parts.slice(0, count).join('/'), path);
  }

  async #makeDirectory(path: string, member = path): Promise<void> {
    const kind = this.#kinds.get(path);
    if (kind === 'directory') return;
    if (kind === 'link') throw new Error(`its member ${JSON.stringify(member)} lies behind a link`);
    if (kind === 'file') throw new Error(`its member ${JSON.stringify(path)} is both a file and a directory`);
    await mkdir(this.#place(path), { mode: 0o700 });
    this.#kinds.set(path, 'directory');
  }

  /** Removes an earlier file or link of the same name. */
  async #makeRoom(path: string): Promise<void> {
    const kind = this.#kinds.get(path);
    if (kind === 'directory')
      throw new Error(`its member ${JSON.stringify(path)} is both a file and a directory`);
    if (kind === 'file') await rm(this.#place(path));
    if (kind === 'link') this.#links.delete(path);
    this.#kinds.delete(path);
  }

  async #writeFile(path: string, isExecutable: boolean, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(this.#place(path), NEW_FILE, isExecutable ? 0o755 : 0o644);
    try {
      for await (const chunk of content) {
        this.#budget.addBytes(chunk.length);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
  }
}
