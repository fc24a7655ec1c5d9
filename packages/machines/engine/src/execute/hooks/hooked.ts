import { isHooked } from '../../model/hook-moments.js';
import type { HookedStep } from '../../model/hook-moments.js';
import type { Step } from '../../model/step.js';
import type { Effect } from '../effect.js';
import type { StepHandlerContext } from '../handlers/handler.js';

type Handle<S extends Step> = (step: S, context: StepHandlerContext) => Promise<Effect>;

/**
 * Wraps a handler with its hooks. A before-hook can refuse the step. After-hooks run after a successful step, for
 * components as soon as their outputs are registered [HOOK-5] [HOOK-6] [HOOK-7].
 */
export function hooked<S extends HookedStep>(handle: Handle<S>): Handle<S> {
  return (step, context) =>
    isHooked(step) && hasHooks(step) ? withHooks(step, context, handle) : handle(step, context);
}

async function withHooks<S extends HookedStep>(
  step: S,
  context: StepHandlerContext,
  handle: Handle<S>,
): Promise<Effect> {
  const refusal = await context.hooks.before(step);
  if (refusal !== undefined) return { t: 'failed', diagnostic: refusal };
  const effect = await handle(step, context);
  if (effect.t !== 'done') return effect;
  if ('new' in step && !step.new.custom) context.hooks.defer(step);
  else await context.hooks.after(step, effect.entry);
  return effect;
}

function hasHooks(step: HookedStep): boolean {
  const owner = 'new' in step ? step.new : step.old;
  for (const _ in owner.resourceHooks) return true;
  return false;
}
