import { withEntry } from '@cairn/state';
import type { StepOf } from '../../model/step.js';
import { answeredFailure } from '../../providers/provider-answer.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../secret-outputs.js';
import { identity, stamp, withProvider } from './handler.js';
import type { HandlerContext } from './handler.js';

/**
 * Deletes an object, or only its entry where no call is due [DEL-1]. One that is still there is recorded as its
 * provider says that it is now.
 */
export async function deleteObject(
  step: StepOf<'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced'>,
  context: HandlerContext,
): Promise<Effect> {
  const { old } = step;
  if (step.noCall !== undefined) return done(undefined);
  return withProvider(
    step,
    old,
    context,
    async (provider, views) => {
      await provider.delete({
        ...identity(old),
        ...views,
        id: old.id,
        oldInputs: old.inputs,
        oldOutputs: old.outputs,
        timeoutSeconds: old.customTimeouts.delete,
      });
      return done(undefined);
    },
    (error) => {
      const { id, outputs } = answeredFailure({ entry: old, call: 'delete', preview: false }, error);
      return withEntry(old, {
        id: id === '' ? old.id : id,
        outputs: markSecretOutputs(outputs, old.inputs, old.additionalSecretOutputs),
        modified: stamp(context),
      });
    },
  );
}
