import type { BlobStore } from '@cairn/blobs';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { StackRecord } from '../service-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

type Row = Awaited<ReturnType<BlobStore['list']>>[number];

/** Age of what may be removed, in milliseconds. A reader may still look at younger files. */
const LEFT_MS = 24 * 3_600_000;

/** Time up to which updates that never started were looked for, in milliseconds of the clock of the store. */
interface LookedUntil {
  readonly until: number;
}

/**
 * Removes updates that were created a day ago and never started, and files of stacks that were removed a day ago. The
 * clock is that of the store. `updates` are the files of all updates.
 */
export async function removeLeftovers(
  blobs: BlobStore,
  documents: Documents,
  updates: readonly Row[],
): Promise<void> {
  const { until } = (await documents.get<LookedUntil>(keys.looked)) ?? { until: 0 };
  await documents.put(keys.looked, { until });
  const now = (await blobs.get(keys.looked))?.modified ?? 0;
  const end = now - LEFT_MS;
  // A record is not written again before its update starts, so one look at each is enough.
  for (const { key, modified } of updates)
    if (key.endsWith('/update.json') && modified >= until && modified < end)
      await removeUnstarted(blobs, key);
  await removeOrphans(blobs, documents, { updates, end });
  await documents.put(keys.looked, { until: end });
}

async function removeUnstarted(blobs: BlobStore, key: string): Promise<void> {
  const blob = await blobs.get(key);
  if (blob === undefined) return;
  const { status } = JSON.parse(Buffer.from(blob.bytes).toString('utf8')) as UpdateRecord;
  // One that starts at this moment has another version.
  if (status === 'created') await blobs.delete(key, { ifVersion: blob.version });
}

/** Removes the files of stacks that have no record any more. */
async function removeOrphans(
  blobs: BlobStore,
  documents: Documents,
  { updates, end }: { readonly updates: readonly Row[]; readonly end: number },
): Promise<void> {
  const rows = [
    ...updates,
    ...(await blobs.list(keys.allPreviews)),
    ...(await blobs.list(keys.queues)),
    ...(await blobs.list(keys.deployments)),
  ];
  const old = rows.filter(({ modified }) => modified < end);
  if (old.length === 0) return;
  const known = await stackIds(blobs, documents);
  for (const { key } of old) if (!known.has(stackIdIn(key))) await blobs.delete(key);
}

async function stackIds(blobs: BlobStore, documents: Documents): Promise<ReadonlySet<string>> {
  const listed = [...(await blobs.list(keys.stacks)), ...(await blobs.list(keys.organizations))];
  const ids = new Set<string>();
  for (const { key } of listed.filter((row) => row.key.includes('/stacks/'))) {
    const record = await documents.get<StackRecord>(key);
    if (record !== undefined) ids.add(record.id);
  }
  return ids;
}

/** Returns the id of the stack of a file: the third folder below the root, or the name of its queue. */
function stackIdIn(key: string): string {
  return (key.split('/')[3] ?? '').replace(/\.json$/, '');
}
