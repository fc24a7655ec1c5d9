import type { RunOptions, Ended, Outcome, Ports, Prepared, PreparedChoice } from '@cairn/operations';
import { OperationError } from '../errors.js';
import { publicError } from './public-error.js';
import type { OperationDiagnostic } from '../diagnostic.js';
import type { OperationEvent } from '../events.js';
import type { publicEvent } from './engine-events.js';
import type { Engine, SdkRuntime } from './parts.js';
import { Operation } from '../operation.js';
import type { Running } from '../operation.js';
import type { OperationSettings } from '../options.js';
import { projectPorts } from './place.js';
import type { ProjectPlace } from './place.js';
import type { OperationResult, ResourceFailure } from '../results.js';
import type { OwnProgram } from '@cairn/operations/stacks';
import type { InlineProgram } from '../program.js';

/** Which stack an operation works on. */
interface StackPlace {
  readonly place: ProjectPlace;
  readonly choice: PreparedChoice;
}

/** An outcome, together with the failures observed on the way. */
interface Seen<O extends Outcome> {
  readonly outcome: O;
  readonly failures: readonly ResourceFailure[];
}

/**
 * Starts an operation on a stack. `work` runs it, and `result` builds the caller's result from its outcome. Throws an
 * {@link OperationError} for every outcome that is not a success.
 */
export function startEngineOperation<O extends Outcome, R extends OperationResult>(
  stack: StackPlace,
  settings: OperationSettings,
  work: (engine: Engine, prepared: Prepared, runOptions: RunOptions) => Promise<O>,
  result: (seen: Seen<O>, common: OperationResult, prepared: Prepared) => R | Promise<R>,
): Operation<R> {
  const run = async (running: Running): Promise<R> => {
    const seen = new Watch(running);
    const [engine, events, ports] = await Promise.all([
      import('@cairn/operations'),
      import('./engine-events.js'),
      projectPorts(stack.place),
    ]);
    const { program } = stack.place;
    const watched: Ports = {
      ...ports,
      onInterrupt: (listener) => running.onCancel(listener),
      interaction: seen.interaction(ports, events.publicEvent),
      program:
        program &&
        programPort(
          program,
          await import('@cairn/sdk/runtime'),
          stack.place.programDirectory,
          stack.place.programTimeout,
        ),
    };
    const runOptions: RunOptions = { expectNoChanges: settings.expectNoChanges };
    return engine.withPrepared(watched, stack.choice, async (prepared) => {
      seen.mask = prepared.mask.mask;
      const outcome = await work(engine, prepared, runOptions);
      const all = { outcome, failures: seen.failures(outcome.result.diagnostics) };
      const common = commonResult(all);
      const made = await result(all, common, prepared);
      if (common.status !== 'succeeded' || hasErrors(outcome)) throw failureOf(made, outcome);
      return made;
    });
  };
  return new Operation<R>(
    (running) =>
      run(running).catch((error: unknown) => {
        throw publicError(error);
      }),
    settings.signal,
  );
}

type Convert = typeof publicEvent;

/** Observes events, and forwards requests to end the operation. */
class Watch {
  /** Removes secrets from texts, once the secrets are known. */
  mask: (text: string) => string = (text) => text;
  readonly #failed: Omit<ResourceFailure, 'diagnostics'>[] = [];
  readonly #running: Running;

  constructor(running: Running) {
    this.#running = running;
  }

  interaction({ interaction }: Ports, convert: Convert): Ports['interaction'] {
    const running = this.#running;
    const told = (diagnostic: OperationDiagnostic): void =>
      running.event({ type: 'diagnostic', diagnostic, ephemeral: false });
    return {
      ...interaction,
      tell: (diagnostics) => diagnostics.forEach(told),
      notice: (notice) => {
        if (notice.t === 'waiting') running.event({ type: 'waiting', text: notice.text });
        if (notice.t === 'stack-file') told(notice.warning);
      },
      pass: ({ which, kind: operation, change: id, silent }) => {
        const preview = which === 'preview';
        const change = id === undefined ? undefined : Number(id);
        let stop: (() => void) | undefined;
        if (silent !== true) running.event({ type: 'begin', operation, preview, change });
        return {
          event: (event) => {
            const shown = silent === true ? undefined : convert(event, preview, this.mask);
            if (shown !== undefined) this.#event(shown);
          },
          started: (control) => {
            stop = running.onCancel((how) => {
              if (preview || how === 'leave') control.kill();
              else if (how === 'stop') control.cancelRunning();
              else control.cancel();
            });
          },
          close: () => stop?.(),
        };
      },
    };
  }

