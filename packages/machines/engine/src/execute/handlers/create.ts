import { UNKNOWN_ID, isProviderType, urnName } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { CreateRequest } from '@cairn/wire';
import { cutToken } from '../../decide/in-doubt.js';
import type { StepOf } from '../../model/step.js';
import { declaredFor, extrasOf } from '../../providers/extras.js';
import { answered, answeredFailure, answeredId, answeredResult } from '../../providers/provider-answer.js';
import type { ReadyProvider } from '../../providers/ready-provider.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import type { ViewFields } from '../views/owned-views.js';
import { createdNow, heldToContract, withProvider } from './handler.js';
import type { StepHandlerContext, StepStart } from './handler.js';

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
      const repeats = await repeatable(provider, entry.type, context);
      const answer = answered(from, await provider.create(requestOf(entry, context.preview, views, repeats)));
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

/** Fields that make it safe to continue a create after a crash. */
type Repeatable = Pick<CreateRequest, 'token' | 'progressId' | 'onProgressId'>;

const ONCE: Repeatable = {};

/** Returns the request of a create. Its fields are written out, because spreads take several times the memory. */
function requestOf(
  { urn, type, inputs, customTimeouts }: ResourceEntry,
  preview: boolean,
  { views, oldViews }: ViewFields,
  { token, progressId, onProgressId }: Repeatable,
): CreateRequest & ViewFields {
  const name = urnName(urn);
  const timeoutSeconds = customTimeouts.create;
  return {
    urn,
    name,
    type,
    inputs,
    timeoutSeconds,
    preview,
    views,
    oldViews,
    token,
    progressId,
    onProgressId,
  };
}

/** Returns the fields for a safe repetition that the provider supports. */
function repeatable(
  provider: ReadyProvider,
  type: string,
  { preview, start }: StepHandlerContext,
): Repeatable | Promise<Repeatable> {
  return preview || start === undefined || provider.extras === undefined
    ? ONCE
    : supported(provider, type, start);
}

async function supported(provider: ReadyProvider, type: string, start: StepStart): Promise<Repeatable> {
  const declared = await extrasOf(provider);
  if (declared === undefined) return ONCE;
  const extras = declaredFor(type, declared);
  const token = extras?.idempotencyToken === undefined ? undefined : cutToken(start.token, extras);
  if (extras?.plainCreate === true && start.progressId === undefined) return { token };
  return { token, progressId: start.progressId, onProgressId: (id) => start.note(id) };
}
