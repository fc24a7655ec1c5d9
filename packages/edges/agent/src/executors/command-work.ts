import { constants } from 'node:fs';
import { cp, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { fail } from '@cairn/diagnostics';
import { SOURCE_LIMITS } from '../config/agent-config.js';
import type { AgentConfig, AgentStack, GitSource } from '../config/agent-config.js';
import type { RunRow } from '@cairn/changes-daemon';
import { gitCredentials } from '../sources/git-credentials.js';
import { GitRepository } from '../sources/git.js';
import type {
  DriftResult,
  OperationState,
  PlanResult,
  SourceHead,
  StackWork,
  WorkResult,
} from '../stack-work.js';
import { untilAsked, withAnswer } from './asking-command.js';
import { EXITS, failureOf, operationResult, orFailed } from './command-results.js';
import type { WorkFailure } from './command-results.js';
import type { Containers } from './containers.js';
import { copyStackFile } from './copy-stack-file.js';
import { operationState, runMessage } from './operation-state.js';
import {
  digestOfSteps,
  driftOfEvents,
  eventsChangeNothing,
  sha256Of,
  stepsOfEvents,
  stepsOfPlan,
} from './plan-steps.js';
import type { ProcessExecutor } from './process.js';
import type { ProcessEnd, ProcessRequest } from './process.js';
import { programVariables } from './program-variables.js';
import { checkoutOfStack, containerHomeOf, homeOfStack, programOfStack } from './run-files.js';
import { readWritten, runFiles, runFolder } from './run-files.js';
import type { RunFiles } from './run-files.js';

/** Time for commands that only read, and for git. Milliseconds. */
const READ_MS = 300_000;

/** Parts that the work needs from its caller. */
export interface CommandPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Command line of Cairn, without words: node and its script. */
  readonly cairn: { readonly command: string; readonly words: readonly string[] };
}

/** Project of a stack, ready for a command. */
interface Project {
  readonly folder: string;
  readonly commit: string | undefined;
}

/** Program that was fetched before. */
export interface FetchedProgram {
  readonly folder: string;
  readonly commit: string;
  /** Newest commit, and the tree of the folder in `commit`. Undefined if they were not asked for. */
  readonly head?: SourceHead | undefined;
  readonly tree?: string | undefined;
}

/** Works on stacks by running the command line in processes of their own. */
export class CommandWork implements StackWork {
  readonly #config: AgentConfig;
  readonly #ports: CommandPorts;
  readonly #executor: ProcessExecutor;
  readonly #containers: Containers;
  readonly #fetched: FetchedProgram | undefined;

  /** `fetched` is the program of the stack. Without it, each part fetches it. */
  constructor(
    config: AgentConfig,
    ports: CommandPorts,
    executor: ProcessExecutor,
    containers: Containers,
    fetched?: FetchedProgram,
  ) {
    this.#config = config;
    this.#fetched = fetched;
    this.#ports = ports;
    this.#executor = executor;
    this.#containers = containers;
  }

  async head(stack: AgentStack): Promise<SourceHead | undefined> {
    return this.#repository(stack, 'source')?.head();
  }

  /** Fetches the program of a run from its repository, for a work that has no credentials. */
  async fetch(stack: AgentStack, run: RunRow, withHead: boolean): Promise<FetchedProgram> {
    await this.#files(run);
    const repository = this.#repository(stack, run.id) as GitRepository;
    const head = withHead || run.commit === undefined ? await repository.head() : undefined;
    const checkout = await repository.checkOut(run.commit ?? head?.commit ?? '', run.ref);
    return { ...checkout, head, tree: head && (await repository.tree(checkout.commit)) };
  }

  plan(stack: AgentStack, run: RunRow, answers = false): Promise<PlanResult> {
    return orFailed(async () => {
      const files = await this.#files(run);
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const isMade = stack.copies === undefined || stack.isMade === true;
      const missing = isMade ? undefined : await this.#makeStack(stack, run, project);
      if (missing !== undefined) return missing;
      const { commit } = project;
      // A refresh does the same from every state.
      if (run.kind === 'refresh')
        return {
          t: 'planned',
          steps: [],
          digest: sha256Of('refresh'),
          base: '',
          commit,
          changesNothing: false,
        };
      for (const file of [files.events, files.base]) await rm(file, { force: true });
      const asks = answers && run.kind === 'up' && stack.container === undefined;
      const planned = asks ? await this.#planAndAsk(stack, run, project) : undefined;
      if (planned !== undefined) return planned;
      const words =
        run.kind === 'destroy' ? ['destroy', '--preview-only'] : ['preview', '--save-plan', files.plan];
      const all = [...words, ...refreshOf(run), '--base', files.base, '--event-log', files.events];
      const end = await this.#cairn(stack, run, project, all, 'preview');
      if (end.code !== 0) return failureOf(end);
      const events = await readWritten(files.events);
      const changesNothing = eventsChangeNothing(events);
      if (run.kind !== 'destroy') return this.#savedPlan(files, commit, changesNothing);
      const steps = stepsOfEvents(events);
      const base = await readWritten(files.base);
      return { t: 'planned', steps, digest: digestOfSteps(steps), base, commit, changesNothing };
    });
  }

