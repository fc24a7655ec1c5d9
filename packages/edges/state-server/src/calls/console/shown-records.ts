/** Record of a change, as a client sent it. */
export type ShownRecord = Readonly<Record<string, unknown>>;

/** Members of the data of a task that the console shows. Others may hold sealed values. */
const SHOWN_DATA = ['urn', 'id', 'kind'] as const;

/** Returns a record without journal entries and without the data that only the engine reads. */
export function shownRecord(text: string): ShownRecord {
  const { entry: _, data, ...record } = JSON.parse(text) as ShownRecord;
  // The value of a change's or a task's data may be sealed.
  if (record['record'] === 'data') delete (record as { value?: unknown }).value;
  if (typeof data !== 'object' || data === null) return record;
  const kept = SHOWN_DATA.filter((key) => Object.hasOwn(data, key));
  return { ...record, data: Object.fromEntries(kept.map((key) => [key, (data as ShownRecord)[key]])) };
}
