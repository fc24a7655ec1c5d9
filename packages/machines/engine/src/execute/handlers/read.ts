import { cairnError } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap, equalMaps } from '@cairn/values';
import type { StepOf } from '../../model/step.js';
import {
  answered,
  answeredFailure,
  answeredId,
  answeredProperties,
} from '../../providers/provider-answer.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import { entryIdentity, stamp, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/** Looks up an object that the program does not own. In preview an unknown id gives empty outputs without a call. */
export async function readExternal(
  step: StepOf<'read' | 'read-replacement'>,
  context: StepHandlerContext,
): Promise<Effect> {
  const entry = step.new;
  if (step.idUnknown) return done(withEntry(entry, { id: '', outputs: emptyMap }));
  const from = { entry, call: 'read', preview: false };
  return withProvider(
    step,
    entry,
    context,
    async (provider, views) => {
      const answer = answered(
        from,
        await provider.read({
          ...entryIdentity(entry),
          ...views,
          id: entry.id,
          inputs: entry.inputs,
          state: entry.inputs,
          timeoutSeconds: entry.customTimeouts.read,
        }),
      );
      if (answer.outputs === undefined || answer.id === '') {
        throw cairnError(
          'CAIRN-RESOURCE-MISSING',
          `cannot read ${step.urn}: resource '${entry.id}' does not exist`,
          {
            urn: step.urn,
            hint: 'Correct the id that the program reads.',
          },
        );
      }
      const outputs = answeredProperties(from, answer.outputs, 'outputs');
      // The inputs remain those of the program's request. The provider's inputs determine the secrets.
      const told = answer.inputs === undefined ? emptyMap : answeredProperties(from, answer.inputs, 'inputs');
      const marked = markSecretOutputs(outputs, entry);
      return done(
        found(step, context, {
          id: answeredId(from, answer.id),
          outputs: markSecretOutputs(marked, { inputs: told, additionalSecretOutputs: [] }),
        }),
      );
    },
    (error) => {
      const left = answeredFailure(from, error);
      const outputs = markSecretOutputs(left.outputs, entry);
      return found(step, context, { id: left.id, outputs, initErrors: left.reasons });
    },
  );
}

/**
 * Returns the entry of a read object. Cairn did not make the object, so the entry has no creation time. Its
 * modification time is that of the first read that differs from the previous one.
 */
function found(
  step: StepOf<'read' | 'read-replacement'>,
  context: StepHandlerContext,
  changes: Partial<ResourceEntry>,
): ResourceEntry {
  const { old } = step;
  const entry = withEntry(step.new, changes);
  const unchanged =
    old !== undefined && equalMaps(old.inputs, entry.inputs) && equalMaps(old.outputs, entry.outputs);
  const modified = old === undefined || unchanged ? old?.modified : stamp(context);
  return withEntry(entry, { created: old?.created, modified });
}
