import { mkdir } from 'node:fs/promises';
import type { RunRow } from '@cairn/changes-daemon';
import type { AgentConfig, AgentStack } from '../config/agent-config.js';
import { failureOf } from './command-results.js';
import type { WorkFailure } from './command-results.js';
import type { Containers } from './containers.js';
import type { ProcessExecutor } from './process.js';
import type { ProcessEnd, ProcessRequest } from './process.js';
import { programVariables } from './program-variables.js';
import { containerHomeOf, homeOfStack, programOfStack, runFiles } from './run-files.js';
import type { RunFiles } from './run-files.js';

/** Parts that the work needs from its caller. */
export interface CommandPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Command line of Cairn, without words: node and its script. */
  readonly cairn: { readonly command: string; readonly words: readonly string[] };
}

/** Project of a stack, ready for a command. */
export interface StackProject {
  readonly folder: string;
  readonly commit: string | undefined;
}

/** Runs commands of stacks, in processes or containers of their own. */
export class CommandRunner {
  readonly #config: AgentConfig;
  readonly #ports: CommandPorts;
  readonly executor: ProcessExecutor;
  readonly containers: Containers;

  constructor(config: AgentConfig, ports: CommandPorts, executor: ProcessExecutor, containers: Containers) {
    this.#config = config;
    this.#ports = ports;
    this.executor = executor;
    this.containers = containers;
  }

  /** Folder of the agent. */
  get folder(): string {
    return this.#config.folder;
  }

  /** Value of a variable of the agent. */
  variable(name: string): string {
    return this.#ports.env[name] ?? '';
  }

  /** Runs commands of the stack in its project, until one fails. Returns why it has failed. */
  async commands(
    stack: AgentStack,
    run: RunRow,
    project: StackProject,
    which: 'before' | 'afterwards',
    env?: Readonly<Record<string, string>>,
  ): Promise<WorkFailure | undefined> {
    for (const [at, words] of stack[which].entries()) {
      const [command = '', ...args] = words;
      const part = `${which}-${at + 1}`;
      const end = await this.process(stack, run, { command, args, cwd: project.folder, part, env });
      if (end.code !== 0) return failureOf(end, `\`${words.join(' ')}\`: `);
    }
    return undefined;
  }

  /** Runs `cairn` for a stack. */
  cairn(
    stack: AgentStack,
    run: RunRow,
    project: StackProject,
    words: readonly string[],
    part: string,
    more: Pick<ProcessRequest, 'isRead' | 'onQuestion'> = {},
  ): Promise<ProcessEnd> {
    // A container has the command of its image.
    const { command, words: start } =
      stack.container === undefined ? this.#ports.cairn : { command: 'cairn', words: [] };
    const args = [...start, ...words, '--stack', stack.stack, '--non-interactive'];
    return this.process(stack, run, { command, args, cwd: project.folder, part, ...more });
  }

  async process(
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
    const files = await this.files(run);
    const { container, limits } = stack;
    const env = { ...this.environment(stack, run.id), ...more };
    const common = { ...request, env, limits, log: files.log(part) };
    if (container === undefined) return this.executor.run({ ...common, folders: [files.temporary] });
    const { folder, name: agent } = this.#config;
    const home = containerHomeOf(folder, stack.name);
    if (container.keepsHome) await mkdir(home, { recursive: true, mode: 0o700 });
    return this.containers.run(
      {
        ...common,
        container,
        labels: { agent, stack: stack.name, run: run.id },
        folders: [programFolder(folder, stack), files.exchange],
        home,
      },
      this.executor,
    );
  }

  /** Returns the whole environment of a stack's processes. Nothing else of the agent's reaches them. */
  environment(stack: AgentStack, run: string): Readonly<Record<string, string | undefined>> {
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

  /** Makes the folders of a run. */
  async files(run: RunRow): Promise<RunFiles> {
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
