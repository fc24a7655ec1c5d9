import type { ResourceEntry } from '@cairn/state';
import { isInitFailed } from '@cairn/wire';
import type { Provider, ReadResponse } from '@cairn/wire';
import { identity } from '../execute/handlers/handler.js';
import { answered, answeredFailure, answeredId, answeredProperties } from '../providers/provider-answer.js';
import { mayBeEcho, tellsRecorded, withoutRecord } from './evidence.js';

/** An object as its provider answers; `reasons`: why it is not ready. */
export type FoundAgain = ReadResponse & { readonly reasons: readonly string[] };

/** Whether there is an object at all. */
export function isThere({ id, outputs }: Pick<ReadResponse, 'id' | 'outputs'>): boolean {
  return outputs !== undefined && id !== '';
}

/** What a read is told besides the type and the URN. */
type Told = Pick<ResourceEntry, 'id'> & {
  readonly inputs: ResourceEntry['inputs'] | undefined;
  readonly outputs: ResourceEntry['outputs'] | undefined;
};

/**
 * Asks for an object; one that is not ready is an answer as well. Throws what the provider throws, and a CairnError for
 * a bad answer.
 */
export async function readObject(
  provider: Provider,
  entry: ResourceEntry,
  { id, inputs, outputs: state }: Told,
): Promise<FoundAgain> {
  const from = { entry, call: 'read', preview: false };
  const request = { ...identity(entry), id, inputs, state, timeoutSeconds: entry.customTimeouts.read };
  try {
    const answer = answered(from, await provider.read(request));
    if (answer.outputs === undefined || answer.id === '') return { ...answer, reasons: [] };
    return {
      ...answer,
      id: answeredId(from, answer.id),
      outputs: answeredProperties(from, answer.outputs, 'outputs'),
      reasons: [],
    };
  } catch (thrown) {
    if (!isInitFailed(thrown)) throw thrown;
    const { reasons, ...left } = answeredFailure(from, thrown);
    return { ...left, id: left.id === '' ? id : left.id, reasons };
  }
}

/**
 * {@link readObject} of a recorded object. Undefined: nobody knows whether the provider has looked at it, because its
 * answer may be nothing but the record that it was told. `proves`: the provider states that its answers come from a
 * look. Otherwise an answer that repeats the record counts when the provider finds the object also by its id alone.
 */
export async function lookAt(
  provider: Provider,
  entry: ResourceEntry,
  proves: boolean,
): Promise<FoundAgain | undefined> {
  const found = await readObject(provider, entry, entry);
  if (proves || found.reasons.length > 0 || !mayBeEcho(entry, found)) return found;
  return (await findsById(provider, entry)) ? found : undefined;
}

/**
 * A provider that cannot do this answers in many ways, errors included: none of them says anything about the object.
 */
async function findsById(provider: Provider, entry: ResourceEntry): Promise<boolean> {
  const told = { id: entry.id, inputs: undefined, outputs: withoutRecord(entry.outputs) };
  try {
    return tellsRecorded(entry, await readObject(provider, entry, told));
  } catch {
    return false;
  }
}
