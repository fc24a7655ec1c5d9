import { UNKNOWN_ID, isProviderType } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { StepOf } from '../../steps/step.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { answered, answeredFailure, answeredId, answeredProperties } from '../provider-answer.js';
import { markSecretOutputs } from '../secret-outputs.js';
import { identity, stamp, withProvider } from './handler.js';
import type { HandlerContext } from './handler.js';

/** Creates an object, or notes a component (A8). For `create` and `create-replacement`. */
export async function create(
  step: StepOf<'create' | 'create-replacement'>,
  context: HandlerContext,
): Promise<Effect> {
  const entry = step.new;
  if (!entry.custom) return done(created(entry, context));
  const from = { entry, call: 'create', preview: context.preview };
  return withProvider(
    step,
    entry,
    context,
    async (provider, views) => {
      const answer = answered(
        from,
        await provider.create({
          ...identity(entry),
          ...views,
          inputs: entry.inputs,
          timeoutSeconds: entry.customTimeouts.create,
          preview: context.preview,
        }),
      );
      const id = answeredId(from, answer.id);
      const outputs = answeredProperties(from, answer.outputs, 'outputs');
      const left = created(entry, context, {
        id: id === '' && isProviderType(entry.type) ? UNKNOWN_ID : id,
        outputs: markSecretOutputs(outputs, entry.inputs, entry.additionalSecretOutputs),
        refreshBeforeUpdate: answer.refreshBeforeUpdate,
      });
      return context.contract.applied(step, left, provider);
    },
    (error) => {
      const left = answeredFailure(from, error);
      return created(entry, context, {
        id: left.id,
        outputs: markSecretOutputs(left.outputs, entry.inputs, entry.additionalSecretOutputs),
        initErrors: left.reasons,
        refreshBeforeUpdate: left.refreshBeforeUpdate,
      });
    },
  );
}

function created(
  entry: ResourceEntry,
  context: HandlerContext,
  changes: Partial<ResourceEntry> = {},
): ResourceEntry {
  const at = stamp(context);
  return withEntry(entry, { ...changes, created: at, modified: at });
}
