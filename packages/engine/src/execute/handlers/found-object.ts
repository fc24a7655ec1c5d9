import { cairnError } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { InitFailedError, Provider } from '@cairn/wire';
import { answered, answeredFailure, answeredId, answeredProperties } from '../provider-answer.js';
import { markSecretOutputs } from '../secret-outputs.js';
import { identity, stamp } from './handler.js';
import type { HandlerContext } from './handler.js';
import type { ViewFields } from '../../views/view-book.js';

/** An object as its provider describes it. */
export interface FoundObject {
  readonly id: string;
  readonly inputs: PropertyMap;
  readonly outputs: PropertyMap;
  readonly refreshBeforeUpdate: boolean;
}

/** Looks up an object that is to be taken over. Throws when there is none, or when the provider cannot say how it was made. */
export async function lookUp(
  provider: Provider,
  entry: ResourceEntry,
  id: string,
  views: ViewFields = {},
): Promise<FoundObject> {
  const from = { entry, call: 'read', preview: false };
  const { urn, type } = entry;
  const answer = answered(
    from,
    await provider.read({
      ...identity(entry),
      ...views,
      id,
      inputs: undefined,
      state: undefined,
      timeoutSeconds: entry.customTimeouts.read,
    }),
  );
  if (answer.outputs === undefined) {
    throw cairnError('CAIRN-RESOURCE-MISSING', `cannot import ${urn}: "${id}" does not exist`, {
      urn,
      hint: 'Correct the import id.',
    });
  }
  if (answer.inputs === undefined) {
    throw cairnError(
      'CAIRN-RESOURCE-FAILED',
      `cannot import ${urn}: the provider cannot import ${type}: it does not support importing`,
      { urn, hint: 'Remove the import option and let the resource be created.' },
    );
  }
  return {
    id: answer.id === '' ? id : answeredId(from, answer.id),
    inputs: answeredProperties(from, answer.inputs, 'inputs'),
    outputs: answeredProperties(from, answer.outputs, 'outputs'),
    refreshBeforeUpdate: answer.refreshBeforeUpdate,
  };
}

/** What is known of an object that exists and is not ready. */
export function unready(error: InitFailedError, entry: ResourceEntry, id: string): Partial<ResourceEntry> {
  const left = answeredFailure({ entry, call: 'read', preview: false }, error);
  const inputs = left.inputs ?? entry.inputs;
  return {
    id: left.id === '' ? id : left.id,
    inputs,
    outputs: markSecretOutputs(left.outputs, inputs, entry.additionalSecretOutputs),
    initErrors: left.reasons,
  };
}

/** The entry of an object that was taken over now. */
export function imported(
  entry: ResourceEntry,
  context: HandlerContext,
  changes: Partial<ResourceEntry>,
): ResourceEntry {
  const at = stamp(context);
  return withEntry(entry, { ...changes, created: at, modified: at });
}
