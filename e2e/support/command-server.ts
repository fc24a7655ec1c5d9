import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Finished } from './cairn.js';

/** True if `CAIRN_E2E_WHOLE=1` makes every command a process of its own, so that both ways can be compared. */
const IS_ALWAYS_WHOLE = process.env['CAIRN_E2E_WHOLE'] === '1';

/** True if Node reads a variable of the environment once, at the start of a process. */
function needsProcess(env: Call['env']): boolean {
  return Object.entries(env).some(([name, value]) => value !== undefined && name.startsWith('NODE_'));
}

/** Adds a line with the kind of a command to the file that `CAIRN_E2E_COUNTS` names. */
export function note(kind: string, words: readonly string[]): void {
  const file = process.env['CAIRN_E2E_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${kind}: ${words.join(' ').replaceAll('\n', ' ')}\n`);
}

/** A command line with everything that the process of a command has. */
interface Call {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
}

/** Messages of the server, in the order in which they come. `last` means that the server ends like a command. */
type Message =
  | { readonly t: 'ready' }
  | { readonly t: 'end'; readonly code: number; readonly full: boolean }
  | { readonly t: 'last'; readonly left: string };

/** Runs calls in one server after the other. `folder`: the folder of `command-server.mjs`. */
export class CommandServers {
  #server: CommandServer | undefined;
  readonly #former: CommandServer[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Runs a call, in a fresh server if the last one has ended or `isStale`. Returns undefined for a call that needs a
   * process of its own: while another call runs, and if its environment has variables of Node's own.
   */
  run(call: Call, isStale = false): Promise<Finished> | undefined {
    if (IS_ALWAYS_WHOLE || needsProcess(call.env)) return undefined;
    if (this.#server !== undefined && (this.#server.isOver || (isStale && this.#server.isFree))) {
      this.#former.push(this.#server);
      void this.#server.end();
      this.#server = undefined;
    }
    const server = (this.#server ??= new CommandServer(this.#folder));
    if (!server.isFree) return undefined;
    return server.call(call).then((finished) => {
      note(server.left === undefined ? 'served' : `served, leaving ${server.left}`, call.words);
      return finished;
    });
  }

  /** Process of the server that takes the next call, if there is one. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** Ends all servers, and waits until they have ended. */
  async end(): Promise<void> {
    const all = [...this.#former.splice(0), ...(this.#server === undefined ? [] : [this.#server])];
    this.#server = undefined;
    await Promise.all(all.map((server) => server.end()));
  }
}

/** Runs command lines of the built command in one process, one at a time (`command-server.mjs`). */
class CommandServer {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #call: PendingCall | undefined;
  #isOver = false;
  /** Something that the last call left behind, for which the server ended. */
  left: string | undefined;

  constructor(folder: string) {
    this.#child = spawn(process.execPath, [path.join(folder, 'command-server.mjs')], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#child[stream]?.setEncoding('utf8').on('data', (chunk: string) => this.#call?.take(stream, chunk));
    }
    this.#child.on('message', (message: Message) => this.#hear(message));
    this.#child.on('exit', () => (this.#isOver = true));
    this.#closed = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#call?.close(code, signal);
        resolve();
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True if the server can take a call. */
  get isFree(): boolean {
    return !this.#isOver && this.#call === undefined;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs a command line. The end of the server in the middle of it is the end of the command. */
  async call(call: Call): Promise<Finished> {
    const end = `\0end ${randomUUID()}\0`;
    const pending = new PendingCall(end);
    this.#call = pending;
    this.#child.send({ t: 'call', ...call, end });
    const finished = await pending.finished;
    this.#call = undefined;
    return finished;
  }

  /** Ends the server, and waits until it has ended. */
  async end(): Promise<void> {
    if (this.#child.connected) this.#child.send({ t: 'end' });
    await this.#closed;
  }

  #hear(message: Message): void {
    if (message.t === 'ready') return;
    if (message.t === 'last') {
      this.#isOver = true;
      this.left = message.left;
      return;
    }
    if (message.full) this.#isOver = true;
    this.#call?.end(message.code);
  }
}

/**
 * Output and outcome of a running call: over once the server has reported so and both streams have shown their mark.
 */
class PendingCall {
  readonly finished: Promise<Finished>;
  readonly #text = { stdout: '', stderr: '', both: '' };
  /** Ends of the streams that may be the beginning of the mark. */
  readonly #held = { stdout: '', stderr: '' };
  readonly #open = new Set(['stdout', 'stderr', 'code']);
  #code = 0;
  #resolve: (finished: Finished) => void = () => undefined;
  readonly #mark: string;

  constructor(mark: string) {
    this.#mark = mark;
    this.finished = new Promise((resolve) => (this.#resolve = resolve));
  }

  take(stream: 'stdout' | 'stderr', chunk: string): void {
    const text = this.#held[stream] + chunk;
    const isLast = text.endsWith(this.#mark);
    const shown = isLast ? text.slice(0, -this.#mark.length) : text.slice(0, startOfMark(text, this.#mark));
    this.#held[stream] = isLast ? '' : text.slice(shown.length);
    this.#show(stream, shown);
    if (isLast) this.#over(stream);
  }

  end(code: number): void {
    this.#code = code;
    this.#over('code');
  }

  close(code: number | null, signal: NodeJS.Signals | null): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#show(stream, this.#held[stream]);
    this.#finish(code, signal);
  }

  #show(stream: 'stdout' | 'stderr', text: string): void {
    this.#text[stream] += text;
    this.#text.both += text;
  }

  #over(part: string): void {
    this.#open.delete(part);
    if (this.#open.size === 0) this.#finish(this.#code, null);
  }

  #finish(code: number | null, signal: NodeJS.Signals | null): void {
    const { stdout, stderr, both } = this.#text;
    this.#resolve({ code, signal, stdout, stderr, text: both });
  }
}

/** Returns the position from which on a text may be the beginning of a mark. */
function startOfMark(text: string, mark: string): number {
  const start = text.lastIndexOf(mark.slice(0, 1));
  return start >= 0 && mark.startsWith(text.slice(start)) ? start : text.length;
}
