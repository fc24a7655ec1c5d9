import { BugError, messageOf } from '@cairn/diagnostics';
import { errorHookNames, hookOwner, isHooked, operationOf } from '../../model/hook-moments.js';
import type { HookedStep } from '../../model/hook-moments.js';
import type { Step } from '../../model/step.js';
import type { HookRunner } from './hook-runner.js';

/** Maximum number of provider calls for one step, including the first [HOOK-10]. */
const MOST_CALLS = 100;

/** End of a step's calls. */
type Attempts<T> =
  | { readonly t: 'done'; readonly result: T }
  /** `because` is the reason for no further call, if it lies with the error hooks. The user must read it first. */
  | { readonly t: 'failed'; readonly thrown: unknown; readonly because: string | undefined };

/**
 * Makes a call, and repeats it while it fails, an error hook of the step asks for that [HOOK-9] and calls were not
 * `cancelled`. `call` does not throw, except a BugError: it returns {@link failedCall}.
 */
export function attempts<T>(
  step: Step,
  hooks: HookRunner,
  cancelled: () => boolean,
  call: () => Promise<Attempts<T>>,
): Promise<Attempts<T>> {
  if (!isHooked(step) || errorHookNames(hookOwner(step)).length === 0) return call();
  return repeated(step, hooks, cancelled, call);
}

/** Returns the end of a call that threw. Throws a BugError again. */
export function failedCall(thrown: unknown): Attempts<never> {
  if (thrown instanceof BugError) throw thrown;
  return { t: 'failed', thrown, because: undefined };
}

async function repeated<T>(
  step: HookedStep,
  hooks: HookRunner,
  cancelled: () => boolean,
  call: () => Promise<Attempts<T>>,
): Promise<Attempts<T>> {
  const errors: string[] = [];
  for (let calls = 1; ; calls += 1) {
    const ended = await call();
    if (ended.t === 'done' || cancelled()) return ended;
    if (calls === MOST_CALLS) {
      hooks.warn(step, `maximum number of error hook retries (${MOST_CALLS}) reached`);
      return { ...ended, because: 'maximum number of error hook retries reached' };
    }
    errors.unshift(messageOf(ended.thrown));
    const answer = await hooks.askErrorHooks(step, [...errors]);
    if (answer.t === 'stand') return ended;
    if (answer.t === 'broken')
      return { ...ended, because: `error hooks execution failed: ${answer.message}` };
    hooks.warn(step, retrying(step, calls));
  }
}

function retrying(step: HookedStep, calls: number): string {
  return `retrying ${operationOf(step.kind)} due to on-error hook request (${calls}/${MOST_CALLS})`;
}
