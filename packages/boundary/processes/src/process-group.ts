import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { killGroup, signalGroup } from './group-signals.js';
import { guard, readyToGuard } from './guardian.js';
import { spawnProcess } from './spawn-process.js';

/** Which of a process' two output streams. */
export type OutputStream = 'stdout' | 'stderr';

/** How a process ended. */
export type ExitStatus =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals };

/** What to start and where its output goes. */
interface StartRequest {
  /** Path or name looked up on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited besides. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Text as it arrives, never split inside a character. */
  readonly onOutput: (stream: OutputStream, text: string) => void;
  /**
   * Milliseconds that output is still read after the process has ended, for the case that something it started left its
   * group and holds the streams open. Default 1000.
   */
  readonly drainMs?: number | undefined;
  /** Gives the process a pipe at descriptor 3, for {@link ProcessGroup.instruct}. Defaults to false. */
  readonly isInstructed?: boolean;
}

/** A started process, leader of a group of its own: signals from the terminal do not reach it, ours reach all of it. */
export interface ProcessGroup {
  readonly pid: number;
  /** Resolves when the process has ended, what it left behind is killed and its output is read. Never rejects. */
  readonly exit: Promise<ExitStatus>;
  /** The status once the process has ended. */
  readonly ended: ExitStatus | undefined;
  /** Writes the whole text to descriptor 3 and closes it. A process that has ended is not told. */
  instruct(text: string): void;
  /** Sends the interrupt signal to the whole group. */
  interrupt(): void;
  /** Kills the whole group. */
  kill(): void;
  /** Interrupts, waits at most `graceMs` milliseconds, kills. */
  stop(graceMs: number): Promise<ExitStatus>;
}

/**
 * Starts a process. Rejects with the system's error (`code` ENOENT, EACCES, …) when it cannot be started. The group is
 * killed when we end, whichever way we end (see guardian.ts).
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
      // It runs already: we may be killed before anything tells us so.
      if (running.pid !== undefined) release = guard(running.pid);
      // A process that ends before it reads its instructions is recognised by its exit.
      running.stdio[3]?.on('error', () => undefined);
      relay(running, 'stdout', request.onOutput);
      relay(running, 'stderr', request.onOutput);
    },
  );
  const pid = child.pid as number;
  return track(child, pid, release ?? guard(pid), request.drainMs ?? 1000);
}

/** `exit code 3` or `signal SIGKILL`. */
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
