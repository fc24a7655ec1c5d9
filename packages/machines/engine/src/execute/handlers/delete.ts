import { urnName } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { InitFailedError } from '@cairn/wire';
import type { StepOf } from '../../model/step.js';
import { answeredFailure } from '../../providers/provider-answer.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import { stamp, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/**
 * Deletes an object, or only its entry if no call is due [DEL-1]. An object that remains is recorded as its provider
 * now describes it.
 */
export async function deleteObject(
  step: StepOf<'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced'>,
  context: StepHandlerContext,
): Promise<Effect> {
  const { old } = step;
  if (step.noCall !== undefined) return done(undefined);
  return withProvider(
    step,
    old,
    context,
    async (provider, { views, oldViews }) => {
      await provider.delete({
        // Written out: spreads take several times the memory.
        urn: old.urn,
        name: urnName(old.urn),
        type: old.type,
        views,
        oldViews,
        id: old.id,
        oldInputs: old.inputs,
        oldOutputs: old.outputs,
        timeoutSeconds: old.customTimeouts.delete,
      });
      return done(undefined);
    },
    (error) => stillThere(old, error, context),
  );
}

/** Returns the entry of an object that remained after its delete, as its provider now describes it. */
export function stillThere(
  old: ResourceEntry,
  error: InitFailedError,
  context: StepHandlerContext,
): ResourceEntry {
  const { id, outputs } = answeredFailure({ entry: old, call: 'delete', preview: false }, error);
  return withEntry(old, {
    id: id === '' ? old.id : id,
    outputs: markSecretOutputs(outputs, old),
    modified: stamp(context),
  });
}
