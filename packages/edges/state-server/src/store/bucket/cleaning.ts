import type { BlobStore } from '@cairn/blobs';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { CleaningRules } from '../service-store.js';
import { previewOfMark, removePreview } from './bucket-previews.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';
import { keyedRecord } from './keyed-records.js';
import { removeLeftovers } from './leftovers.js';
import type { ServedOrganizations } from './served-organizations.js';

/** Files of one update beside its record. */
interface UpdateFiles {
  readonly stackId: string;
  readonly id: string;
  readonly journal: string[];
  readonly events: string[];
}

/**
 * Removes what is not needed any more: leftovers, journals and bases of updates that ended, old events, and notes of
 * damaged records that can be read again. The journals of changes are those of the bucket.
 */
export async function cleanBucket(
  blobs: BlobStore,
  documents: Documents,
  { eventsMs, now }: CleaningRules,
): Promise<void> {
  const updates = await blobs.list(keys.updates);
  await removeLeftovers(blobs, documents, updates);
  for (const { stackId, id, journal, events } of filesOf(updates)) {
    const record = await documents.get<UpdateRecord>(keys.update(stackId, id));
    if (record?.ending === undefined || record.status === 'running') continue;
    const isKept = record.problem !== undefined;
    const isOld = eventsMs !== undefined && record.ending.at * 1000 < now().getTime() - eventsMs;
    for (const key of [...(isKept ? [] : journal), ...(isOld ? events : [])]) await blobs.delete(key);
  }
  for (const { key } of await blobs.list(keys.damaged)) {
    const isMended = await keyedRecord(documents, keys.damagedFile(key)).then(
      () => true,
      () => false,
    );
    if (isMended) await blobs.delete(key);
  }
}

/** Removes previews that ended before a time. Only the records of those that began before it are read. */
export async function removeOldPreviews(
  blobs: BlobStore,
  documents: Documents,
  before: number,
): Promise<void> {
  for (const { key } of await blobs.list(keys.allPreviews)) {
    const { stackId, id, startedAt } = previewOfMark(key);
    if (startedAt >= before) continue;
    const record = await documents.get<UpdateRecord>(keys.update(stackId, id));
    const isOver = record === undefined || (record.ending?.at ?? Infinity) * 1000 < before;
    if (isOver) await removePreview(blobs, documents, key);
  }
}

/** Removes the states of old versions of all stacks. */
export async function forgetStatesOf(
  organizations: ServedOrganizations,
  names: readonly string[],
  before: Date,
): Promise<void> {
  for (const organization of names) {
    const { backend, texts } = await organizations.of({ organization });
    for (const id of await backend.list()) await texts.forget(id, before);
  }
}

/** Returns the files of updates that have more than their record. */
function filesOf(rows: readonly { readonly key: string }[]): readonly UpdateFiles[] {
  const found = new Map<string, UpdateFiles>();
  for (const { key } of rows) {
    const [stackId = '', id = '', name = ''] = key.slice(keys.updates.length).split('/');
    const files = found.get(id) ?? { stackId, id, journal: [], events: [] };
    found.set(id, files);
    if (name === 'journal' || name === 'base.json') files.journal.push(key);
    else if (name === 'events') files.events.push(key);
  }
  return [...found.values()].filter(({ journal, events }) => journal.length + events.length > 0);
}
