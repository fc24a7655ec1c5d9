import { lstat, mkdir, readlink, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import { SOURCE_LIMITS } from '../config/agent-config.js';
import type { GitSource } from '../config/agent-config.js';
import type { ProgramCheckout, ProgramSource } from './program-source.js';

/** Result of a git command. */
interface GitEnd {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly tail: string;
  readonly words: string;
}

/** Runs git with these words in a folder. */
type RunGit = (cwd: string, words: readonly string[]) => Promise<GitEnd>;

/** Settings for every git command: no hooks, no submodules, no other transports, no prompts, no maintenance. */
const SAFE: readonly string[] = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=true',
  'submodule.recurse=false',
  'protocol.allow=never',
  'protocol.https.allow=always',
  'protocol.ssh.allow=always',
  'credential.interactive=false',
  'fetch.recurseSubmodules=false',
  'transfer.fsckObjects=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
].flatMap((setting) => ['-c', setting]);

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Repository of a stack's program, kept in a folder of the agent. */
export class GitRepository implements ProgramSource {
  readonly #source: GitSource;
  readonly #folder: string;
  readonly #git: RunGit;

  /** `folder` belongs to this repository alone. */
  constructor(source: GitSource, folder: string, git: RunGit) {
    this.#source = source;
    this.#folder = folder;
    this.#git = git;
  }

  get root(): string {
    return this.#folder;
  }

  /** Reads the newest commit of the branch or tag, and the tree of the folder in it. */
  async head(): Promise<{ readonly commit: string; readonly tree: string }> {
    const { url, ref } = this.#source;
    const listed = await this.#run('.', ['ls-remote', '--end-of-options', url, ref, `${ref}^{}`]);
    const lines = listed.split('\n').map((line) => line.split('\t'));
    // The commit of an annotated tag has a line of its own.
    const commit = (lines.find(([, name]) => name === `${ref}^{}`) ??
      lines.find(([, name]) => name === ref))?.[0];
    if (commit === undefined) return this.#fail(`${url} has no ${ref}`);
    await this.#fetch(commit);
    return { commit, tree: await this.tree(commit) };
  }

  /**
   * Makes the folder of the program as it is in a commit. Files of an earlier run are deleted. `ref` is a name of a
   * reference with the commit, for one that no branch has.
   */
  async checkOut(commit: string, ref?: string): Promise<ProgramCheckout> {
    if (!COMMIT.test(commit)) return this.#fail(`${JSON.stringify(commit)} is not a full commit id`);
    await this.#fetch(commit, ref);
    const links = await this.#linksOf(commit);
    await this.#run(this.#folder, ['checkout', '--quiet', '--force', '--detach', commit, '--']);
    await this.#run(this.#folder, ['clean', '--quiet', '--force', '-d', '-x', '--exclude=node_modules']);
    for (const link of links) await this.#refuseLinkOut(link);
    if (this.#source.submodules === true) await this.#submodules();
    return { folder: await this.#projectFolder(), commit };
  }

  /** Returns the links below the folder of the stack. Fails if the commit has too many files. */
  async #linksOf(commit: string): Promise<readonly string[]> {
    const { most = SOURCE_LIMITS, folder } = this.#source;
    const end = await this.#git(this.#folder, [...SAFE, 'ls-tree', '-r', '-z', '--full-tree', commit]);
    const entries = end.stdout.split('\0').slice(0, -1);
    if (entries.length > most.files || end.words.startsWith('ended at its output limit'))
      return this.#fail(
        `the commit has more than ${most.files} files`,
        'Keep the program in a smaller repository, or raise `files` of the source.',
      );
    if (end.code !== 0) return this.#fail(`git ls-tree: ${lastLine(end.tail) || end.words}`);
    const below = folder === '.' ? '' : `${folder}/`;
    return entries.flatMap((entry) => {
      const [facts = '', name = ''] = entry.split('\t');
      return facts.startsWith('120000 ') && name.startsWith(below) ? [name] : [];
    });
  }

