import { cairnError } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { StepOf } from '../../steps/step.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { answeredProperties, badAnswer } from '../provider-answer.js';
import { markSecretOutputs } from '../secret-outputs.js';
import { identity, stamp, withProvider } from './handler.js';
import type { HandlerContext } from './handler.js';

/** Takes over an existing object: a read without inputs and state (A14). */
export async function importObject(
  step: StepOf<'import' | 'import-replacement'>,
  context: HandlerContext,
): Promise<Effect> {
  const entry = step.new;
  const from = { entry, call: 'read', preview: false };
  return withProvider(
    step,
    entry,
    context,
    async (provider) => {
      const answer = await provider.read({
        ...identity(entry),
        id: entry.importId,
        inputs: undefined,
        state: undefined,
        timeoutSeconds: entry.customTimeouts.read,
      });
      if (answer.outputs === undefined) {
        throw cairnError(
          'CAIRN-RESOURCE-MISSING',
          `cannot import ${step.urn}: "${entry.importId}" does not exist`,
          {
            urn: step.urn,
            hint: 'Correct the import id.',
          },
        );
      }
      if (answer.inputs === undefined) {
        throw cairnError(
          'CAIRN-RESOURCE-FAILED',
          `cannot import ${step.urn}: the provider cannot import ${entry.type}`,
          {
            urn: step.urn,
            hint: 'Remove the import option and let the resource be created.',
          },
        );
      }
      if (typeof answer.id !== 'string') throw badAnswer(from, `its id is ${typeof answer.id}, not a text`);
      const inputs = answeredProperties(from, answer.inputs, 'inputs');
      const outputs = answeredProperties(from, answer.outputs, 'outputs');
      return done(
        imported(entry, context, {
          id: answer.id === '' ? entry.importId : answer.id,
          inputs,
          outputs: markSecretOutputs(outputs, inputs, entry.additionalSecretOutputs),
          refreshBeforeUpdate: answer.refreshBeforeUpdate,
        }),
      );
    },
    (error) =>
      imported(entry, context, {
        id: error.id === '' ? entry.importId : error.id,
        inputs: error.inputs ?? entry.inputs,
        outputs: error.outputs,
        initErrors: error.reasons,
      }),
  );
}

function imported(
  entry: ResourceEntry,
  context: HandlerContext,
  changes: Partial<ResourceEntry>,
): ResourceEntry {
  const at = stamp(context);
  return withEntry(entry, { ...changes, created: at, modified: at });
}
