import { withEntry } from '@cairn/state';
import type { StepOf } from '../../model/step.js';
import { answered, answeredFailure, answeredResult } from '../../providers/provider-answer.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import { heldToContract, entryIdentity, stamp, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/**
 * Changes an object in place. A partial failure keeps the old inputs beside the new outputs [REG-7]. `modified` changes
 * when the provider was asked [STATE-2], so not for a component.
 */
export async function updateObject(step: StepOf<'update'>, context: StepHandlerContext): Promise<Effect> {
  const { old, new: entry } = step;
  if (!entry.custom) return done(entry);
  const from = { entry, call: 'update', preview: context.preview };
  return withProvider(
    step,
    entry,
    context,
    async (provider, views) => {
      const answer = answered(
        from,
        await provider.update({
          ...entryIdentity(entry),
          ...views,
          id: old.id,
          oldInputs: old.inputs,
          oldOutputs: old.outputs,
          news: entry.inputs,
          timeoutSeconds: entry.customTimeouts.update,
          ignoreChanges: entry.ignoreChanges,
          preview: context.preview,
        }),
      );
      const outputs = answeredResult(from, answer.outputs, 'outputs');
      const left = withEntry(entry, {
        outputs: markSecretOutputs(outputs, entry),
        refreshBeforeUpdate: answer.refreshBeforeUpdate,
        initErrors: [],
        modified: context.preview ? old.modified : stamp(context),
      });
      return heldToContract(step, left, provider, context);
    },
    (error) => {
      const left = answeredFailure(from, error);
      return withEntry(entry, {
        id: left.id === '' ? old.id : left.id,
        inputs: old.inputs,
        outputs: markSecretOutputs(left.outputs, entry),
        initErrors: left.reasons,
        refreshBeforeUpdate: left.refreshBeforeUpdate,
        modified: stamp(context),
      });
    },
  );
}
