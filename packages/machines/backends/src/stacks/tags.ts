import type { Blob, BlobStore } from '@cairn/blobs';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { goJson, isJsonObject } from '@cairn/state';
import type { StackTags } from '../backend.js';
import { layout } from '../layout.js';
import type { StackId } from '../stack-id.js';

/** Times that a change of tags is tried again when somebody else was quicker. */
const TRIES = 10;

/** Tags of the stack [STORE-10]; none without a file. Fails with `CAIRN-STATE-CORRUPT`. */
export async function readTags(store: BlobStore, id: StackId): Promise<StackTags> {
  const key = layout.tags(id);
  return takeTags(await store.get(key), key);
}

/**
 * Stores what a change makes of the tags, only over what it was made of; without tags the file goes. Other tools store
 * them without looking.
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
    `cannot store the tags of stack "${id.stack}": others change them all the time`,
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
    throw unreadable(key, 'its tags are not texts');
  return tags as StackTags;
}

function unreadable(key: string, why: string): Error {
  return cairnError('CAIRN-STATE-CORRUPT', `cannot read the tags in ${key}: ${why}`, {
    hint: 'Nothing was changed. Mend the file, or move it away to start without tags.',
  });
}
