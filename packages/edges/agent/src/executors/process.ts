import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import type { ProcessGroup } from '@cairn/processes';
import type { RunLimits } from '../config/agent-config.js';
import { DiskWatch } from './disk-watch.js';
import { limitMeansHere, limitVariables, limitedCommand } from './resource-limits.js';
import type { LimitMeans } from './resource-limits.js';
import { COMMAND_VARIABLE, killStrays } from './strays.js';
import { SecretFilter, secretValues } from './secret-filter.js';

/** Milliseconds that a process has to end its running steps before it is killed. */
const GRACE_MS = 60_000;
/** Characters of the end of the output that are kept for the reason of a failure. */
const TAIL = 4_000;

/** Command of a run. */
export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables whose secret values are removed from logs. Default to those of the environment. */
  readonly masked?: Readonly<Record<string, string | undefined>>;
  readonly limits: RunLimits;
  /** File to which the masked output is added. */
  readonly log: string;
  /** True if the result contains the whole standard output. Defaults to false. */
  readonly isRead?: boolean;
  /** Folders of the command, for its limit of disk. Defaults to none. */
  readonly folders?: readonly string[];
  /**
   * Called with the line in which the command asks at descriptor 3, and the function that answers. Defaults to no
   * descriptor.
   */
  readonly onQuestion?: ((line: string, answer: (text: string) => void) => void) | undefined;
}

/** End of a command. */
export interface ProcessEnd {
  /** Exit code; `undefined` if a signal ended it. */
  readonly code: number | undefined;
  /** Words for the end: `exit code 1`, `its time limit of 60 s`. */
  readonly words: string;
  /** True if it ended, or did not begin, because the agent stops. */
  readonly isStopped: boolean;
  /** True if it ended at a limit or by a signal, and not because the agent stops. */
  readonly isDead: boolean;
  /** False if the command did not begin. Defaults to true. */
  readonly hasBegun?: boolean;
  /** Reason of its death and next action, in words for people. Defaults to words for a kill. */
  readonly why?: string;
  /** Standard output, if it is read. */
  readonly stdout: string;
  /** Masked end of the output. */
  readonly tail: string;
}

/** Something that runs, and ends with the executor. */
export interface Stoppable {
  /** Ends the running steps, and waits. */
  readonly stop: (graceMs: number) => Promise<unknown>;
  /** Ends it at once. */
  readonly kill: () => void;
}

/**
 * Runs commands in processes of their own: each is the leader of a group that is ended as a whole, at a limit, when the
 * executor stops, or when the agent dies [AGT-8].
 */
export class ProcessExecutor {
  readonly #running = new Set<Stoppable>();
  readonly #means: LimitMeans;
  #isStopping = false;

  /** `means` defaults to those of this machine. */
  constructor(means: LimitMeans = limitMeansHere(process.env)) {
    this.#means = means;
  }

  /** Way in which this machine limits memory and processors. */
  get means(): LimitMeans {
    return this.#means;
  }

