import type { StepOf } from '../../model/step.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { identity, withProvider } from './handler.js';
import type { HandlerContext } from './handler.js';

/** Deletes an object, or only its entry where no call is due [DEL-1]. */
export async function deleteObject(
  step: StepOf<'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced'>,
  context: HandlerContext,
): Promise<Effect> {
  const { old } = step;
  if (step.noCall !== undefined) return done(undefined);
  return withProvider(step, old, context, async (provider, views) => {
    await provider.delete({
      ...identity(old),
      ...views,
      id: old.id,
      oldInputs: old.inputs,
      oldOutputs: old.outputs,
      timeoutSeconds: old.customTimeouts.delete,
    });
    return done(undefined);
  });
}
