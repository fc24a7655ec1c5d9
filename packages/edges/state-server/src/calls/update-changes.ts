import { servedChangesToRemove, stateDigest } from '@cairn/backends';
import type { SentRecord, StateText } from '@cairn/backends';
import type { StartedChange } from '@cairn/http-api';
import { sealedChange, startedChange } from '../domain/served-change.js';
import type { ServedChange } from '../domain/served-change.js';
import type { UpdateEnding, UpdateRecord } from '../domain/update-record.js';
import type { StackStore } from '../store/service-store.js';

/** Update with a change. */
type ChangingUpdate = UpdateRecord & Required<Pick<UpdateRecord, 'change'>>;

/** Returns true for an update of a client that sends the records of its change. */
export function hasChange(record: UpdateRecord): record is ChangingUpdate {
  return record.change !== undefined;
}

/** State that an update starts from, and the number of the version before it. */
interface StartOfChange {
  readonly version: number;
  readonly base: StateText;
}

/**
 * Opens the change of an update that starts, and returns the record of the update with its number. Numbers grow, and
 * are those of versions as long as every version is a change.
 */
export async function openServedChange(
  store: StackStore,
  record: ChangingUpdate,
  { version, base }: StartOfChange,
): Promise<{ readonly record: UpdateRecord; readonly change: StartedChange }> {
  const newest = (await store.changeNumbers(record.stackId)).at(-1) ?? 0;
  const number = Math.max(version, newest) + 1;
  const change = { number, base: stateDigest(base) };
  await store.putChange(record.stackId, startedChange(record, change));
  return { record: { ...record, change: { ...record.change, number } }, change };
}

/**
 * Closes the change of an update that ends, and removes those that need not be kept any more. `left` is the state that
 * the update left, or undefined if it could not be stored. May be repeated.
 */
export async function closeServedChange(
  store: StackStore,
  record: ChangingUpdate & { readonly ending: UpdateEnding },
  left: StateText | undefined,
  keep: number,
): Promise<void> {
  const { stackId, ending } = record;
  const { number } = record.change;
  const open = number === undefined ? undefined : await store.change(stackId, number);
  if (open === undefined) return;
  const closed = await sealedChange(open, ending, {
    left: left && stateDigest(left),
    records: () => recordsOf(store, stackId, open),
  });
  await store.putChange(stackId, closed);
  // Few stacks have more changes than are kept, and only those are read.
  if ((await store.changeNumbers(stackId)).length <= keep) return;
  const changes = await store.changes(stackId);
  const gone = servedChangesToRemove(changes, keep);
  for (const change of changes) if (gone.has(change.number)) await store.removeChange(stackId, change);
}

async function recordsOf(
  store: StackStore,
  stackId: string,
  change: ServedChange,
): Promise<readonly SentRecord[]> {
  const { records } = await store.changeRecords(stackId, change, 0);
  return records.map((text) => JSON.parse(text) as SentRecord);
}
