import { tokenPackage, urnName } from '@cairn/addresses';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { keepInputs, mergeSupplied } from '../../decide/supplied-inputs.js';
import type { Listed, StepOf } from '../../model/step.js';
import { answered, answeredFailures } from '../../providers/provider-answer.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { markSecretOutputs } from '../../model/secret-outputs.js';
import { lookUp } from './found-object.js';
import type { FoundObject } from './found-object.js';
import { createdNow, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';

/**
 * Takes over an item of an import list [IMP-2]. Components are recorded as listed. Objects are recorded as their
 * provider finds them, unless the list has their outputs. Inputs that fail the provider's check are only a warning.
 */
export async function takeListed(
  step: StepOf<'import' | 'import-replacement'>,
  listed: Listed,
  context: StepHandlerContext,
): Promise<Effect> {
  const { new: entry } = step;
  if (!entry.custom) {
    const { inputs = emptyMap, outputs = emptyMap } = listed;
    return done(createdNow(entry, context, { inputs, outputs }));
  }
  return withProvider(step, entry, context, async (provider) => {
    const found = await objectOf(provider, entry, listed, context);
    const inputs = keepInputs(mergeSupplied(found.inputs, listed.inputs ?? emptyMap), listed.properties);
    await checkInputs(provider, entry, found.inputs, inputs, context);
    const { additionalSecretOutputs } = entry;
    const outputs = markSecretOutputs(found.outputs, { inputs, additionalSecretOutputs });
    return done(createdNow(entry, context, { ...found, inputs, outputs }));
  });
}

async function objectOf(
  provider: Provider,
  entry: ResourceEntry,
  listed: Listed,
  context: StepHandlerContext,
): Promise<FoundObject> {
  const { id, outputs } = listed;
  if (outputs === undefined) return lookUp(provider, entry, id, context);
  return { id, inputs: emptyMap, outputs, refreshBeforeUpdate: false, initErrors: [] };
}

async function checkInputs(
  provider: Provider,
  entry: ResourceEntry,
  olds: PropertyMap,
  news: PropertyMap,
  context: StepHandlerContext,
): Promise<void> {
  const { urn, type } = entry;
  const from = { entry, call: 'check', preview: context.preview };
  const answer = await provider.check({
    urn,
    type,
    name: urnName(urn),
    olds,
    news,
    randomSeed: context.contract.seed(urn),
    allowUnknowns: context.preview,
    autonaming: undefined,
  });
  const failures = answeredFailures(from, answered(from, answer).failures);
  if (failures.length === 0) return;
  context.report(
    warningDiagnostic(
      'CAIRN-RESOURCE-CHECK',
      `inputs of the imported ${type} "${urnName(urn)}" do not pass the check of provider "${tokenPackage(type)}"`,
      {
        urn,
        causes: failures.map(({ property, reason }) => (property === '' ? reason : `${property}: ${reason}`)),
        hint: 'Correct these inputs in the program; the resource is imported anyway.',
      },
    ),
  );
}
