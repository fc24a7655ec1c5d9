import type { Blob, BlobStore } from '@cairn/blobs';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { goJson, isJsonObject } from '@cairn/state';
import type { StackTags } from '../../backend.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';

/** Number of tries for a change of tags, while another process is quicker. */
const TRIES = 10;

/** Returns tags of the stack [STORE-10]; there are none without a file. Fails with `CAIRN-STATE-CORRUPT`. */
export async function readTags(store: BlobStore, id: StackId): Promise<StackTags> {
  const key = layout.tags(id);
  return takeTags(await store.get(key), key);
}

/**
 * Stores the tags that a change returns, only over the ones that it received. Without tags it removes the file. Other
 * tools store tags without looking.
 */
export async function editTags(
  store: BlobStore,
  id: StackId,
  change: (tags: StackTags) => StackTags,
): Promise<void> {
  const key = layout.tags(id);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const blob = await store.get(key);
    const before = takeTags(blob, key);
    const after = change(before);
    if (goJson(after) === goJson(before)) return;
    const condition = blob === undefined ? { ifAbsent: true } : { ifVersion: blob.version };
    const stored =
      Object.keys(after).length > 0
        ? await store.put(key, Buffer.from(`{"version":1,"tags":${goJson(after)}}`), condition)
        : await store.delete(key, blob === undefined ? undefined : { ifVersion: blob.version });
    if (stored.ok) return;
  }
  throw cairnError(
    'CAIRN-STORE-CONFLICT',
    `cannot store the tags of stack "${id.stack}": other processes keep changing them`,
    {
      hint: 'Run the command again.',
    },
  );
}

function takeTags(blob: Blob | undefined, key: string): StackTags {
  if (blob === undefined) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(blob.bytes).toString('utf8'));
  } catch (thrown) {
    throw unreadable(key, messageOf(thrown));
  }
  if (!isJsonObject(parsed) || parsed['version'] !== 1) throw unreadable(key, 'it is not of version 1');
  const tags = parsed['tags'] ?? {};
  if (!isJsonObject(tags) || !Object.values(tags).every((value) => typeof value === 'string'))
    throw unreadable(key, 'its tags are not strings');
  return tags as StackTags;
}

function unreadable(key: string, why: string): Error {
  return cairnError('CAIRN-STATE-CORRUPT', `cannot read the tags in ${key}: ${why}`, {
    hint: 'Nothing was changed. Repair the file, or move it away to start without tags.',
  });
}
