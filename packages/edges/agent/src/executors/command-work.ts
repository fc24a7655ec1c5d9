import { constants } from 'node:fs';
import { copyFile, cp, mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import { errno } from '@cairn/files';
import { SOURCE_LIMITS } from '../config/agent-config.js';
import type { AgentConfig, AgentStack } from '../config/agent-config.js';
import type { RunRow } from '@cairn/changes-daemon';
import { GitRepository } from '../sources/git.js';
import type {
  DriftResult,
  OperationState,
  PlanResult,
  SourceHead,
  StackWork,
  Stopped,
  WorkResult,
} from '../stack-work.js';
import type { Containers } from './containers.js';
import { operationState, runMessage } from './operation-state.js';
import { sha256Of, digestOfSteps, driftOfEvents, stepsOfEvents, stepsOfPlan } from './plan-steps.js';
import type { ProcessExecutor } from './process.js';
import type { ProcessEnd } from './process.js';
import { checkoutOfStack, containerHomeOf, homeOfStack, programOfStack } from './run-files.js';
import { readWritten, runFiles, runFolder } from './run-files.js';
import type { RunFiles } from './run-files.js';

/** Exit codes of the command line that say more than success or failure (`CAIRN_EXIT_CODES=fine`). */
const EXITS = { cancelled: 8, waiting: 10, conflict: 12, stackNotFound: 6 } as const;
/** Time for commands that only read, and for git. Milliseconds. */
const READ_MS = 300_000;
/** Variables that every process receives from the agent. */
const USUAL = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'CAIRN_BACKEND_URL', 'PULUMI_BACKEND_URL'] as const;

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

/** Works on stacks by running the command line in processes of their own. */
export class CommandWork implements StackWork {
  readonly #config: AgentConfig;
  readonly #ports: CommandPorts;
  readonly #executor: ProcessExecutor;
  readonly #containers: Containers;

  constructor(config: AgentConfig, ports: CommandPorts, executor: ProcessExecutor, containers: Containers) {
    this.#config = config;
    this.#ports = ports;
    this.#executor = executor;
    this.#containers = containers;
  }

  async head(stack: AgentStack): Promise<SourceHead | undefined> {
    return this.#repository(stack, 'source')?.head();
  }

  plan(stack: AgentStack, run: RunRow): Promise<PlanResult> {
    return orFailed(async () => {
      const files = await this.#files(run);
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const missing = stack.copies === undefined ? undefined : await this.#makeStack(stack, run, project);
      if (missing !== undefined) return missing;
      const base = await this.#stateDigest(stack, run, project);
      if (typeof base !== 'string') return base;
      const { commit } = project;
      if (run.kind === 'refresh')
        return { t: 'planned', steps: [], digest: sha256Of('refresh'), base, commit };
      await rm(files.events, { force: true });
      const refresh = run.refresh === true ? ['--refresh'] : [];
      const words =
        run.kind === 'destroy'
          ? ['destroy', '--preview-only', '--event-log', files.events]
          : ['preview', '--save-plan', files.plan, ...refresh];
      const end = await this.#cairn(stack, run, project, words, 'preview');
      if (end.code !== 0) return failure(end);
      if (run.kind === 'destroy') {
        const steps = stepsOfEvents(await readWritten(files.events));
        return { t: 'planned', steps, digest: digestOfSteps(steps), base, commit };
      }
      const plan = await readWritten(files.plan);
      return { t: 'planned', steps: stepsOfPlan(plan), digest: sha256Of(plan), base, commit };
    });
  }

