import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { killGroup, signalGroup } from './group-signals.js';
import { guard, readyToGuard } from './guardian.js';
import { spawnProcess } from './spawn-process.js';

/** Output streams of a process. */
export type OutputStream = 'stdout' | 'stderr';

/** Way in which a process ended. */
export type ExitStatus =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals };

/** Command to start, and the receiver of its output. */
interface StartRequest {
  /** Path or name looked up on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; the process inherits nothing else. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives text as it arrives, never split inside a character. */
  readonly onOutput: (stream: OutputStream, text: string) => void;
  /**
   * Milliseconds for which output is still read after the process has ended. A descendant may have left the group and
   * hold the streams open. Defaults to 1000.
   */
  readonly drainMs?: number | undefined;
  /** Gives the process a pipe at descriptor 3, for {@link ProcessGroup.instruct}. Defaults to false. */
  readonly isInstructed?: boolean;
  /** Receives text that the process writes to that pipe, as it arrives. */
  readonly onMessage?: ((text: string) => void) | undefined;
}

/**
 * A started process, leader of its own group. Signals from the terminal do not reach it; ours reach all of the group.
 */
export interface ProcessGroup {
  readonly pid: number;
  /** Resolves when the process has ended, its leftovers are killed and its output is read. Never rejects. */
  readonly exit: Promise<ExitStatus>;
  /** Status of the process once it has ended. */
  readonly ended: ExitStatus | undefined;
  /** Writes the whole text to descriptor 3 and closes it. Does nothing if the process has ended. */
  instruct(text: string): void;
  /** Sends the interrupt signal to the whole group. */
  interrupt(): void;
  /** Kills the whole group. */
  kill(): void;
  /** Interrupts the group, waits at most `graceMs` milliseconds, and kills it. */
  stop(graceMs: number): Promise<ExitStatus>;
}

/**
 * Starts a process. Rejects with the system's error (`code` ENOENT, EACCES, …) when it cannot be started. The group is
 * killed when this process ends, however it ends (see guardian.ts).
 */
export async function startProcess(request: StartRequest): Promise<ProcessGroup> {
  readyToGuard();
  let release: (() => void) | undefined;
  const child = await spawnProcess(
    request.command,
    request.args,
    {
      cwd: request.cwd,
      env: { ...request.env } as NodeJS.ProcessEnv,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', ...(request.isInstructed === true ? (['pipe'] as const) : [])],
      windowsHide: true,
    },
    (running) => {
      // It runs already: this process may be killed before any event reports that.
      if (running.pid !== undefined) release = guard(running.pid);
      // A process that ends before it reads its instructions is recognised by its exit.
      running.stdio[3]?.on('error', () => undefined);
      const { onMessage } = request;
      if (onMessage !== undefined) running.stdio[3]?.on('data', (text: Buffer) => onMessage(String(text)));
      relay(running, 'stdout', request.onOutput);
      relay(running, 'stderr', request.onOutput);
    },
  );
  const pid = child.pid as number;
  return track(child, pid, release ?? guard(pid), request.drainMs ?? 1000);
}

/** Describes a status: `exit code 3` or `signal SIGKILL`. */
export function describeExit(status: ExitStatus): string {
  return status.kind === 'code' ? `exit code ${status.code}` : `signal ${status.signal}`;
}

function relay(child: ChildProcess, stream: OutputStream, onOutput: StartRequest['onOutput']): void {
  const decoder = new StringDecoder('utf8');
  const emit = (text: string) => {
    if (text !== '') onOutput(stream, text);
  };
  child[stream]?.on('data', (chunk: Buffer) => emit(decoder.write(chunk)));
  child[stream]?.on('end', () => emit(decoder.end()));
}

function track(child: ChildProcess, pid: number, release: () => void, drainMs: number): ProcessGroup {
  let ended: ExitStatus | undefined;
  const exit = new Promise<ExitStatus>((resolve) => {
    const closed = new Promise<void>((done) => child.once('close', () => done()));
    child.once('exit', (code, signal) => {
      ended = signal === null ? { kind: 'code', code: code ?? 0 } : { kind: 'signal', signal };
      const status = ended;
      killGroup(pid);
      release();
      void drained(child, closed, drainMs).then(() => resolve(status));
    });
  });
  return {
    pid,
    exit,
    get ended() {
      return ended;
    },
    instruct: (text) => {
      (child.stdio[3] as Writable | null | undefined)?.end(text);
    },
    interrupt: () => {
      if (ended === undefined) signalGroup(pid, 'SIGINT');
    },
    kill: () => {
      if (ended === undefined) killGroup(pid);
    },
    stop: (graceMs) => {
      if (ended === undefined) signalGroup(pid, 'SIGINT');
      const timer = setTimeout(() => {
        if (ended === undefined) killGroup(pid);
      }, graceMs);
      return exit.finally(() => clearTimeout(timer));
    },
  };
}

async function drained(child: ChildProcess, closed: Promise<void>, drainMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([closed, limit]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
}
