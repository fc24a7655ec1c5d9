import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { ProviderError } from '@cairn/provider-sdk';
import { NEEDED_TO_SPAWN, withDescriptors } from '@cairn/retries';

/** A command to run. */
export interface CommandRequest {
  /** Executable and arguments. */
  readonly line: readonly string[];
  readonly directory: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: string | undefined;
  /**
   * Ends the whole process group when aborted. The run rejects with the signal's reason, or with ABORTED if it was not
   * started yet.
   */
  readonly signal: AbortSignal;
}

/** Result of a command that ended. */
interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit code. Undefined if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly endedBy: NodeJS.Signals | undefined;
}

/** Time between the request to end and the end by force, in milliseconds. */
const TERMINATE_GRACE_MS = 3000;
/** Time after a command's end in which output of its background processes is still read, in milliseconds. */
const DRAIN_MS = 200;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Number of running commands. */
let running = 0;

/**
 * Runs a command in a process group of its own and waits for it. Rejects if it cannot be started, or is aborted. If no
 * pipes are left, it begins after others have ended.
 */
export function runCommand(request: CommandRequest): Promise<CommandResult> {
  return withDescriptors(`start ${request.line[0] ?? ''}`, () => startedCommand(request), {
    isHeld: () => running > 0,
    needs: NEEDED_TO_SPAWN,
  });
}

function startedCommand(request: CommandRequest): Promise<CommandResult> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new ProviderError('ABORTED', 'the command was not started'));
    const [file = '', ...args] = request.line;
    const child = spawn(file, args, {
      cwd: request.directory,
      env: request.environment as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const failed = (error: Error): void =>
      reject(
        new ProviderError('FAILED_PRECONDITION', `cannot start ${file}: ${error.message}`, { cause: error }),
      );
    // The child has no streams if no pipes are left.
    if ((child.stdio as ChildProcess['stdio'] | undefined) === undefined) return child.once('error', failed);
    running += 1;
    const output = new Output(child, () =>
      stop(new ProviderError('ABORTED', `it wrote more than ${MAX_OUTPUT_BYTES >> 20} MiB`)),
    );
    let stopped: Error | undefined;
    let force: NodeJS.Timeout | undefined;
    const stop = (reason: Error): void => {
      if (stopped !== undefined) return;
      stopped = reason;
      endGroup(child, 'SIGTERM');
      force = setTimeout(endByForce, TERMINATE_GRACE_MS);
      // If this process ends meanwhile, the group ends too.
      process.once('exit', endByForce);
    };
    const endByForce = (): void => endGroup(child, 'SIGKILL');
    const abort = (): void => stop(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const done = (): void => {
      running -= 1;
      clearTimeout(force);
      process.off('exit', endByForce);
      signal.removeEventListener('abort', abort);
    };
    child.once('error', (error) => {
      done();
      failed(error);
    });
    child.once('exit', (code, endedBy) => {
      void output.drained().then(() => {
        done();
        // No process that the command started may outlive a cancel.
        if (stopped !== undefined) endGroup(child, 'SIGKILL');
        if (stopped !== undefined) reject(stopped);
        else resolve({ ...output.texts(), exitCode: code ?? undefined, endedBy: endedBy ?? undefined });
      });
    });
    // A command that does not read its input is not an error.
    child.stdin.on('error', () => {});
    child.stdin.end(request.stdin ?? '');
  });
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Collects the output of a process. */
class Output {
  readonly #chunks: { readonly stdout: Buffer[]; readonly stderr: Buffer[] } = {
    stdout: [],
    stderr: [],
  };
  readonly #closed: Promise<void>;
  #bytes = 0;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, onTooMuch: () => void) {
    this.#child = child;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        this.#bytes += chunk.length;
        if (this.#bytes > MAX_OUTPUT_BYTES) onTooMuch();
        else this.#chunks[name].push(chunk);
      });
    }
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
  }

  /** Waits for the end of both streams, but not for processes left in the background. */
  async drained(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([this.#closed, late]);
    clearTimeout(timer);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  texts(): { readonly stdout: string; readonly stderr: string } {
    return {
      stdout: Buffer.concat(this.#chunks.stdout).toString('utf8'),
      stderr: Buffer.concat(this.#chunks.stderr).toString('utf8'),
    };
  }
}
