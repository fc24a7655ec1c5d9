import type { StepOf } from '../../model/step.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import { lookUp } from './found-object.js';
import { createdNow, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';
import { takeListed } from './import-listed.js';

/**
 * Takes over an existing object: by a read without inputs and state [IMP-1], or according to an import list [IMP-2].
 */
export function importObject(
  step: StepOf<'import' | 'import-replacement'>,
  context: StepHandlerContext,
): Promise<Effect> {
  const { listed, new: entry } = step;
  if (listed !== undefined) return takeListed(step, listed, context);
  return withProvider(step, entry, context, async (provider, views) => {
    const found = await lookUp(provider, entry, entry.importId, context, views);
    const { inputs } = found;
    const { additionalSecretOutputs } = entry;
    const outputs = markSecretOutputs(found.outputs, { inputs, additionalSecretOutputs });
    return done(createdNow(entry, context, { ...found, outputs }));
  });
}
