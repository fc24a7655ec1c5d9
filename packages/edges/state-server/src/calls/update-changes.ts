import { interruptedEnd } from '@cairn/backends';
import type { EndedChange, SentRecord, StackId } from '@cairn/backends';
import type { ChangingUpdate, UpdateEnding } from '../domain/update-record.js';
import type { StackStore } from '../store/service-store.js';

/**
 * Returns the end of the change of an update that ends, or undefined if it has none. One whose client did not say how
 * it ended has died: its records tell how far it came.
 */
export async function endOfChange(
  store: StackStore,
  stack: StackId,
  { stackId, change, ending }: ChangingUpdate & { readonly ending: UpdateEnding },
): Promise<EndedChange | undefined> {
  const { number } = change;
  const of = { stack, stackId };
  const open = number === undefined ? undefined : await store.change(of, number);
  if (open === undefined) return undefined;
  const { result, status, tasks } = ending.change ?? interruptedEnd(await recordsOf());
  const ended = new Date(ending.at * 1000).toISOString();
  return { number: open.number, end: { result, status, tasks, ended } };

  async function recordsOf(): Promise<readonly SentRecord[]> {
    if (open === undefined) return [];
    const { records } = await store.changeRecords(of, open, 0);
    return records.map((text) => JSON.parse(text) as SentRecord);
  }
}