  /** Fails for a link that leads out of the repository, or to its `.git`. */
  async #refuseLinkOut(name: string): Promise<void> {
    const root = await realpath(this.#folder);
    const link = path.join(root, name);
    const target = await readlink(link).catch(() => undefined);
    if (target === undefined) return;
    const places = [path.resolve(path.dirname(link), target), await realPlaceOf(path.dirname(link), target)];
    if (places.every((place) => place === undefined || isWithin(root, place))) return;
    this.#fail(
      `${name} is a link that leads out of the repository`,
      'Replace the link by the file, or delete it, and push again.',
    );
  }

  /** Fetches the submodules. No local address is followed, also in a repository of this machine. */
  async #submodules(): Promise<void> {
    const words = ['submodule', '--quiet', 'update', '--init', '--recursive', '--force', '--depth=1'];
    const end = await this.#git(this.#folder, [...SAFE, ...words]);
    if (end.code !== 0)
      this.#fail(
        `git submodule: ${lastLine(end.tail) || end.words}`,
        'Give each submodule an https or ssh address that the agent may read.',
      );
  }

  /** Returns the folder of the project. Fails if a link leads out of the repository, or to its `.git`. */
  async #projectFolder(): Promise<string> {
    const root = await realpath(this.#folder);
    const wanted = path.join(root, this.#source.folder);
    const real = await realpath(wanted).catch(() => undefined);
    const isFolder = real !== undefined && (await stat(real)).isDirectory();
    if (!isFolder) return this.#fail(`the commit has no folder ${this.#source.folder}`);
    if (!isWithin(root, real))
      return this.#fail(`the folder ${this.#source.folder} is a link that leads out of the repository`);
    return real;
  }

  /** Returns the id of the folder's contents in a commit that was fetched. */
  async tree(commit: string): Promise<string> {
    const { folder } = this.#source;
    const name = folder === '.' ? `${commit}^{tree}` : `${commit}:${folder}`;
    const end = await this.#git(this.#folder, [
      ...SAFE,
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      name,
    ]);
    // A commit without the folder has a tree of its own: a run then says that the folder is missing.
    return end.code === 0 ? (end.stdout.trim().split('\n').at(-1) ?? '') : 'missing';
  }

  async #fetch(commit: string, ref?: string): Promise<void> {
    await this.#make();
    if (await this.#has(commit)) return;
    const words = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-recurse-submodules',
      '--depth=1',
      '--filter=blob:none',
    ];
    const names = ref === undefined ? [commit] : [ref];
    await this.#run(this.#folder, [...words, '--end-of-options', 'origin', ...names]);
    if (ref === undefined) return;
    if (!(await this.#has(commit))) return this.#fail(`${ref} no longer has the commit ${commit}`);
  }

  /** Tells if a commit was fetched. Other commands than this one would ask the origin for one that is missing. */
  async #has(commit: string): Promise<boolean> {
    const words = ['rev-list', '--no-walk', '--missing=allow-any', '--ignore-missing', '--end-of-options'];
    const end = await this.#git(this.#folder, [...SAFE, ...words, commit]);
    return end.code === 0 && end.stdout.trim() !== '';
  }

  /** Makes the repository, or makes it again if its address has changed. */
  async #make(): Promise<void> {
    const { url } = this.#source;
    const known = await lstat(path.join(this.#folder, '.git')).catch(() => undefined);
    // A program can have put a file there that names another repository.
    if (known?.isDirectory() !== true) await rm(this.#folder, { recursive: true, force: true });
    else {
      const origin = await this.#git(this.#folder, [...SAFE, 'config', '--get', 'remote.origin.url']);
      if (origin.stdout.trim() === url) return;
      await rm(this.#folder, { recursive: true, force: true });
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // Without a template there are no hooks.
    await this.#run(this.#folder, ['init', '--quiet', '--template=']);
    for (const [key, value] of [
      ['remote.origin.promisor', 'true'],
      ['remote.origin.partialclonefilter', 'blob:none'],
      ['remote.origin.url', url],
    ] as const)
      await this.#run(this.#folder, ['config', key, value]);
  }

  async #run(cwd: string, words: readonly string[]): Promise<string> {
    const local = this.#source.url.startsWith('file://') ? ['-c', 'protocol.file.allow=always'] : [];
    const end = await this.#git(cwd, [...SAFE, ...local, ...words]);
    if (end.code === 0) return end.stdout;
    if (end.words.startsWith('ended at its disk limit'))
      return this.#fail(
        `the repository is larger than ${(this.#source.most ?? SOURCE_LIMITS).bytes} bytes`,
        'Keep the program in a smaller repository, or raise `sizeMiB` of the source.',
      );
    return this.#fail(`git ${words[0] ?? ''}: ${lastLine(end.tail) || end.words}`);
  }

  #fail(
    cause: string,
    hint = `Try \`git ls-remote ${this.#source.url}\` with the environment of the agent.`,
  ): never {
    fail('CAIRN-AGENT-SOURCE', `cannot read ${this.#source.url}`, { causes: [cause], hint });
  }
}

/** Returns where a link leads, through other links; `undefined` if not even the folder of its target exists. */
async function realPlaceOf(from: string, target: string): Promise<string | undefined> {
  // Not normalized: the parent of a link's target is not the parent of the link.
  const text = path.isAbsolute(target) ? target : `${from}/${target}`;
  const exact = await realpath(text).catch(() => undefined);
  if (exact !== undefined) return exact;
  const folder = await realpath(text.slice(0, text.lastIndexOf('/') + 1)).catch(() => undefined);
  return folder === undefined ? undefined : path.join(folder, path.basename(text));
}

/** Tells if a place is in a repository and not in its `.git`. */
function isWithin(root: string, place: string): boolean {
  const inside = path.relative(root, place);
  return !inside.startsWith('..') && !path.isAbsolute(inside) && inside.split(path.sep)[0] !== '.git';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
