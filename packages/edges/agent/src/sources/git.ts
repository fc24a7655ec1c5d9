import { mkdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { GitSource } from '../config/agent-config.js';

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

/** Checkout of one stack's program. */
interface Checkout {
  /** Folder of the project. */
  readonly folder: string;
  readonly commit: string;
}

/** Repository of a stack's program, kept in a folder of the agent. */
export class GitRepository {
  readonly #source: GitSource;
  readonly #folder: string;
  readonly #git: RunGit;

  /** `folder` belongs to this repository alone. */
  constructor(source: GitSource, folder: string, git: RunGit) {
    this.#source = source;
    this.#folder = folder;
    this.#git = git;
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

  /** Makes the folder of the program as it is in a commit. Files of an earlier run are deleted. */
  async checkOut(commit: string): Promise<Checkout> {
    if (!COMMIT.test(commit)) return this.#fail(`${JSON.stringify(commit)} is not a full commit id`);
    await this.#fetch(commit);
    await this.#run(this.#folder, ['checkout', '--quiet', '--force', '--detach', commit, '--']);
    await this.#run(this.#folder, ['clean', '--quiet', '--force', '-d', '-x', '--exclude=node_modules']);
    return { folder: await this.#projectFolder(), commit };
  }

  /** Returns the folder of the project. Fails if a link leads out of the repository, or to its `.git`. */
  async #projectFolder(): Promise<string> {
    const root = await realpath(this.#folder);
    const wanted = path.join(root, this.#source.folder);
    const real = await realpath(wanted).catch(() => undefined);
    const isFolder = real !== undefined && (await stat(real)).isDirectory();
    if (!isFolder) return this.#fail(`the commit has no folder ${this.#source.folder}`);
    const inside = path.relative(root, real);
    if (inside.startsWith('..') || path.isAbsolute(inside) || inside.split(path.sep)[0] === '.git')
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

  async #fetch(commit: string): Promise<void> {
    await this.#make();
    const known = await this.#git(this.#folder, [...SAFE, 'cat-file', '-e', `${commit}^{commit}`]);
    if (known.code === 0) return;
    const words = [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-recurse-submodules',
      '--depth=1',
      '--filter=blob:none',
    ];
    await this.#run(this.#folder, [...words, '--end-of-options', 'origin', commit]);
  }

  /** Makes the repository, or makes it again if its address has changed. */
  async #make(): Promise<void> {
    const { url } = this.#source;
    const known = await stat(path.join(this.#folder, '.git')).catch(() => undefined);
    if (known !== undefined) {
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
    return this.#fail(`git ${words[0] ?? ''}: ${lastLine(end.tail) || end.words}`);
  }

  #fail(cause: string): never {
    fail('CAIRN-AGENT-SOURCE', `cannot read ${this.#source.url}`, {
      causes: [cause],
      hint: `Try \`git ls-remote ${this.#source.url}\` with the environment of the agent.`,
    });
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
