import { startProcess } from '@cairn/processes';
import type { OutputStream, ProcessGroup } from '@cairn/processes';
import { PRELOAD_VARIABLE } from './loader/instructions.js';
import type { Instructions } from './loader/instructions.js';
import { loaderModule } from './loader-start.js';
import type { NodeCommand } from './program-command.js';

type Variables = Readonly<Record<string, string | undefined>>;
type Listener = (stream: OutputStream, text: string) => void;

/** Process of a program that has no instructions yet. */
export interface ProgramProcess {
  readonly node: string;
  /** Path of the loader module. Defaults to the one of this package. */
  readonly loader: string | undefined;
  readonly directory: string;
  readonly environment: Variables;
  readonly start: NodeCommand;
  readonly runner: string;
  /** URLs of modules that it loads while it waits. */
  readonly preload: readonly string[];
}

/** Process that starts before its instructions are known. It loads nothing of the program until then. */
export class WaitingProgram {
  #listener: Listener | undefined;
  readonly #said: Parameters<Listener>[] = [];
  readonly #process: ProgramProcess;
  readonly #started: Promise<ProcessGroup | undefined>;

  private constructor(
    process: ProgramProcess,
    started: Promise<ProcessGroup | undefined>,
    listening: (listen: Listener) => void,
  ) {
    this.#process = process;
    this.#started = started;
    listening((stream, text) => {
      if (this.#listener === undefined) this.#said.push([stream, text]);
      else this.#listener(stream, text);
    });
  }

  /** Starts the process. One that cannot start is never used. */
  static start(process: ProgramProcess): WaitingProgram {
    const { node, loader, directory, environment, start, runner, preload } = process;
    let hear: Listener = () => undefined;
    const wait = loaderModule('wait', loader).href;
    const started = startProcess({
      command: node,
      args: [...start.args, '--import', wait, runner],
      cwd: directory,
      env: { ...environment, ...start.env, [PRELOAD_VARIABLE]: JSON.stringify(preload) },
      isInstructed: true,
      onOutput: (stream, text) => hear(stream, text),
    }).catch(() => undefined);
    return new WaitingProgram(process, started, (listen) => (hear = listen));
  }

  /**
   * Lets it run the program, if it was started as `wanted` would be. Returns `undefined` otherwise, or if it has ended.
   * Its environment may differ: the instructions correct that.
   */
  async run(
    wanted: ProgramProcess,
    { args, env }: NodeCommand,
    listener: Listener,
  ): Promise<ProcessGroup | undefined> {
    const group = await this.#started;
    if (group === undefined || group.ended !== undefined || !isSame(this.#process, wanted)) return undefined;
    this.#listener = listener;
    for (const [stream, text] of this.#said.splice(0)) listener(stream, text);
    const variables = { ...differences(this.#process.environment, wanted.environment), ...env };
    group.instruct(JSON.stringify({ variables, args } satisfies Instructions));
    return group;
  }

  /** Ends a process that has no instructions. */
  async end(): Promise<void> {
    if (this.#listener !== undefined) return;
    const group = await this.#started;
    group?.kill();
    await group?.exit;
  }
}

function isSame(one: ProgramProcess, other: ProgramProcess): boolean {
  const told = ({ node, loader, directory, start, runner, environment }: ProgramProcess): string =>
    JSON.stringify([node, loader, directory, start, runner, environment['NODE_OPTIONS']]);
  return told(one) === told(other);
}

function differences(before: Variables, after: Variables): Record<string, string | null> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].filter((name) => before[name] !== after[name]).map((name) => [name, after[name] ?? null]),
  );
}
