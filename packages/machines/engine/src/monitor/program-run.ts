import type { ProgramCallbacks, ResourceStatus, RunResult } from '@cairn/wire';
import type { HookRegistry } from '../execute/hooks/registry.js';
import type { PostRegistration } from '../model/registration.js';
import type { OperationRequest } from '../model/request.js';
import type { EnginePorts, Program } from '../ports.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import { createMonitor } from './create-monitor.js';
import type { MonitorOptions, ProgramMonitor } from './create-monitor.js';
import type { RegistrationIntake } from './intake.js';
import { serveMonitor } from './serve-monitor.js';
import type { ServedPeers } from './serve-peers.js';

/** Options of a program's run. */
interface ProgramRunOptions {
  readonly request: OperationRequest;
  readonly ports: Pick<EnginePorts, 'calls' | 'debugged' | 'emit' | 'newId' | 'program' | 'providers'>;
  readonly providers: ProviderSource;
  /** Registry of the program's hooks. */
  readonly hooks?: HookRegistry | undefined;
  /** Calls functions of the program. */
  readonly callbacks: ProgramCallbacks;
  /** Runs work for the program that is not a step. */
  readonly during: MonitorOptions['during'];
  /** Receives requests of the program that were refused with a reason ({@link MonitorOptions.refused}). */
  readonly refused: MonitorOptions['refused'];
  /** Holds registrations back. Optional. */
  readonly intake?: RegistrationIntake | undefined;
  /** Receives the messages of providers about views. Optional. */
  readonly status?: ResourceStatus | undefined;
}

/** A program and its monitor, from start to end. Everything but `run` may be called at any time. */
export interface ProgramRun {
  /** Returns the failure that the program would have, if it is known before it runs. */
  check(): Promise<RunResult | undefined>;
  /**
   * Starts the program, and other sources next to it. Resolves when it has ended, or has signalled that it registers
   * nothing more; at once with `ok` if there is none. Rejects with a CairnError if the monitor, a constructor or a
   * method has failed the operation. May be called once.
   */
  run(post: PostRegistration, sources?: SnippetSources): Promise<RunResult>;
  /** Ends the program: it gets no more answers, and is stopped if it does not exit on its own. */
  cancel(): void;
  /** True if a program that has run may fail after it has signed off ({@link Program.ending}). */
  readonly failsLate: boolean;
  /** Lets the program exit because everything is done. Resolves with its result when it has ended. */
  finished(): Promise<RunResult>;
  /** Stops the remaining parts and no longer listens. Never throws. */
  close(): Promise<void>;
}

/** Prepares a run without starting anything. */
export function programRun(options: ProgramRunOptions): ProgramRun {
  return new Run(options);
}

/**
 * Result of a program that ended early. Resources that it has not registered would be deleted, so this is a failure,
 * whatever the exit code. It is detected only for programs whose runner reports how they end; others need not register
 * outputs.
 */
const LEFT_EARLY: RunResult = {
  t: 'failed',
  message:
    'The program ended before everything it declares was done, as after a call of process.exit. Let it end on its own. To stop it, throw an error.',
};

/**
 * Result of a program that signalled that it registers nothing more, without having registered the outputs of its
 * stack.
 */
const STILL_WAITS: RunResult = {
  t: 'failed',
  message:
    'The program ended while it still waits for a promise that is never resolved, at its top level or in an output of the stack. Resolve the promise, or reject it: nothing is left that could.',
};

const fine: RunResult = { t: 'ok' };

/** Returns the address for all services, which share it. */
function everywhere(address: string) {
  return { monitor: address, engine: address, loader: address, mapper: address, resolver: address };
}

class Run implements ProgramRun {
  #monitor: ProgramMonitor | undefined;
  #served: ServedPeers | undefined;
  #running: Promise<RunResult> | undefined;
  #checking = false;
  #over = false;
  readonly #options: ProgramRunOptions;

  constructor(options: ProgramRunOptions) {
    this.#options = options;
  }

  async check(): Promise<RunResult | undefined> {
    if (this.#over) return undefined;
    this.#checking = true;
    return this.#options.ports.program?.check?.().finally(() => (this.#checking = false));
  }

  async run(post: PostRegistration, sources?: SnippetSources): Promise<RunResult> {
    const program = sources?.alone === true ? undefined : this.#options.ports.program;
    if ((program === undefined && sources === undefined) || this.#over) return { t: 'ok' };
    let abort: (error: Error) => void = () => {};
    const failed = new Promise<never>((_, reject) => (abort = reject));
    failed.catch(() => undefined);
    const monitor = this.#makeMonitor(sources?.watch(post) ?? post, abort);
    this.#monitor = monitor;
    if (program?.inProcess !== true)
      this.#served = await serveMonitor(monitor, {
        emit: this.#options.ports.emit,
        calls: this.#options.ports.calls,
        status: this.#options.status,
        intake: this.#options.intake,
      });
    if (this.#over) return { t: 'ok' };
    const ended = program === undefined ? Promise.resolve(fine) : this.#untilEnded(program, monitor);
    ended.catch(() => undefined);
    const all = sources === undefined ? ended : sources.alongside(monitor.monitor, ended);
    return Promise.race([all, failed]);
  }

  /** Resolves when the program has ended, or has signalled that it registers nothing more. */
  #untilEnded(program: Program, monitor: ProgramMonitor): Promise<RunResult> {
    this.#running = this.#start(program, monitor);
    this.#running.catch(() => undefined);
    let signalled = false;
    const ended = this.#running.then((result) => {
      this.#options.intake?.letAllIn();
      if (result.t !== 'ok') return result;
      if (program.ending?.() === undefined || !monitor.unfinished || this.#over) return fine;
      return signalled ? STILL_WAITS : LEFT_EARLY;
    });
    const signedOff = monitor.signalled.then(() => {
      signalled = true;
      if (!monitor.unfinished || !this.failsLate) return fine;
      // The program's end decides: it may exit before anything follows from the resources it has not registered.
      monitor.shutDown();
      return ended;
    });
    return Promise.race([ended, signedOff]);
  }

  get failsLate(): boolean {
    return this.#running !== undefined && this.#options.ports.program?.ending?.() === 'late';
  }

  cancel(): void {
    this.#over = true;
    this.#monitor?.shutDown();
    if (this.#running !== undefined || this.#checking)
      void this.#options.ports.program?.cancel().catch(() => undefined);
  }

  async finished(): Promise<RunResult> {
    this.#monitor?.shutDown();
    return (await this.#running?.catch(() => undefined)) ?? { t: 'ok' };
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#running?.catch(() => undefined);
    await this.#served?.close();
  }

  #makeMonitor(post: PostRegistration, abort: (error: Error) => void): ProgramMonitor {
    const { request, ports, providers, hooks, callbacks, during, refused, intake } = this.#options;
    return createMonitor({
      request,
      ports,
      post,
      providers,
      hooks,
      callbacks,
      during,
      intake,
      abort,
      refused,
      address: () => this.#served?.shared() ?? '',
    });
  }

  #start(program: Program, services: ProgramMonitor): Promise<RunResult> {
    const { preview: dryRun } = this.#options.request;
    const { monitor, engine } = services;
    const served = this.#served;
    return program.run({
      ...everywhere(served?.address ?? ''),
      dryRun,
      shared: () => everywhere(served?.shared() ?? ''),
      onPort: () => everywhere(served?.port() ?? ''),
      services: { monitor, engine },
    });
  }
}
