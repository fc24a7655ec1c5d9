import { readRoot } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { rootOnly } from '../../model/root-only.js';
import type { StackId } from '../../stack-id.js';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey } from '../checkpoint/checkpoint-file.js';
import { END_BYTES, endsDigest } from '../checkpoint/outline.js';
import type { CheckpointOutline } from '../checkpoint/outline.js';
import { getJournalFile } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { readStack } from './read-stack.js';

/** Outline of a stored checkpoint, and the checkpoint's beginning. */
interface Outlined {
  readonly key: string;
  readonly start: Uint8Array;
  readonly outline: CheckpointOutline;
}

/**
 * Returns the outline of the stored checkpoint. Returns undefined if the last operation has left none, if it has not
 * stored its state, or if another writer has replaced the checkpoint since.
 */
export async function outlineOf({ store }: BackendContext, id: StackId): Promise<Outlined | undefined> {
  if (store.getEnds === undefined) return undefined;
  const key = await checkpointKey(store, id);
  const ends = key === undefined ? undefined : await store.getEnds(key, END_BYTES);
  if (key === undefined || ends === undefined) return undefined;
  const newest = await (await Journals.of(store, id)).newest();
  if (newest?.files.has(JOURNAL_FILES.sealed) !== true) return undefined;
  // Damage is reported by a reading of the whole state, if it matters to it.
  const directory = layout.journalOf(id, newest.change);
  const outline = (await getJournalFile(store, directory, 'sealed').catch(() => undefined))?.outline;
  return isOutline(outline) && outline.ends === endsDigest(ends)
    ? { key, start: ends.start, outline }
    : undefined;
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
  const found = outlined && readRoot(outlined.start, outlined.key);
  if (found !== undefined) return found;
  const { deployment } = await readStack(context, id, { integrity: 'skip' });
  return deployment && rootOnly(deployment);
}
