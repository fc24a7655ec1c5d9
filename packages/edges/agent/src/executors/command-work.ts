import { rm } from 'node:fs/promises';
import type { RunRow } from '@cairn/changes-daemon';
import type { AgentConfig, AgentStack } from '../config/agent-config.js';
import type {
  DriftResult,
  OperationState,
  PlanResult,
  SourceHead,
  StackWork,
  WorkResult,
} from '../stack-work.js';
import { untilAsked, withAnswer } from './asking-command.js';
import { EXITS, failureOf, isLocked, operationResult, orFailed } from './command-results.js';
import type { WorkFailure } from './command-results.js';
import { CommandRunner } from './command-runner.js';
import type { CommandPorts, StackProject } from './command-runner.js';
import type { Containers } from './containers.js';
import { operationState, runMessage } from './operation-state.js';
import {
  digestOfSteps,
  driftOfLog,
  eventsChangeNothing,
  sha256Of,
  stepsOfEvents,
  stepsOfPlan,
} from './plan-steps.js';
import type { ProcessExecutor } from './process.js';
import { readWritten, runFolder } from './run-files.js';
import type { RunFiles } from './run-files.js';
import { StackPrograms } from './stack-programs.js';
import type { FetchedProgram } from './stack-programs.js';

/** Works on stacks by running the command line in processes of their own. */
export class CommandWork implements StackWork {
  readonly #runner: CommandRunner;
  readonly #programs: StackPrograms;

  /** `fetched` is the program of the stack. Without it, each part fetches it. */
  constructor(
    config: AgentConfig,
    ports: CommandPorts,
    executor: ProcessExecutor,
    containers: Containers,
    fetched?: FetchedProgram,
  ) {
    this.#runner = new CommandRunner(config, ports, executor, containers);
    this.#programs = new StackPrograms(this.#runner, fetched);
  }

  head(stack: AgentStack): Promise<SourceHead | undefined> {
    return this.#programs.head(stack);
  }

  /** Fetches the program of a run from its repository, for a work that has no credentials. */
  fetch(stack: AgentStack, run: RunRow, withHead: boolean): Promise<FetchedProgram> {
    return this.#programs.fetch(stack, run, withHead);
  }

