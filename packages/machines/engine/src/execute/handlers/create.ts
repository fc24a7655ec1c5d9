import { isProviderType, UNKNOWN_ID } from '@cairn/addresses';
import type { CreateRequest } from '@cairn/wire';
import { cutToken } from '../../decide/in-doubt.js';
import type { StepOf } from '../../model/step.js';
import { extrasOf, typeExtrasOf } from '../../providers/extras.js';
import { answered, answeredFailure, answeredId, answeredResult } from '../../providers/provider-answer.js';
import type { ReadyProvider } from '../../providers/ready-provider.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../secret-outputs.js';
import { createdNow, heldToContract, entryIdentity, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/** Creates an object, or records a component [REG-7]. For `create` and `create-replacement`. */
export async function createObject(
  step: StepOf<'create' | 'create-replacement'>,
  context: StepHandlerContext,
): Promise<Effect> {
  const entry = step.new;
  if (!entry.custom) return done(createdNow(entry, context));
  const from = { entry, call: 'create', preview: context.preview };
  return withProvider(
    step,
    entry,
    context,
    async (provider, views) => {
      const answer = answered(
        from,
        await provider.create({
          ...entryIdentity(entry),
          ...views,
          inputs: entry.inputs,
          timeoutSeconds: entry.customTimeouts.create,
          preview: context.preview,
          ...(await repeatable(provider, entry.type, context)),
        }),
      );
      const id = answeredId(from, answer.id);
      const outputs = answeredResult(from, answer.outputs, 'outputs');
      const left = createdNow(entry, context, {
        id: id === '' && isProviderType(entry.type) ? UNKNOWN_ID : id,
        outputs: markSecretOutputs(outputs, entry),
        refreshBeforeUpdate: answer.refreshBeforeUpdate,
      });
      return heldToContract(step, left, provider, context);
    },
    (error) => {
      const left = answeredFailure(from, error);
      return createdNow(entry, context, {
        id: left.id,
        outputs: markSecretOutputs(left.outputs, entry),
        initErrors: left.reasons,
        refreshBeforeUpdate: left.refreshBeforeUpdate,
      });
    },
  );
}

/** Returns the supported fields that make it safe to continue the create after a crash. */
async function repeatable(
  provider: ReadyProvider,
  type: string,
  { preview, start }: StepHandlerContext,
): Promise<Pick<CreateRequest, 'token' | 'progressId' | 'onProgressId'>> {
  if (preview || start === undefined || provider.extras === undefined) return {};
  if ((await extrasOf(provider)) === undefined) return {};
  const extras = await typeExtrasOf(provider, type);
  const token = extras?.idempotencyToken === undefined ? undefined : cutToken(start.token, extras);
  return { token, progressId: start.progressId, onProgressId: (id) => start.note(id) };
}