  /** True if it starts no more commands. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Runs a command to its end. Never throws for what the command does. */
  async run(request: ProcessRequest): Promise<ProcessEnd> {
    if (this.#isStopping) return stoppedEnd('the agent stops');
    const output = await OutputLog.open(request);
    const { limits, folders = [], onQuestion } = request;
    const id = randomUUID();
    let cut: string | undefined;
    let isRefused = false;
    let group: ProcessGroup | undefined;
    const answer = (text: string): void => {
      isRefused = text !== 'yes';
      group?.instruct(text);
    };
    const end = (reason: string): void => {
      cut ??= reason;
      group?.kill();
    };
    try {
      group = await startProcess({
        ...limitedCommand(this.#means, limits, request),
        cwd: request.cwd,
        env: { ...this.#ownVariables(limits), ...request.env, [COMMAND_VARIABLE]: id },
        onOutput: (stream, text) => {
          // What it prints about its refusal is no part of its work.
          if (cut === undefined && !isRefused && !output.add(stream, text))
            end(`its output limit of ${limits.outputBytes} bytes`);
        },
        isInstructed: onQuestion !== undefined,
        onMessage: onQuestion && firstLine((line) => onQuestion(line, answer)),
      });
    } catch (thrown) {
      await output.close();
      // The system reports a missing folder as if the program were missing.
      const why = existsSync(request.cwd) ? messageOf(thrown) : `there is no folder ${request.cwd}`;
      const words = `cannot be started: ${why}`;
      return { code: 127, words, isStopped: false, isDead: false, hasBegun: false, stdout: '', tail: '' };
    }
    this.#running.add(group);
    if (this.#isStopping) group.interrupt();
    const timer = setTimeout(() => end(`its time limit of ${limits.timeMs / 1000} s`), limits.timeMs);
    const most = limits.diskBytes ?? Infinity;
    const overDisk = `its disk limit of ${most} bytes`;
    const disk =
      most < Infinity && folders.length > 0 ? new DiskWatch(folders, most, () => end(overDisk)) : undefined;
    const status = await group.exit;
    clearTimeout(timer);
    await killStrays(id);
    if ((await disk?.end()) === true) cut ??= overDisk;
    this.#running.delete(group);
    await output.close();
    const { stdout, tail } = output;
    const words = cut === undefined ? describeExit(status) : `ended at ${cut}`;
    const code = status.kind === 'code' && cut === undefined ? status.code : undefined;
    const isStopped = code === undefined && cut === undefined && this.#isStopping;
    return { code, words, isStopped, isDead: code === undefined && !isStopped, stdout, tail };
  }

  #ownVariables({
    memoryBytes,
    processors,
    processes,
  }: RunLimits): Readonly<Record<string, string | undefined>> {
    if (memoryBytes === undefined && processors === undefined && processes === undefined) return {};
    return Object.fromEntries(limitVariables(this.#means).map((name) => [name, process.env[name]]));
  }

  /** Ends something else with the commands, at once if it starts no more. Returns a function that forgets it. */
  track(stoppable: Stoppable): () => void {
    this.#running.add(stoppable);
    if (this.#isStopping) void stoppable.stop(GRACE_MS);
    return () => void this.#running.delete(stoppable);
  }

  /** Interrupts every command, so that it ends its running steps, and waits for the ends. Starts no others. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#running].map((group) => group.stop(GRACE_MS)));
  }

  /** Kills every command at once. Starts no others. */
  kill(): void {
    this.#isStopping = true;
    for (const group of this.#running) group.kill();
  }
}

/** Returns what gathers pieces of text until there is a line. Later text is ignored. */
function firstLine(found: (line: string) => void): (text: string) => void {
  let gathered = '';
  return (text) => {
    if (gathered.includes('\n')) return;
    gathered += text;
    const [line = '', ...rest] = gathered.split('\n');
    if (rest.length > 0) found(line);
  };
}

const stoppedEnd = (words: string): ProcessEnd => ({
  code: undefined,
  words,
  isStopped: true,
  isDead: false,
  hasBegun: false,
  stdout: '',
  tail: '',
});

/** Masked output of a command, in a file and in part in memory. */
class OutputLog {
  stdout = '';
  tail = '';
  #bytes = 0;
  readonly #filters: Record<'stdout' | 'stderr', SecretFilter>;
  readonly #file: NodeJS.WritableStream;
  readonly #request: ProcessRequest;

  private constructor(request: ProcessRequest, file: NodeJS.WritableStream) {
    const secrets = secretValues(request.masked ?? request.env);
    this.#filters = { stdout: new SecretFilter(secrets), stderr: new SecretFilter(secrets) };
    this.#request = request;
    this.#file = file;
    // A full disk must not end the agent; the operation has its own records.
    file.on('error', () => undefined);
  }

  static async open(request: ProcessRequest): Promise<OutputLog> {
    await mkdir(path.dirname(request.log), { recursive: true, mode: 0o700 });
    const file = createWriteStream(request.log, { flags: 'a', mode: 0o600 });
    return new OutputLog(request, file);
  }

  /** Adds a piece of output. Returns false when there is more than the limit. */
  add(stream: 'stdout' | 'stderr', text: string): boolean {
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#request.limits.outputBytes) return false;
    if (stream === 'stdout' && this.#request.isRead === true) this.stdout += text;
    else this.#show(this.#filters[stream].pass(text));
    return true;
  }

  async close(): Promise<void> {
    for (const filter of Object.values(this.#filters)) this.#show(filter.end());
    await new Promise<void>((resolve) => {
      this.#file.once('error', () => resolve());
      this.#file.end(() => resolve());
    });
  }

  #show(text: string): void {
    if (text === '') return;
    this.#file.write(text);
    this.tail = (this.tail + text).slice(-TAIL);
  }
}
