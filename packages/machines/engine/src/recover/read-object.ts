import type { ResourceEntry } from '@cairn/state';
import { isInitFailed } from '@cairn/wire';
import type { Provider, ReadResponse } from '@cairn/wire';
import { entryIdentity } from '../execute/handlers/handler.js';
import { answered, answeredFailure, answeredId, answeredProperties } from '../providers/provider-answer.js';
import { mayBeEcho, tellsRecorded, withoutRecord } from './evidence.js';

/** An object as its provider returns it. `reasons`: why it is not ready. */
export type FoundAgain = ReadResponse & { readonly reasons: readonly string[] };

/** Tells whether the object exists. */
export function isThere({ id, outputs }: Pick<ReadResponse, 'id' | 'outputs'>): boolean {
  return outputs !== undefined && id !== '';
}

/** Contents of a read request besides the type and the URN. */
type Told = Pick<ResourceEntry, 'id'> & {
  readonly inputs: ResourceEntry['inputs'] | undefined;
  readonly outputs: ResourceEntry['outputs'] | undefined;
};

/**
 * Reads an object. One that is not ready is also an answer. Throws the provider's error, and a CairnError for a bad
 * answer.
 */
export async function readObject(
  provider: Provider,
  entry: ResourceEntry,
  { id, inputs, outputs: state }: Told,
): Promise<FoundAgain> {
  const from = { entry, call: 'read', preview: false };
  const request = { ...entryIdentity(entry), id, inputs, state, timeoutSeconds: entry.customTimeouts.read };
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
 * Runs {@link readObject} for a recorded object. Returns `undefined` if the provider may not have read it, because its
 * answer may only echo the record in the request. `proves`: the provider states that its answers come from a read.
 * Otherwise an answer that repeats the record counts if the provider also finds the object by its id alone.
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
 * Tells whether the provider finds an object by its id. A provider that cannot do this answers in many ways, including
 * errors. None of them says anything about the object.
 */
async function findsById(provider: Provider, entry: ResourceEntry): Promise<boolean> {
  const told = { id: entry.id, inputs: undefined, outputs: withoutRecord(entry.outputs) };
  try {
    return tellsRecorded(entry, await readObject(provider, entry, told));
  } catch {
    return false;
  }
}
