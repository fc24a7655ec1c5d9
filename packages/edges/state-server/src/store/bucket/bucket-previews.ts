import type { BlobStore } from '@cairn/blobs';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { FoundPreviews, PreviewPage } from '../service-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

/** Characters of the id of an update, at the end of the name of a mark. */
const ID = 36;

/** Marks a preview as started. Marks are in the folder of the version that it started from, and sort by their start. */
export async function markPreview(blobs: BlobStore, record: UpdateRecord): Promise<void> {
  const { stackId, id, previewOf, stamp = '', status } = record;
  if (previewOf === undefined || status !== 'running') return;
  await blobs.put(`${keys.previews(stackId, previewOf)}${stamp}-${id}`, Buffer.from(''), { ifAbsent: true });
}

/** Returns the preview that a mark is of. `startedAt` is in milliseconds since 1970. */
export function previewOfMark(mark: string): {
  readonly stackId: string;
  readonly id: string;
  readonly startedAt: number;
} {
  const [stackId = '', , name = ''] = mark.slice(keys.allPreviews.length).split('/');
  return { stackId, id: name.slice(-ID), startedAt: Number(name.slice(0, -ID - 1)) / 1e6 };
}

/** Removes a preview, and its mark last. */
export async function removePreview(blobs: BlobStore, documents: Documents, mark: string): Promise<void> {
  const { stackId, id } = previewOfMark(mark);
  for (const { key } of await blobs.list(keys.log(stackId, id, 'events'))) await blobs.delete(key);
  await documents.remove(keys.update(stackId, id));
  await blobs.delete(mark);
}

/** Returns previews by their marks. Only those of the page are read. */
export async function markedPreviews(
  blobs: BlobStore,
  documents: Documents,
  stackId: string,
  { version, size, page, oldestFirst }: PreviewPage,
): Promise<FoundPreviews> {
  const marks = (await blobs.list(keys.previews(stackId, version))).map(({ key }) => key).sort();
  if (!oldestFirst) marks.reverse();
  const from = size === undefined ? 0 : (page - 1) * size;
  const ids = marks.slice(from, size && from + size).map((mark) => mark.slice(-ID));
  const records = await Promise.all(ids.map((id) => documents.get<UpdateRecord>(keys.update(stackId, id))));
  return { previews: records.filter((record) => record !== undefined), total: marks.length };
}
