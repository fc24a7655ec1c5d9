import type { BlobStore } from '@cairn/blobs';
import { nanoStamp } from '../backend-context.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';

/**
 * Removes the states of updates that began before a time: the copies of the checkpoint beside their entries, and the
 * backup copies. The entries stay, because versions are counted by them. The newest update keeps its state, whatever
 * its age, and so does one whose entry is not written yet.
 */
export async function forgetStates(store: BlobStore, id: StackId, before: Date): Promise<void> {
  const limit = BigInt(nanoStamp(before, 0));
  const history = await keysIn(store, layout.historyOf(id));
  const newest = latest(history.flatMap((key) => stampIn(key, `${id.stack}-`, '.history.json')));
  if (newest === undefined) return;
  const isOld = (stamp: bigint): boolean => stamp < limit && stamp < newest;
  const backups = await keysIn(store, layout.backupsOf(id));
  for (const key of history)
    if (stampIn(key, `${id.stack}-`, '.checkpoint.json').some(isOld)) await store.delete(key);
  for (const key of backups) if (stampIn(key, `${id.stack}.`, '.json').some(isOld)) await store.delete(key);
}

async function keysIn(store: BlobStore, folder: string): Promise<readonly string[]> {
  const names = await store.names?.(folder);
  return names?.map((name) => folder + name) ?? (await store.list(folder)).map(({ key }) => key);
}

/** Returns the stamp in the name of a file, or nothing for other names. */
function stampIn(key: string, start: string, end: string): readonly bigint[] {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const rest = name.startsWith(start) ? name.slice(start.length) : '';
  const [stamp = '', ...more] = rest.split('.');
  return /^\d{1,30}$/.test(stamp) && `.${more.join('.')}`.startsWith(end) ? [BigInt(stamp)] : [];
}

function latest(stamps: readonly bigint[]): bigint | undefined {
  return stamps.reduce<bigint | undefined>(
    (found, stamp) => (found === undefined || stamp > found ? stamp : found),
    undefined,
  );
}