  async #savedPlan(
    files: RunFiles,
    commit: string | undefined,
    changesNothing: boolean,
  ): Promise<PlanResult> {
    const base = await readWritten(files.base);
    const plan = await readWritten(files.plan);
    return { t: 'planned', steps: stepsOfPlan(plan), digest: sha256Of(plan), base, commit, changesNothing };
  }

  /**
   * Plans an update in a process that can follow the plan. Returns undefined if the plan has to be made in another way:
   * the stack is locked, or the process was killed.
   */
  async #planAndAsk(stack: AgentStack, run: RunRow, project: Project): Promise<PlanResult | undefined> {
    const files = await this.#files(run);
    const words = ['up', '--ask', files.plan, '--base', files.base, '--message', runMessage(run)];
    const all = [...words, ...refreshOf(run)];
    const found = await untilAsked((onQuestion) =>
      this.#cairn(stack, run, project, all, 'operation', { onQuestion }),
    );
    // It asks if the plan changes anything.
    const saved = (): Promise<PlanResult> => this.#savedPlan(files, project.commit, found.t === 'ended');
    if (found.t === 'asks')
      return withAnswer(found, saved, {
        moved: (applied) => orFailed(() => this.#moved(stack, applied)),
        ended: (applied, result) => this.#afterwards(stack, applied, project, result),
      });
    const { end } = found;
    if (end.code === EXITS.conflict || end.words.startsWith('signal')) return undefined;
    return end.code === 0 ? saved() : failureOf(end);
  }

  apply(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const moved = await this.#moved(stack, run);
      if (moved !== undefined) return moved;
      const words = ['--yes', '--skip-preview', '--message', runMessage(run), '--wait-for-lock', '60s'];
      const files = await this.#files(run);
      const plan = run.kind === 'up' ? ['--plan', files.plan] : [];
      const base = run.kind === 'refresh' ? [] : ['--base', run.base ?? 'sha256:'];
      const all = [run.kind, ...words, ...plan, ...base, ...refreshOf(run)];
      const end = await this.#cairn(stack, run, project, all, 'operation');
      return this.#afterwards(stack, run, project, operationResult(end));
    });
  }

  async look(stack: AgentStack, run: RunRow): Promise<OperationState> {
    const project = await this.#project(stack, run).catch(() => undefined);
    if (project === undefined || 't' in project) return 'unknown';
    const end = await this.#cairn(stack, run, project, ['changes', '--json'], 'look', { isRead: true });
    if (end.code === EXITS.stackNotFound && run.kind === 'destroy') return 'succeeded';
    return end.code === 0 ? operationState(end.stdout, run) : 'unknown';
  }

  recover(stack: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const all = [how, '--yes', '--wait-for-lock', '60s'];
      const result = operationResult(await this.#cairn(stack, run, project, all, 'operation'));
      return this.#afterwards(stack, run, project, result, how);
    });
  }

  drift(stack: AgentStack, run: RunRow): Promise<DriftResult> {
    return orFailed(async () => {
      const files = await this.#files(run);
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      await rm(files.events, { force: true });
      const words = ['refresh', '--preview-only', '--event-log', files.events];
      const end = await this.#cairn(stack, run, project, words, 'drift');
      if (end.code !== 0) return failureOf(end);
      return { t: 'looked', resources: driftOfEvents(await readWritten(files.events)) };
    });
  }

  remove(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const end = await this.#cairn(stack, run, project, ['stack', 'rm', '--yes'], 'remove');
      return end.code === EXITS.stackNotFound ? { t: 'done' } : operationResult(end);
    });
  }

  async forget(run: string): Promise<void> {
    await rm(runFolder(this.#config.folder, run), { recursive: true, force: true });
  }

  /** Makes the stack if there is none. Returns why it cannot. */
  async #makeStack(stack: AgentStack, run: RunRow, project: Project): Promise<WorkFailure | undefined> {
    const end = await this.#cairn(stack, run, project, ['stack', 'init', '--no-select'], 'init');
    return end.code === 0 || end.tail.includes('CAIRN-STACK-EXISTS') ? undefined : failureOf(end);
  }

  /** Returns what is no longer as it was planned: the plan or the commit. The operation itself looks at the state. */
  async #moved(stack: AgentStack, run: RunRow): Promise<WorkResult | undefined> {
    if (run.kind === 'up') {
      const files = await this.#files(run);
      const plan = await readWritten(files.plan).catch(() => '');
      if (sha256Of(plan) !== run.digest)
        return { t: 'moved', why: 'the plan is no longer the one that was made' };
    }
    if (run.commit === undefined || run.pinned === true) return undefined;
    const { head, tree: own } = this.#fetched ?? (await this.#newest(stack, run, run.commit));
    if (head === undefined || head.commit === run.commit || head.tree === own) return undefined;
    return {
      t: 'moved',
      why: `the commit has moved from ${run.commit.slice(0, 8)} to ${head.commit.slice(0, 8)}`,
    };
  }

  async #newest(
    stack: AgentStack,
    run: RunRow,
    commit: string,
  ): Promise<Pick<FetchedProgram, 'head' | 'tree'>> {
    const repository = this.#repository(stack, run.id);
    const head = await repository?.head();
    return { head, tree: head && (await repository?.tree(commit)) };
  }

  /** Makes the program of the stack ready, at the commit of the run. */
  async #project(stack: AgentStack, run: RunRow): Promise<Project | WorkFailure> {
    const project = await this.#program(stack, run);
    if (stack.copies !== undefined) await copyStackFile(project.folder, stack.copies, stack.stack);
    return (await this.#commands(stack, run, project, 'before')) ?? project;
  }

  /**
   * Runs the commands that follow the operation of a run, if it has ended. Nothing of them changes its result, which
   * they find in a variable.
   */
  async #afterwards(
    stack: AgentStack,
    run: RunRow,
    project: Project,
    result: WorkResult,
    how?: 'resume' | 'rollback',
  ): Promise<WorkResult> {
    if (result.t !== 'done' && result.t !== 'failed') return result;
    const done = how === 'rollback' ? 'rolled-back' : 'succeeded';
    const env = { CAIRN_RUN_OPERATION: run.kind, CAIRN_RUN_RESULT: result.t === 'done' ? done : 'failed' };
    await orFailed(() => this.#commands(stack, run, project, 'afterwards', env));
    return result;
  }

  /** Runs commands of the stack in its project, until one fails. Returns why it has failed. */
  async #commands(
    stack: AgentStack,
    run: RunRow,
    project: Project,
    which: 'before' | 'afterwards',
    env?: Readonly<Record<string, string>>,
  ): Promise<WorkFailure | undefined> {
    for (const [at, words] of stack[which].entries()) {
      const [command = '', ...args] = words;
      const part = `${which}-${at + 1}`;
      const end = await this.#process(stack, run, { command, args, cwd: project.folder, part, env });
      if (end.code !== 0) return failureOf(end, `\`${words.join(' ')}\`: `);
    }
    return undefined;
  }

  async #program(stack: AgentStack, run: RunRow): Promise<Project> {
    if (stack.source.t === 'directory') return { folder: stack.source.path, commit: undefined };
    if (this.#fetched !== undefined) return this.#fetched;
    const repository = this.#repository(stack, run.id) as GitRepository;
    const commit = run.commit ?? (await repository.head()).commit;
    const checkout = await repository.checkOut(commit, run.ref);
    return stack.container === undefined ? checkout : this.#copyForContainers(stack, checkout);
  }

  /**
   * Copies a checkout for containers, without files of git: git of this machine would run what a program writes into
   * them.
   */
  async #copyForContainers(stack: AgentStack, { folder, commit }: Project): Promise<Project> {
    const left = await this.#containers.removeLeft(stack.name);
    if (left !== undefined) throw new Error(left);
    const root = await realpath(checkoutOfStack(this.#config.folder, stack.name));
    const copy = programOfStack(this.#config.folder, stack.name);
    await rm(copy, { recursive: true, force: true });
    await cp(root, copy, {
      ...{ recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE },
      filter: (file) => path.basename(file) !== '.git',
    });
    return { folder: path.join(copy, path.relative(root, folder)), commit };
  }

  #repository(stack: AgentStack, run: string): GitRepository | undefined {
    const { source } = stack;
    if (source.t !== 'git') return undefined;
    const folder = checkoutOfStack(
      this.#config.folder,
      run === 'source' ? `${stack.name}.heads` : stack.name,
    );
    return new GitRepository(source, folder, (cwd, args) =>
      this.#executor.run({
        command: 'git',
        args,
        cwd: cwd === '.' ? this.#config.folder : cwd,
        env: {
          ...this.#environment(stack, run),
          ...this.#gitVariables(source),
          ...{ GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' },
        },
        limits: {
          timeMs: READ_MS,
          outputBytes: stack.limits.outputBytes,
          diskBytes: (source.most ?? SOURCE_LIMITS).bytes,
        },
        folders: [folder],
        log: run === 'source' ? `${folder}.log` : runFiles(this.#config.folder, run).log('git'),
        isRead: true,
      }),
    );
  }

  #gitVariables({ url, credentials }: GitSource): Readonly<Record<string, string>> {
    if (credentials === undefined) return {};
    const value = this.#ports.env[credentials] ?? '';
    if (value !== '') return gitCredentials(url, value);
    return fail('CAIRN-AGENT-SOURCE', `cannot read ${url}`, {
      ...{
        causes: [`the variable ${credentials} is not set`],
        hint: 'Set it in the environment of the agent.',
      },
    });
  }

  #cairn(
    stack: AgentStack,
    run: RunRow,
    project: Project,
    words: readonly string[],
    part: string,
    more: Pick<ProcessRequest, 'isRead' | 'onQuestion'> = {},
  ): Promise<ProcessEnd> {
    // A container has the command of its image.
    const { command, words: start } =
      stack.container === undefined ? this.#ports.cairn : { command: 'cairn', words: [] };
    const args = [...start, ...words, '--stack', stack.stack, '--non-interactive'];
    return this.#process(stack, run, { command, args, cwd: project.folder, part, ...more });
  }

  async #process(
    stack: AgentStack,
    run: RunRow,
    {
      part,
      env: more,
      ...request
    }: Pick<ProcessRequest, 'command' | 'args' | 'cwd' | 'isRead' | 'onQuestion'> & {
      readonly part: string;
      /** Variables beside those of all commands of the run. */
      readonly env?: Readonly<Record<string, string>> | undefined;
    },
  ): Promise<ProcessEnd> {
    const files = await this.#files(run);
    const { container, limits } = stack;
    const env = { ...this.#environment(stack, run.id), ...more };
    const common = { ...request, env, limits, log: files.log(part) };
    if (container === undefined) return this.#executor.run({ ...common, folders: [files.temporary] });
    const { folder, name: agent } = this.#config;
    const home = containerHomeOf(folder, stack.name);
    if (container.keepsHome) await mkdir(home, { recursive: true, mode: 0o700 });
    return this.#containers.run(
      {
        ...common,
        container,
        labels: { agent, stack: stack.name, run: run.id },
        folders: [programFolder(folder, stack), files.exchange],
        home,
      },
      this.#executor,
    );
  }

  /** Returns the whole environment of a stack's processes. Nothing else of the agent's reaches them. */
  #environment(stack: AgentStack, run: string): Readonly<Record<string, string | undefined>> {
    const { env } = this.#ports;
    return {
      PATH: env['PATH'],
      ...programVariables(env, stack),
      HOME: homeOfStack(this.#config.folder, stack.name),
      TMPDIR: run === 'source' ? undefined : runFiles(this.#config.folder, run).temporary,
      CAIRN_EXIT_CODES: 'fine',
      // Drifts and steps are read from event logs, where unchanged resources say nothing.
      CAIRN_EVENT_LOG: 'changes',
      NO_COLOR: '1',
    };
  }

  async #files(run: RunRow): Promise<RunFiles> {
    const files = runFiles(this.#config.folder, run.id);
    for (const folder of [files.temporary, files.exchange])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(homeOfStack(this.#config.folder, run.stack), { recursive: true, mode: 0o700 });
    return files;
  }
}

/** Returns the flag by which a run reads the real resources as its plan did. Without it, drift would be left. */
function refreshOf({ kind, refresh }: RunRow): readonly string[] {
  return refresh === true && kind !== 'refresh' ? ['--refresh'] : [];
}

/** Returns the folder of a stack's program that containers see, with the files around it in its repository. */
function programFolder(folder: string, { source, name }: AgentStack): string {
  return source.t === 'directory' ? source.path : programOfStack(folder, name);
}