  apply(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const moved = await this.#moved(stack, run, project);
      if (moved !== undefined) return moved;
      const words = ['--yes', '--skip-preview', '--message', runMessage(run), '--wait-for-lock', '60s'];
      const files = await this.#files(run);
      const plan = run.kind === 'up' ? ['--plan', files.plan] : [];
      return resultOf(await this.#cairn(stack, run, project, [run.kind, ...words, ...plan], 'operation'));
    });
  }

  async look(stack: AgentStack, run: RunRow): Promise<OperationState> {
    const project = await this.#project(stack, run).catch(() => undefined);
    if (project === undefined || 't' in project) return 'unknown';
    const end = await this.#cairn(stack, run, project, ['changes', '--json'], 'look', true);
    if (end.code === EXITS.stackNotFound && run.kind === 'destroy') return 'succeeded';
    return end.code === 0 ? operationState(end.stdout, run) : 'unknown';
  }

  recover(stack: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      return resultOf(
        await this.#cairn(stack, run, project, [how, '--yes', '--wait-for-lock', '60s'], 'operation'),
      );
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
      if (end.code !== 0) return failure(end);
      return { t: 'looked', resources: driftOfEvents(await readWritten(files.events)) };
    });
  }

  remove(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#project(stack, run);
      if ('t' in project) return project;
      const end = await this.#cairn(stack, run, project, ['stack', 'rm', '--yes'], 'remove');
      return end.code === EXITS.stackNotFound ? { t: 'done' } : resultOf(end);
    });
  }

  async forget(run: string): Promise<void> {
    await rm(runFolder(this.#config.folder, run), { recursive: true, force: true });
  }

  /** Makes the stack if there is none. Returns why it cannot. */
  async #makeStack(stack: AgentStack, run: RunRow, project: Project): Promise<WorkFailure | undefined> {
    const end = await this.#cairn(stack, run, project, ['stack', 'init', '--no-select'], 'init');
    return end.code === 0 || end.tail.includes('CAIRN-STACK-EXISTS') ? undefined : failure(end);
  }

  /** Returns what is no longer as it was planned: the plan, the state or the commit. */
  async #moved(stack: AgentStack, run: RunRow, project: Project): Promise<WorkResult | undefined> {
    const base = await this.#stateDigest(stack, run, project);
    if (typeof base !== 'string') return base;
    if (base !== run.base)
      return { t: 'moved', why: 'the state of the stack has moved since the plan was made' };
    if (run.kind === 'up') {
      const files = await this.#files(run);
      const plan = await readWritten(files.plan).catch(() => '');
      if (sha256Of(plan) !== run.digest)
        return { t: 'moved', why: 'the plan is no longer the one that was made' };
    }
    if (run.commit === undefined || run.pinned === true) return undefined;
    const head = await this.#repository(stack, run.id)?.head();
    const own = head === undefined ? undefined : await this.#repository(stack, run.id)?.tree(run.commit);
    if (head === undefined || head.commit === run.commit || head.tree === own) return undefined;
    return {
      t: 'moved',
      why: `the commit has moved from ${run.commit.slice(0, 8)} to ${head.commit.slice(0, 8)}`,
    };
  }

  /** Makes the program of the stack ready, at the commit of the run. */
  async #project(stack: AgentStack, run: RunRow): Promise<Project | WorkFailure> {
    const project = await this.#program(stack, run);
    if (stack.copies !== undefined) await copyStackFile(project.folder, stack.copies, stack.stack);
    for (const [at, words] of stack.before.entries()) {
      const [command = '', ...args] = words;
      const end = await this.#process(stack, run, {
        command,
        args,
        cwd: project.folder,
        part: `before-${at + 1}`,
      });
      if (end.code !== 0) return failure(end, `\`${words.join(' ')}\`: `);
    }
    return project;
  }

  async #program(stack: AgentStack, run: RunRow): Promise<Project> {
    if (stack.source.t === 'directory') return { folder: stack.source.path, commit: undefined };
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
        env: { ...this.#environment(stack, run), GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' },
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

  /** Returns a digest of the stored state of the stack. */
  async #stateDigest(stack: AgentStack, run: RunRow, project: Project): Promise<string | WorkFailure> {
    const end = await this.#cairn(stack, run, project, ['stack', 'export'], 'state', true);
    return end.code === 0 ? sha256Of(end.stdout) : failure(end);
  }

  #cairn(
    stack: AgentStack,
    run: RunRow,
    project: Project,
    words: readonly string[],
    part: string,
    isRead = false,
  ): Promise<ProcessEnd> {
    // A container has the command of its image.
    const { command, words: start } =
      stack.container === undefined ? this.#ports.cairn : { command: 'cairn', words: [] };
    const args = [...start, ...words, '--stack', stack.stack, '--non-interactive'];
    return this.#process(stack, run, { command, args, cwd: project.folder, part, isRead });
  }

  async #process(
    stack: AgentStack,
    run: RunRow,
    {
      part,
      ...request
    }: { command: string; args: readonly string[]; cwd: string; part: string; isRead?: boolean },
  ): Promise<ProcessEnd> {
    const files = await this.#files(run);
    const { container, limits } = stack;
    const common = { ...request, env: this.#environment(stack, run.id), limits, log: files.log(part) };
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
    const named = [...USUAL, ...stack.environment].map((name) => [name, env[name]] as const);
    return {
      ...Object.fromEntries(named.filter(([, value]) => value !== undefined)),
      ...(stack.backend !== undefined && { CAIRN_BACKEND_URL: stack.backend }),
      HOME: homeOfStack(this.#config.folder, stack.name),
      TMPDIR: run === 'source' ? undefined : runFiles(this.#config.folder, run).temporary,
      CAIRN_EXIT_CODES: 'fine',
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

/** Returns the folder of a stack's program that containers see, with the files around it in its repository. */
function programFolder(folder: string, { source, name }: AgentStack): string {
  return source.t === 'directory' ? source.path : programOfStack(folder, name);
}

/** Gives a stack the configuration of another one, unless the program has some for it. */
async function copyStackFile(folder: string, from: string, to: string): Promise<void> {
  const name = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
  for (const prefix of ['Cairn', 'Pulumi']) {
    const [source, target] = [from, to].map((each) => path.join(folder, `${prefix}.${name(each)}.yaml`));
    if (source === undefined || target === undefined) continue;
    await copyFile(source, target, constants.COPYFILE_EXCL).catch((thrown: unknown) => {
      if (!['ENOENT', 'EEXIST'].includes(errno(thrown) ?? '')) throw thrown;
    });
  }
}

type WorkFailure = { readonly t: 'failed'; readonly why: string } | Stopped;

/** Returns errors of sources and files as failures of the run. */
async function orFailed<T>(work: () => Promise<T>): Promise<T | WorkFailure> {
  try {
    return await work();
  } catch (thrown) {
    const [first] = isCairnError(thrown) ? thrown.diagnostics : [];
    const why = [messageOf(thrown), ...(first?.causes ?? [])].join(': ');
    return { t: 'failed', why: first?.hint === undefined ? why : `${why}. ${first.hint}` };
  }
}

function failure(end: ProcessEnd, before = ''): WorkFailure {
  if (end.isStopped || end.code === EXITS.cancelled) return { t: 'stopped', why: end.words };
  return { t: 'failed', why: before + (end.isDead ? deathOf(end) : reasonOf(end)) };
}

/** Returns how a command died, and what a person can do. */
function deathOf({ words, why }: ProcessEnd): string {
  if (why !== undefined) return why;
  if (words.startsWith('ended at'))
    return `${words}. Look at the log of the run, and raise the limit in the file of the agent if it is too low.`;
  return `ended by ${words}. Look at the log of the run: it was killed, or it needs more memory than it has.`;
}

/** Returns the error of a command: the first line that names a code, or its last one. */
function reasonOf({ tail, words }: ProcessEnd): string {
  const lines = tail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => line.startsWith('error[')) ?? lines.at(-1) ?? words;
}

function resultOf(end: ProcessEnd): WorkResult {
  if (end.code === 0) return { t: 'done' };
  if (end.code === EXITS.waiting) return { t: 'asks', why: questionOf(end) };
  // A look at the changes of the stack says what happened to the run.
  if (end.isDead) return { t: 'stopped', why: deathOf(end), isDead: true };
  // The lock of the stack is held.
  if (end.code === EXITS.conflict) return { t: 'stopped', why: reasonOf(end) };
  return failure(end);
}

/** Returns the first line with the step that waits. */
function questionOf({ tail }: ProcessEnd): string {
  const lines = tail.split('\n').map((line) => line.trim());
  return lines.find((line) => / waits: /.test(line)) ?? 'its operation waits for an answer';
}
