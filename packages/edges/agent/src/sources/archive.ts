import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { unpackArchive } from '@cairn/archives';
import { fail, isCairnError, messageOf } from '@cairn/diagnostics';
import { isAbsent, realDisk, writeAtomically } from '@cairn/files';
import { SOURCE_LIMITS } from '../config/agent-config.js';
import type { ArchiveSource } from '../config/agent-config.js';
import type { ProgramCheckout, ProgramSource } from './program-source.js';

/** Most bytes of an archive, which is in memory while it is fetched. */
const MOST_PACKED = 256 * 1024 ** 2;
const RIGHTS_HINT = 'Check the address, and the rights of the agent in the bucket.';

/** Archive as it was last fetched: its version in the store, and the digest that is its commit. */
interface KnownArchive {
  readonly version: string;
  readonly commit: string;
}

/**
 * Program of a stack in an archive of a bucket, kept in a folder of the agent. Its commit is the SHA-256 of the
 * archive, so that the same bytes are the same program under any name and in any store.
 */
export class ProgramArchive implements ProgramSource {
  readonly #source: ArchiveSource;
  readonly #folder: string;

  /** `folder` belongs to this archive alone. */
  constructor(source: ArchiveSource, folder: string) {
    this.#source = source;
    this.#folder = folder;
  }

  /** Folder with the whole program. */
  get root(): string {
    return path.join(this.#folder, 'program');
  }

  /** Reads the newest version. Fetches the archive if its version in the store is another one than before. */
  async head(): Promise<{ readonly commit: string; readonly tree: string }> {
    const { bucket, name } = partsOf(this.#source.url);
    const { openBlobStore } = await import('@cairn/blobs');
    try {
      const store = await openBlobStore(bucket);
      try {
        const found = (await store.list(name)).find(({ key }) => key === name);
        if (found === undefined) return this.#fail('there is no such object');
        const version = found.version ?? `${found.size} ${found.modified}`;
        const known = await this.#known();
        if (known?.version === version && (await this.#isThere(known.commit)))
          return { commit: known.commit, tree: known.commit };
        const blob = found.size > MOST_PACKED ? undefined : await store.get(name);
        if (blob === undefined || blob.bytes.length > MOST_PACKED)
          return this.#fail(`it has more than ${MOST_PACKED} bytes`, 'Leave out what `before` can install.');
        const commit = digestOf(blob.bytes);
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        await this.#write(this.#archiveFile(commit), blob.bytes);
        await this.#write(this.#knownFile, Buffer.from(JSON.stringify({ version, commit })));
        return { commit, tree: commit };
      } finally {
        await store.close();
      }
    } catch (thrown) {
      if (isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-AGENT-SOURCE') throw thrown;
      const causes = isCairnError(thrown) ? thrown.diagnostics.flatMap((each) => each.causes ?? []) : [];
      return this.#fail([messageOf(thrown), ...causes].join(': '));
    }
  }

  /** Makes the folder of the program as it is in a version. Files of an earlier run are deleted. */
  async checkOut(commit: string): Promise<ProgramCheckout> {
    if (!(await this.#isWhole(commit)) && (await this.head()).commit !== commit)
      return this.#fail(`it is no longer the version ${commit.slice(0, 8)}`, 'Request the operation again.');
    await this.#removeOthers(commit);
    await rm(this.root, { recursive: true, force: true });
    const { most = SOURCE_LIMITS, folder } = this.#source;
    try {
      const limits = { bytes: most.bytes, entries: most.files };
      await unpackArchive(this.#archiveFile(commit), this.root, { limits });
    } catch (thrown) {
      await rm(this.root, { recursive: true, force: true });
      return this.#fail(
        `cannot unpack it: ${messageOf(thrown)}`,
        'Pack files and folders only, or raise `files` or `sizeMiB` of the source.',
      );
    }
    // No link of an archive leads out of it.
    const project = await realpath(path.join(this.root, folder)).catch(() => undefined);
    if (project === undefined || !(await stat(project)).isDirectory())
      return this.#fail(`it has no folder ${folder}`, 'Name a folder of the archive as `folder`.');
    return { folder: project, commit };
  }

  /** Returns what identifies the contents of a version: all of it. */
  tree(commit: string): Promise<string> {
    return Promise.resolve(commit);
  }

  get #knownFile(): string {
    return path.join(this.#folder, 'known.json');
  }

  #archiveFile(commit: string): string {
    return path.join(this.#folder, `${commit}.archive`);
  }

  async #known(): Promise<KnownArchive | undefined> {
    const text = await bytesOf(this.#knownFile);
    return text === undefined ? undefined : (JSON.parse(text.toString('utf8')) as KnownArchive);
  }

  async #isThere(commit: string): Promise<boolean> {
    return (await stat(this.#archiveFile(commit)).catch(() => undefined)) !== undefined;
  }

  /** Tells if a version was fetched. Programs can write here: one with another digest is removed. */
  async #isWhole(commit: string): Promise<boolean> {
    if (!/^[0-9a-f]{64}$/.test(commit)) return false;
    const bytes = await bytesOf(this.#archiveFile(commit));
    if (bytes !== undefined && digestOf(bytes) === commit) return true;
    await rm(this.#archiveFile(commit), { force: true });
    return false;
  }

  async #write(file: string, bytes: Uint8Array): Promise<void> {
    await writeAtomically(realDisk, file, bytes, 'replace', { mode: 0o600 });
  }

  /** Removes all versions but the newest one and the one that runs. */
  async #removeOthers(commit: string): Promise<void> {
    const kept = [commit, (await this.#known())?.commit].map((each) => `${each}.archive`);
    for (const name of await readdir(this.#folder))
      if (name.endsWith('.archive') && !kept.includes(name))
        await rm(path.join(this.#folder, name), { force: true });
  }

  #fail(cause: string, hint = RIGHTS_HINT): never {
    fail('CAIRN-AGENT-SOURCE', `cannot read ${this.#source.url}`, { causes: [cause], hint });
  }
}

/** Returns the address of the folder of an archive, and the name of the archive in it. */
function partsOf(url: string): { readonly bucket: string; readonly name: string } {
  const [place = '', query] = url.split('?');
  const cut = place.lastIndexOf('/');
  return {
    bucket: place.slice(0, cut) + (query === undefined ? '' : `?${query}`),
    name: place.slice(cut + 1),
  };
}

async function bytesOf(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((thrown: unknown) => {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  });
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
