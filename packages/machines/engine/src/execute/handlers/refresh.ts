import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import { isInitFailed } from '@cairn/wire';
import type { DiffResponse, Provider, ReadResponse } from '@cairn/wire';
import { foundDiff, isDiffed, isReadable, refreshResult } from '../../decide/refresh.js';
import { resolveUnknown } from '../../decide/structural-diff.js';
import type { StepOf } from '../../model/step.js';
import {
  answered,
  answeredDiff,
  answeredFailure,
  answeredId,
  answeredProperties,
} from '../../providers/provider-answer.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import type { ViewFields } from '../views/owned-views.js';
import { notReady } from './found-object.js';
import { entryIdentity, stamp, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/** Looks up an object again and judges its drift [REF-1]. An object that did not become ready is only a warning. */
export async function refreshEntry(step: StepOf<'refresh'>, context: StepHandlerContext): Promise<Effect> {
  const { old } = step;
  if (!isReadable(old)) return { t: 'done', entry: old, refresh: 'same' };
  return withProvider(step, old, context, async (provider, views) => {
    const { answer, reasons } = await readAgain(provider, step, context, views);
    if (answer.outputs === undefined || answer.id === '')
      return { t: 'done', entry: undefined, refresh: 'delete' };
    const found = foundEntry(old, answer, reasons, context);
    const asked = isDiffed(old) && context.legacyRefreshDiff !== true;
    const diff = asked ? await drift(provider, old, found, context) : undefined;
    const result = refreshResult(old, found, diff);
    return { t: 'done', entry: found, refresh: result, diff: diff && foundDiff(result, diff) };
  });
}

async function readAgain(
  provider: Provider,
  step: StepOf<'refresh'>,
  context: StepHandlerContext,
  views: ViewFields,
): Promise<{ readonly answer: ReadResponse; readonly reasons: readonly string[] }> {
  const { old } = step;
  try {
    const answer = await provider.read({
      ...entryIdentity(old),
      ...views,
      id: old.id,
      inputs: old.inputs,
      state: old.outputs,
      timeoutSeconds: old.customTimeouts.read,
    });
    return { answer: answered({ entry: old, call: 'read', preview: false }, answer), reasons: [] };
  } catch (thrown) {
    if (!isInitFailed(thrown)) throw thrown;
    const from = { entry: old, call: 'read', preview: false };
    const { id, inputs, outputs, refreshBeforeUpdate, reasons } = answeredFailure(from, thrown);
    context.report(notReady(old, thrown, reasons));
    return { answer: { id: id === '' ? old.id : id, inputs, outputs, refreshBeforeUpdate }, reasons };
  }
}

function foundEntry(
  old: ResourceEntry,
  answer: ReadResponse,
  reasons: readonly string[],
  context: StepHandlerContext,
): ResourceEntry {
  const from = { entry: old, call: 'read', preview: false };
  const inputs = answer.inputs === undefined ? old.inputs : answeredProperties(from, answer.inputs, 'inputs');
  const outputs = markSecretOutputs(answeredProperties(from, answer.outputs, 'outputs'), {
    inputs,
    additionalSecretOutputs: old.additionalSecretOutputs,
  });
  const moved = !equalMaps(old.inputs, inputs) || !equalMaps(old.outputs, outputs);
  return withEntry(old, {
    id: answeredId(from, answer.id),
    inputs,
    outputs,
    initErrors: reasons,
    refreshBeforeUpdate: answer.refreshBeforeUpdate,
    modified: moved ? stamp(context) : old.modified,
  });
}

/** Asks for the diff that would bring the found object back to the previous inputs. */
async function drift(
  provider: Provider,
  old: ResourceEntry,
  found: ResourceEntry,
  context: StepHandlerContext,
): Promise<DiffResponse> {
  const from = { entry: old, call: 'diff', preview: true };
  const answer = answeredDiff(
    from,
    await provider.diff({
      ...entryIdentity(old),
      id: found.id,
      oldInputs: found.inputs,
      oldOutputs: found.outputs,
      news: old.inputs,
      allowUnknowns: false,
      ignoreChanges: old.ignoreChanges,
    }),
  );
  context.contract.compared(old, found, old.inputs, answer);
  return resolveUnknown(answer, found.inputs, old.inputs, old.ignoreChanges);
}
