import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { constants as system } from 'node:os';
import path from 'node:path';
import { messageOf } from '@cairn/diagnostics';
import { startProcess } from '@cairn/processes';
import {
  clientVariables,
  containerVariables,
  containerWords,
  removalCalls,
  variablesProblem,
} from './container-command.js';
import type { ContainerCommand } from './container-command.js';
import type { ProcessEnd, ProcessExecutor, ProcessRequest } from './process.js';

/** Time for the removal of a container. Milliseconds. */
const REMOVE_MS = 30_000;
/** Exit code of container commands that could not run the container, or lost it. */
const NOT_RUN = 125;
/** Exit codes above this one are signals. */
const SIGNALS = 128;

/** Command of a run in a container. */
type ContainerRequest = Omit<ContainerCommand, 'name'> & Pick<ProcessRequest, 'log' | 'isRead'>;

/** Record of a container: which command removes it, and whose it is. */
interface ContainerRecord {
  readonly command: string;
  readonly stack: string;
}

/**
 * Containers of an agent. Each has a record in a folder before it starts, so that the next agent removes those of an
 * agent that died [AGT-17].
 */
export class Containers {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #live = new Map<string, Promise<unknown>>();

  /** `folder` belongs to one agent at a time. `env` is the environment of the agent. */
  constructor(folder: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder;
    this.#env = clientVariables(env);
  }

  /** Runs a command in a container to its end, by an executor of processes. Never throws for what the command does. */
  run(request: ContainerRequest, executor: ProcessExecutor): Promise<ProcessEnd> {
    const name = `cairn-${randomUUID()}`;
    const ended = this.#run({ ...request, name }, request, executor).finally(() => this.#live.delete(name));
    this.#live.set(name, ended);
    return ended;
  }

  /** Removes containers of agents that died, of one stack or of all. Returns why one is still there. */
  async removeLeft(stack?: string): Promise<string | undefined> {
    const files = await readdir(this.#folder).catch(() => []);
    const names = files.filter((file) => file.endsWith('.json')).map((file) => path.basename(file, '.json'));
    const reasons = await Promise.all(
      names.filter((name) => !this.#live.has(name)).map((name) => this.#removeRecorded(name, stack)),
    );
    return reasons.find((reason) => reason !== undefined);
  }

  /** Waits until the containers of ended commands are removed. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#live.values());
  }

  async #run(
    command: ContainerCommand,
    { log, isRead = false }: ContainerRequest,
    executor: ProcessExecutor,
  ): Promise<ProcessEnd> {
    const { name, container, env, labels, limits } = command;
    const why = variablesProblem(env) ?? (await this.removeLeft(labels.stack));
    if (why !== undefined) return { ...NOT_BEGUN, words: why, why };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const record: ContainerRecord = { command: container.command, stack: labels.stack };
    await writeFile(this.#recordOf(name), JSON.stringify(record), { mode: 0o600 });
    await writeFile(this.#variablesOf(name), containerVariables(command), { mode: 0o600, flag: 'wx' });
    const end = await executor.run({
      command: container.command,
      args: containerWords(command, path.basename(this.#variablesOf(name)), ownUser()),
      cwd: this.#folder,
      env: this.#env,
      masked: env,
      limits: { timeMs: limits.timeMs, outputBytes: limits.outputBytes },
      log,
      isRead,
    });
    const isGone = end.hasBegun === false || (end.code !== undefined && end.code < NOT_RUN);
    const reason = isGone ? undefined : await this.#remove(name, container.command);
    if (reason === undefined) await this.#forget(name);
    return endOf(end, container.command, executor.isStopping);
  }

  async #removeRecorded(name: string, stack: string | undefined): Promise<string | undefined> {
    const record = await this.#read(name);
    if (record === undefined) return this.#forget(name);
    if (stack !== undefined && record.stack !== stack) return undefined;
    const reason = await this.#remove(name, record.command);
    if (reason === undefined) return this.#forget(name);
    const what = `cannot remove the container ${name} of an agent that died: ${reason}`;
    return `${what}. Remove it by hand, and then the file ${this.#recordOf(name)}.`;
  }

  /** Returns a record. A record that is not whole is that of a container that was not started. */
  async #read(name: string): Promise<ContainerRecord | undefined> {
    try {
      return JSON.parse(await readFile(this.#recordOf(name), 'utf8')) as ContainerRecord;
    } catch {
      return undefined;
    }
  }

  /** Kills and removes a container. Returns why it may still be there. */
  async #remove(name: string, command: string): Promise<string | undefined> {
    let reason: string | undefined;
    // The last call says if it is there.
    for (const args of removalCalls(command, name)) reason = await this.#call(command, args);
    return reason;
  }

  /** Makes a call about a container. Returns why it failed; a container that is not there is no reason. */
  async #call(command: string, args: readonly string[]): Promise<string | undefined> {
    let said = '';
    try {
      const group = await startProcess({
        ...{ command, args, cwd: this.#folder, env: this.#env },
        onOutput: (_, text) => (said = (said + text).slice(-1_000)),
      });
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        group.kill();
      }, REMOVE_MS);
      const status = await group.exit;
      clearTimeout(timer);
      if (isLate) return `\`${command} ${args[0]}\` took more than ${REMOVE_MS / 1000} s`;
      if (status.kind === 'code' && status.code === 0) return undefined;
      return /no such container|no container with name/i.test(said) ? undefined : said.trim();
    } catch (thrown) {
      return messageOf(thrown);
    }
  }

  async #forget(name: string): Promise<undefined> {
    await rm(this.#variablesOf(name), { force: true });
    await rm(this.#recordOf(name), { force: true });
    return undefined;
  }

  #recordOf(name: string): string {
    return path.join(this.#folder, `${name}.json`);
  }

  #variablesOf(name: string): string {
    return path.join(this.#folder, `${name}.env`);
  }
}

const NOT_BEGUN = {
  ...{ code: undefined, isStopped: false, isDead: true, hasBegun: false, stdout: '', tail: '' },
} as const;

function ownUser(): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** Returns the end of the command in the container, from that of the container command. */
function endOf(end: ProcessEnd, command: string, isStopping: boolean): ProcessEnd {
  const { code, tail } = end;
  if (end.hasBegun === false || code === undefined) return end;
  if (code === NOT_RUN) {
    const why = `${command} cannot run the container: ${reasonIn(tail)}`;
    return { ...end, code: undefined, isDead: true, words: why, why };
  }
  if (code <= SIGNALS) return end;
  const signal = Object.entries(system.signals).find(([, number]) => number === code - SIGNALS);
  const words = signal === undefined ? end.words : `signal ${signal[0]}`;
  return {
    ...end,
    code: undefined,
    words,
    isStopped: isStopping,
    isDead: !isStopping,
  };
}

/** Returns the error of a container command: what follows is advice. */
function reasonIn(tail: string): string {
  const lines = tail
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.findLast((line) => /^(docker|podman|error)\b/i.test(line)) ?? lines[0] ?? 'it gave no reason';
}
