import { BugError } from '@cairn/diagnostics';
import type { CallOutcome } from './kinds.js';
import type { Routine } from './routine.js';

/** Receives the end of a call of a handler. */
interface CallListener {
  /** Called exactly once. */
  answered(outcome: CallOutcome): void;
  /** Called if `answered` itself has thrown, which is a bug. */
  broken(error: unknown): void;
  /** Returns true if an unknown effect may be resolved now. */
  mayResolve(): boolean;
}

/**
 * Calls the handler of a routine. An error that it throws is its outcome. If a resolution leaves the start open, the
 * handler runs again. An unknown effect is resolved at once if the kind can [REC-2] [CHG-14].
 */
export function callHandler(routine: Routine, listener: CallListener): void {
  let answer: unknown;
  try {
    answer = call(routine);
  } catch (error) {
    return listener.answered({ t: 'error', error });
  }
  if (!isPromise(answer)) return take(routine, answer, listener);
  answer
    .then(
      (value) => take(routine, value, listener),
      (error: unknown) => listener.answered({ t: 'error', error }),
    )
    .catch((error: unknown) => listener.broken(error));
}

function take(routine: Routine, answer: unknown, listener: CallListener): void {
  const { kind, mode, resolving } = routine;
  if (mode === 'cleanup') return listener.answered({ t: 'ok' });
  if (answer === 'run-again' && resolving) return listener.answered({ t: 'retry', afterMs: 0 });
  if (!isOutcome(answer)) {
    const error = new BugError(`the handler of kind "${routine.task.kind}" returned no outcome`);
    return listener.answered({ t: 'error', error });
  }
  if (answer.t === 'unknown' && kind.resolve !== undefined && !resolving && listener.mayResolve()) {
    routine.resolving = true;
    return callHandler(routine, listener);
  }
  listener.answered(answer);
}

function call(routine: Routine): unknown {
  const { kind, mode } = routine;
  if (routine.resolving && mode !== 'cleanup') return kind.resolve?.(routine, mode);
  switch (mode) {
    case 'do':
      return kind.do(routine);
    case 'undo':
      return kind.undo?.(routine);
    case 'cleanup':
      return kind.cleanup?.(routine);
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  // An outcome may have a member of that name as well: the status its wait leads to.
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

const OUTCOMES: ReadonlySet<unknown> = new Set<CallOutcome['t']>([
  'ok',
  'error',
  'retry',
  'wait',
  'hold',
  'unknown',
]);

function isOutcome(value: unknown): value is CallOutcome {
  return typeof value === 'object' && value !== null && 't' in value && OUTCOMES.has(value.t);
}
