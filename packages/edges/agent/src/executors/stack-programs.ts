import { constants } from 'node:fs';
import { cp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RunRow } from '@cairn/changes-daemon';
import { fail } from '@cairn/diagnostics';
import { SOURCE_LIMITS } from '../config/agent-config.js';
import type { AgentStack, GitSource } from '../config/agent-config.js';
import { gitCredentials } from '../sources/git-credentials.js';
import { ProgramArchive } from '../sources/archive.js';
import { GitRepository } from '../sources/git.js';
import type { ProgramSource } from '../sources/program-source.js';
import type { SourceHead } from '../stack-work.js';
import type { CommandRunner, StackProject } from './command-runner.js';
import type { WorkFailure } from './command-results.js';
import { copyStackFile } from './copy-stack-file.js';
import { checkoutOfStack, programOfStack, runFiles } from './run-files.js';

/** Time for commands that only read, and for git. Milliseconds. */
const READ_MS = 300_000;

/** Program that was fetched before. */
export interface FetchedProgram {
  readonly folder: string;
  readonly commit: string;
  /** Newest commit, and the tree of the folder in `commit`. Undefined if they were not asked for. */
  readonly head?: SourceHead | undefined;
  readonly tree?: string | undefined;
}

/** Makes programs of stacks ready: from their folder, their repository or their archive. */
export class StackPrograms {
  readonly #runner: CommandRunner;
  readonly #fetched: FetchedProgram | undefined;

  /** `fetched` is the program of the stack. Without it, each part of a run fetches it. */
  constructor(runner: CommandRunner, fetched: FetchedProgram | undefined) {
    this.#runner = runner;
    this.#fetched = fetched;
  }

  async head(stack: AgentStack): Promise<SourceHead | undefined> {
    return this.#repository(stack, 'source')?.head();
  }

  /** Fetches the program of a run from its repository, for a work that has no credentials. */
  async fetch(stack: AgentStack, run: RunRow, withHead: boolean): Promise<FetchedProgram> {
    await this.#runner.files(run);
    const repository = this.#repository(stack, run.id) as ProgramSource;
    const head = withHead || run.commit === undefined ? await repository.head() : undefined;
    const checkout = await repository.checkOut(run.commit ?? head?.commit ?? '', run.ref);
    return { ...checkout, head, tree: head && (await repository.tree(checkout.commit)) };
  }

  /** Makes the program of the stack ready, at the commit of the run. */
  async project(stack: AgentStack, run: RunRow): Promise<StackProject | WorkFailure> {
    const project = await this.#program(stack, run);
    if (stack.copies !== undefined) await copyStackFile(project.folder, stack.copies, stack.stack);
    return (await this.#runner.commands(stack, run, project, 'before')) ?? project;
  }

  /** Returns the newest commit, and the tree of the folder in `commit`. */
  async newest(
    stack: AgentStack,
    run: RunRow,
    commit: string,
  ): Promise<Pick<FetchedProgram, 'head' | 'tree'>> {
    if (this.#fetched !== undefined) return this.#fetched;
    const repository = this.#repository(stack, run.id);
    const head = await repository?.head();
    return { head, tree: head && (await repository?.tree(commit)) };
  }

  async #program(stack: AgentStack, run: RunRow): Promise<StackProject> {
    if (stack.source.t === 'directory') return { folder: stack.source.path, commit: undefined };
    if (this.#fetched !== undefined) return this.#fetched;
    const repository = this.#repository(stack, run.id) as ProgramSource;
    const commit = run.commit ?? (await repository.head()).commit;
    const checkout = await repository.checkOut(commit, run.ref);
    return stack.container === undefined
      ? checkout
      : this.#copyForContainers(stack, repository.root, checkout);
  }

  /**
   * Copies a checkout for containers, without files of git: git of this machine would run what a program writes into
   * them.
   */
  async #copyForContainers(
    stack: AgentStack,
    program: string,
    { folder, commit }: StackProject,
  ): Promise<StackProject> {
    const left = await this.#runner.containers.removeLeft(stack.name);
    if (left !== undefined) throw new Error(left);
    const root = await realpath(program);
    const copy = programOfStack(this.#runner.folder, stack.name);
    await rm(copy, { recursive: true, force: true });
    await cp(root, copy, {
      ...{ recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE },
      filter: (file) => path.basename(file) !== '.git',
    });
    return { folder: path.join(copy, path.relative(root, folder)), commit };
  }

  #repository(stack: AgentStack, run: string): ProgramSource | undefined {
    const { source } = stack;
    if (source.t === 'directory') return undefined;
    const folder = checkoutOfStack(
      this.#runner.folder,
      run === 'source' ? `${stack.name}.heads` : stack.name,
    );
    if (source.t === 'archive') return new ProgramArchive(source, folder);
    return new GitRepository(source, folder, (cwd, args) =>
      this.#runner.executor.run({
        command: 'git',
        args,
        cwd: cwd === '.' ? this.#runner.folder : cwd,
        env: {
          ...this.#runner.environment(stack, run),
          ...this.#gitVariables(source),
          ...{ GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' },
        },
        limits: {
          timeMs: READ_MS,
          outputBytes: stack.limits.outputBytes,
          diskBytes: (source.most ?? SOURCE_LIMITS).bytes,
        },
        folders: [folder],
        log: run === 'source' ? `${folder}.log` : runFiles(this.#runner.folder, run).log('git'),
        isRead: true,
      }),
    );
  }

  #gitVariables({ url, credentials }: GitSource): Readonly<Record<string, string>> {
    if (credentials === undefined) return {};
    const value = this.#runner.variable(credentials);
    if (value !== '') return gitCredentials(url, value);
    return fail('CAIRN-AGENT-SOURCE', `cannot read ${url}`, {
      ...{
        causes: [`the variable ${credentials} is not set`],
        hint: 'Set it in the environment of the agent.',
      },
    });
  }
}