  #event(event: OperationEvent): void {
    if (event.type === 'step-failed') {
      const { urn, type, name, kind: step } = event.step;
      this.#failed.push({ urn, type, name, step, inDoubt: event.inDoubt });
    }
    this.#running.event(event);
  }

  failures(diagnostics: readonly OperationDiagnostic[]): readonly ResourceFailure[] {
    return this.#failed.map((failed) => ({
      ...failed,
      diagnostics: diagnostics.filter(({ urn, severity }) => urn === failed.urn && severity === 'error'),
    }));
  }
}

function commonResult({ outcome, failures }: Seen<Outcome>): OperationResult {
  const { result, status } = outcome;
  const { kind, preview, changes, durationMs } = result.summary;
  return {
    ...{ kind, preview, status, changes, durationMs, failures },
    change: outcome.t === 'ended' ? Number(outcome.change) : undefined,
    diagnostics: [...result.diagnostics, ...storedOf(outcome)],
    inDoubt: result.inDoubt.map(({ urn, kind: step, id, cause }) => ({ urn, step, id, cause })),
    waiting: result.waiting.map(({ task, urn, kind: why, why: text }) => ({
      task,
      urn,
      kind: why,
      why: text,
    })),
  };
}

/** Returns the findings made while the state was stored. */
function storedOf(outcome: Outcome): readonly OperationDiagnostic[] {
  return outcome.t === 'ended' ? (outcome as Ended).stored : [];
}

function hasErrors(outcome: Outcome): boolean {
  return storedOf(outcome).some(({ severity }) => severity === 'error');
}

const SAID: Readonly<Record<OperationResult['status'], readonly [code: string, summary: string]>> = {
  succeeded: ['CAIRN-STATE-INTEGRITY', 'the operation succeeded, but its state is not consistent'],
  failed: ['CAIRN-RESOURCE-FAILED', 'the operation failed'],
  cancelled: ['CAIRN-CANCELLED', 'the operation was cancelled'],
  'rolled-back': ['CAIRN-RESOURCE-FAILED', 'the operation failed and was rolled back'],
  waiting: ['CAIRN-WAITING', 'the operation is waiting for an answer'],
  'unexpected-changes': ['CAIRN-UNEXPECTED-CHANGES', 'no changes were expected, but there are some'],
};

/** Returns the error of an operation. The outcome's own message comes first if it says more than the other errors. */
function failureOf(result: OperationResult, outcome: Outcome): OperationError {
  const errors = result.diagnostics.filter(({ severity }) => severity === 'error');
  const [code, summary] = SAID[outcome.status];
  const said: OperationDiagnostic = { severity: 'error', code, summary };
  const saysMore =
    outcome.status !== 'failed' && outcome.status !== 'rolled-back' && outcome.status !== 'succeeded';
  return new OperationError(saysMore || errors.length === 0 ? [said, ...errors] : errors, result);
}

/**
 * Returns the program in the form that operations run. `directory` is the base of its relative paths. `endAfterMs` is
 * the time it may wait with nothing under way.
 */
function programPort(
  program: InlineProgram,
  { runFunction }: SdkRuntime,
  directory: string,
  endAfterMs: number | undefined,
): OwnProgram {
  const start: OwnProgram['start'] = ({ monitor, engine, ...settings }) => {
    const abort = new AbortController();
    const { stack, dryRun: preview } = settings;
    const running = runFunction(() => program({ stack, preview, signal: abort.signal }), {
      ...{ monitor, engine, settings },
      directory,
      patience: { endAfterMs },
    });
    return {
      finished: running.finished.then((how) => {
        if (how !== 'ok') abort.abort();
        if (how === 'stopped') return { t: 'failed', message: 'The program was cancelled' };
        return { t: how === 'ok' ? 'ok' : 'bail' };
      }),
      stop: () => {
        running.stop();
        abort.abort();
      },
    };
  };
  return { directory, start, ending: 'outputs' };
}