  plan(stack: AgentStack, run: RunRow, answers = false): Promise<PlanResult> {
    return orFailed(async () => {
      const files = await this.#runner.files(run);
      const project = await this.#programs.project(stack, run);
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
      const packs = run.kind === 'destroy' ? [] : packsOf(stack);
      const all = [...words, ...packs, ...refreshOf(run), '--base', files.base, '--event-log', files.events];
      const end = await this.#runner.cairn(stack, run, project, all, 'preview');
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
  async #planAndAsk(stack: AgentStack, run: RunRow, project: StackProject): Promise<PlanResult | undefined> {
    const files = await this.#runner.files(run);
    const words = ['up', '--ask', files.plan, '--base', files.base, '--message', runMessage(run)];
    const all = [...words, ...packsOf(stack), ...refreshOf(run)];
    const found = await untilAsked((onQuestion) =>
      this.#runner.cairn(stack, run, project, all, 'operation', { onQuestion }),
    );
    // It asks if the plan changes anything.
    const saved = (): Promise<PlanResult> => this.#savedPlan(files, project.commit, found.t === 'ended');
    if (found.t === 'asks')
      return withAnswer(found, saved, {
        moved: (applied) => orFailed(() => this.#moved(stack, applied)),
        ended: (applied, result) => this.#afterwards(stack, applied, project, result),
      });
    const { end } = found;
    if (isLocked(end) || end.words.startsWith('signal')) return undefined;
    return end.code === 0 ? saved() : failureOf(end);
  }

  apply(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#programs.project(stack, run);
      if ('t' in project) return project;
      const moved = await this.#moved(stack, run);
      if (moved !== undefined) return moved;
      const words = ['--yes', '--skip-preview', '--message', runMessage(run), '--wait-for-lock', '60s'];
      const files = await this.#runner.files(run);
      const plan = run.kind === 'up' ? ['--plan', files.plan, ...packsOf(stack)] : [];
      const base = run.kind === 'refresh' ? [] : ['--base', run.base ?? 'sha256:'];
      const all = [run.kind, ...words, ...plan, ...base, ...refreshOf(run)];
      const end = await this.#runner.cairn(stack, run, project, all, 'operation');
      return this.#afterwards(stack, run, project, operationResult(end));
    });
  }

  async look(stack: AgentStack, run: RunRow): Promise<OperationState> {
    const project = await this.#programs.project(stack, run).catch(() => undefined);
    if (project === undefined || 't' in project) return 'unknown';
    const end = await this.#runner.cairn(stack, run, project, ['changes', '--json'], 'look', {
      isRead: true,
    });
    if (end.code === EXITS.stackNotFound && run.kind === 'destroy') return 'succeeded';
    return end.code === 0 ? operationState(end.stdout, run) : 'unknown';
  }

  recover(stack: AgentStack, run: RunRow, how: 'resume' | 'rollback'): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#programs.project(stack, run);
      if ('t' in project) return project;
      const all = [how, '--yes', '--wait-for-lock', '60s'];
      const result = operationResult(await this.#runner.cairn(stack, run, project, all, 'operation'));
      return this.#afterwards(stack, run, project, result, how);
    });
  }

  drift(stack: AgentStack, run: RunRow): Promise<DriftResult> {
    return orFailed(async () => {
      const files = await this.#runner.files(run);
      const project = await this.#programs.project(stack, run);
      if ('t' in project) return project;
      await rm(files.events, { force: true });
      const words = ['refresh', '--preview-only', '--event-log', files.events];
      const end = await this.#runner.cairn(stack, run, project, words, 'drift');
      if (end.code !== 0) return failureOf(end);
      return { t: 'looked', resources: driftOfLog(await readWritten(files.events)) };
    });
  }

  remove(stack: AgentStack, run: RunRow): Promise<WorkResult> {
    return orFailed(async () => {
      const project = await this.#programs.project(stack, run);
      if ('t' in project) return project;
      const end = await this.#runner.cairn(stack, run, project, ['stack', 'rm', '--yes'], 'remove');
      return end.code === EXITS.stackNotFound ? { t: 'done' } : operationResult(end);
    });
  }

  async forget(run: string): Promise<void> {
    await rm(runFolder(this.#runner.folder, run), { recursive: true, force: true });
  }

  /** Makes the stack if there is none. Returns why it cannot. */
  async #makeStack(stack: AgentStack, run: RunRow, project: StackProject): Promise<WorkFailure | undefined> {
    const end = await this.#runner.cairn(stack, run, project, ['stack', 'init', '--no-select'], 'init');
    return end.code === 0 || end.tail.includes('CAIRN-STACK-EXISTS') ? undefined : failureOf(end);
  }

  /** Returns what is no longer as it was planned: the plan or the commit. The operation itself looks at the state. */
  async #moved(stack: AgentStack, run: RunRow): Promise<WorkResult | undefined> {
    if (run.kind === 'up') {
      const files = await this.#runner.files(run);
      const plan = await readWritten(files.plan).catch(() => '');
      if (sha256Of(plan) !== run.digest)
        return { t: 'moved', why: 'the plan is no longer the one that was made' };
    }
    if (run.commit === undefined || run.pinned === true) return undefined;
    const { head, tree: own } = await this.#programs.newest(stack, run, run.commit);
    if (head === undefined || head.commit === run.commit || head.tree === own) return undefined;
    return {
      t: 'moved',
      why: `the ${stack.source.t === 'archive' ? 'archive' : 'commit'} has moved from ${run.commit.slice(0, 8)} to ${head.commit.slice(0, 8)}`,
    };
  }

  /**
   * Runs the commands that follow the operation of a run, if it has ended. Nothing of them changes what it is, which
   * they find in a variable; the first that fails is noted in it.
   */
  async #afterwards(
    stack: AgentStack,
    run: RunRow,
    project: StackProject,
    result: WorkResult,
    how?: 'resume' | 'rollback',
  ): Promise<WorkResult> {
    if (result.t !== 'done' && (result.t !== 'failed' || result.isUnreached === true)) return result;
    const done = how === 'rollback' ? 'rolled-back' : 'succeeded';
    const env = { CAIRN_RUN_OPERATION: run.kind, CAIRN_RUN_RESULT: result.t === 'done' ? done : 'failed' };
    const failure = await orFailed(() => this.#runner.commands(stack, run, project, 'afterwards', env));
    return failure?.t === 'failed' ? { ...result, afterwards: failure.why } : result;
  }
}

/** Returns the flags with the policy packs of a stack. */
function packsOf({ packs = [] }: AgentStack): readonly string[] {
  return packs.flatMap((pack) => ['--policy-pack', pack]);
}

/** Returns the flag by which a run reads the real resources as its plan did. Without it, drift would be left. */
function refreshOf({ kind, refresh }: RunRow): readonly string[] {
  return refresh === true && kind !== 'refresh' ? ['--refresh'] : [];
}
