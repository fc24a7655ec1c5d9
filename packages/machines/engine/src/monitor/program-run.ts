import type { ProgramCallbacks, ResourceStatus, RunResult } from '@cairn/wire';
import type { HookRegistry } from '../execute/hooks/registry.js';
import type { PostRegistration } from '../model/registration.js';
import type { OperationRequest } from '../model/request.js';
import type { Ports, Program } from '../ports.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { SnippetSources } from '../snippets/snippet-sources.js';
import { createMonitor } from './create-monitor.js';
import type { MonitorOptions, ProgramMonitor } from './create-monitor.js';
import type { RegistrationIntake } from './intake.js';
import { serveMonitor } from './serve-monitor.js';
import type { ServedPeers } from './serve-peers.js';

/** What a program is run with. */
interface ProgramRunOptions {
  readonly request: OperationRequest;
  readonly ports: Pick<Ports, 'calls' | 'debugged' | 'emit' | 'newId' | 'program' | 'providers'>;
  readonly providers: ProviderSource;
  /** Where hooks of the program are noted. */
  readonly hooks?: HookRegistry | undefined;
  /** How functions of the program are called. */
  readonly callbacks: ProgramCallbacks;
  /** Runs work for the program that is no step. */
  readonly during: MonitorOptions['during'];
  /** Takes what is refused to the program with a reason ({@link MonitorOptions.refused}). */
  readonly refused: MonitorOptions['refused'];
  /** Who holds registrations back. Absent: nobody. */
  readonly intake?: RegistrationIntake | undefined;
  /** Takes what providers publish about views. Absent: nobody does. */
  readonly status?: ResourceStatus | undefined;
}

/** A program and the monitor made for it, from start to end. Everything but `run` may be called at any time. */
export interface ProgramRun {
  /** How the program would fail, as far as that can be told before it runs. */
  check(): Promise<RunResult | undefined>;
  /**
   * Starts the program, and other sources next to it. Resolves when it has ended, or has said that it will register
   * nothing more; at once with `ok` when there is none. Rejects with a CairnError when the monitor, a constructor or a
   * method has failed the operation. Once.
   */
  run(post: PostRegistration, sources?: SnippetSources): Promise<RunResult>;
  /** The program is to end: it gets no more answers, and is stopped when it does not leave by itself. */
  cancel(): void;
  /** True if a program that has run may fail after it has signed off ({@link Program.failsLate}). */
  readonly failsLate: boolean;
  /** Everything is done: the program may go. Resolves with how it ended when it has. */
  finished(): Promise<RunResult>;
  /** Stops what is left and no longer listens. Never throws. */
  close(): Promise<void>;
}

/** Prepares a run; nothing is started. */
export function programRun(options: ProgramRunOptions): ProgramRun {
  return new Run(options);
}

/**
 * What a program has not registered would be deleted: ending in the middle is no success, whatever the exit code. Known
 * only of programs whose runner says how they end; others need not register outputs.
 */
const LEFT_EARLY: RunResult = {
  t: 'failed',
  message:
    'The program ended before everything it declares was done, as after a call of process.exit. Let it end by itself; to stop it, throw an error.',
};

/** The program said that it registers nothing more, without having registered the outputs of its stack. */
const STILL_WAITS: RunResult = {
  t: 'failed',
  message:
    'The program ended while it still waits for a promise that is never resolved, at its top level or in an output of the stack. Resolve the promise, or reject it: nothing is left that could.',
};

const fine: RunResult = { t: 'ok' };

/** All services share an address. */
function everywhere(address: string) {
  return { monitor: address, engine: address, loader: address, mapper: address, resolver: address };
}

class Run implements ProgramRun {
  #monitor: ProgramMonitor | undefined;
  #served: ServedPeers | undefined;
  #running: Promise<RunResult> | undefined;
  #checking = false;
  #over = false;

  constructor(private readonly options: ProgramRunOptions) {}

  async check(): Promise<RunResult | undefined> {
    if (this.#over) return undefined;
    this.#checking = true;
    return this.options.ports.program?.check?.().finally(() => (this.#checking = false));
  }

  async run(post: PostRegistration, sources?: SnippetSources): Promise<RunResult> {
    const program = sources?.alone === true ? undefined : this.options.ports.program;
    if ((program === undefined && sources === undefined) || this.#over) return { t: 'ok' };
    let abort: (error: Error) => void = () => {};
    const failed = new Promise<never>((_, reject) => (abort = reject));
    failed.catch(() => undefined);
    const monitor = this.#makeMonitor(sources?.watch(post) ?? post, abort);
    this.#monitor = monitor;
    if (program?.inProcess !== true)
      this.#served = await serveMonitor(monitor, {
        emit: this.options.ports.emit,
        calls: this.options.ports.calls,
        status: this.options.status,
        intake: this.options.intake,
      });
    if (this.#over) return { t: 'ok' };
    const ended = program === undefined ? Promise.resolve(fine) : this.#untilEnded(program, monitor);
    ended.catch(() => undefined);
    const all = sources === undefined ? ended : sources.alongside(monitor.monitor, ended);
    return Promise.race([all, failed]);
  }

  /** Resolves when the program has ended, or has said that it will register nothing more. */
  #untilEnded(program: Program, monitor: ProgramMonitor): Promise<RunResult> {
    this.#running = this.#start(program, monitor);
    this.#running.catch(() => undefined);
    let signalled = false;
    const ended = this.#running.then((result) => {
      this.options.intake?.letAllIn();
      if (result.t !== 'ok') return result;
      if (result.endsWithOutputs !== true || !monitor.unfinished || this.#over) return fine;
      return signalled ? STILL_WAITS : LEFT_EARLY;
    });
    const signedOff = monitor.signalled.then(() => {
      signalled = true;
      if (!monitor.unfinished || !this.failsLate) return fine;
      // How the program ends decides: it is let go before anything follows from what it has not registered.
      monitor.shutDown();
      return ended;
    });
    return Promise.race([ended, signedOff]);
  }

  get failsLate(): boolean {
    return this.#running !== undefined && this.options.ports.program?.failsLate?.() === true;
  }

  cancel(): void {
    this.#over = true;
    this.#monitor?.shutDown();
    if (this.#running !== undefined || this.#checking)
      void this.options.ports.program?.cancel().catch(() => undefined);
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
    const { request, ports, providers, hooks, callbacks, during, refused, intake } = this.options;
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
    const { preview: dryRun } = this.options.request;
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
