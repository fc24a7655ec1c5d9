import type { BlobStore } from '@cairn/blobs';
import { readRoot } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { rootOnly } from '../../model/root-only.js';
import type { StackId } from '../../stack-id.js';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey, checkpointRows } from '../checkpoint/checkpoint-file.js';
import { END_BYTES, endsDigest } from '../checkpoint/outline.js';
import type { CheckpointOutline } from '../checkpoint/outline.js';
import { getJournalFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { readStack } from './read-stack.js';

/** Stored checkpoint whose outline is asked for. */
interface Outlined {
  readonly key: string;
  /** Returns true if an outline describes this checkpoint. */
  readonly fits: (outline: CheckpointOutline) => boolean;
  /** Returns the beginning of the checkpoint, or undefined if it is another one by now. */
  readonly start: () => Promise<Uint8Array | undefined>;
}

/** Outline of a stored checkpoint, with the checkpoint. */
interface FoundOutline extends Pick<Outlined, 'key' | 'start'> {
  readonly outline: CheckpointOutline;
}

/**
 * Returns the outline of the stored checkpoint. Returns undefined if the last operation has left none, if it has not
 * stored its state, or if another writer has replaced the checkpoint since.
 */
export async function outlineOf({ store }: BackendContext, id: StackId): Promise<FoundOutline | undefined> {
  const outlined = await outlinedOf(store, id);
  if (outlined === undefined) return undefined;
  const newest = await (await Journals.of(store, id)).newest();
  if (newest?.files.has(JOURNAL_FILES.sealed) !== true) return undefined;
  // Damage is reported by a reading of the whole state, if it matters to it.
  const directory = layout.journalOf(id, newest.change);
  const outline = (await getJournalFile(store, directory, 'sealed').catch(() => undefined))?.outline;
  return isOutline(outline) && outlined.fits(outline) ? { ...outlined, outline } : undefined;
}

async function outlinedOf(store: BlobStore, id: StackId): Promise<Outlined | undefined> {
  if (store.getStart !== undefined) {
    const row = (await checkpointRows(store, id)).at(-1);
    if (row?.version === undefined) return undefined;
    const { key, version } = row;
    const start = async (): Promise<Uint8Array | undefined> => {
      const blob = await store.getStart?.(key, END_BYTES);
      return blob?.version === version ? blob.bytes : undefined;
    };
    return { key, fits: (outline) => outline.version === version, start };
  }
  const key = store.getEnds && (await checkpointKey(store, id));
  const ends = key === undefined ? undefined : await store.getEnds?.(key, END_BYTES);
  if (key === undefined || ends === undefined) return undefined;
  return { key, fits: (outline) => outline.ends === endsDigest(ends), start: async () => ends.start };
}

function isOutline(found: CheckpointOutline | undefined): found is CheckpointOutline {
  return Number.isSafeInteger(found?.resources) && typeof found?.time === 'string';
}

/** Reads the root stack of a state, see `Backend.readRoot`. */
export async function readRootOf(
  context: BackendContext,
  id: StackId,
): Promise<SerializedDeployment | undefined> {
  const outlined = await outlineOf(context, id);
  const start = await outlined?.start();
  const found = outlined && start && readRoot(start, outlined.key);
  if (found !== undefined) return found;
  const { deployment } = await readStack(context, id, { integrity: 'skip' });
  return deployment && rootOnly(deployment);
}
