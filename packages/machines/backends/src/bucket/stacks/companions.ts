import type { BlobStore } from '@cairn/blobs';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';

/** Blob and its new place. */
export interface KeyMove {
  readonly from: string;
  readonly to: string;
}

/**
 * Lists the blobs beside a stack's checkpoint that follow it to another name or project: its history, backups, tags and
 * the journals of its operations. The name of the stack inside a file's name changes with it.
 */
export async function companionMoves(
  store: BlobStore,
  from: StackId,
  to: StackId,
): Promise<readonly KeyMove[]> {
  const history = await inDirectory(
    store,
    layout.historyOf(from),
    layout.historyOf(to),
    renamed(from, to, '-'),
  );
  const backups = await inDirectory(
    store,
    layout.backupsOf(from),
    layout.backupsOf(to),
    renamed(from, to, '.'),
  );
  const tags = (await store.list(layout.tags(from))).filter((row) => row.key === layout.tags(from));
  const journals = (await store.list(layout.journalsOf(from))).map(({ key }) => ({
    from: key,
    to: layout.journalsOf(to) + key.slice(layout.journalsOf(from).length),
  }));
  return [
    ...history,
    ...backups,
    ...tags.map(({ key }) => ({ from: key, to: layout.tags(to) })),
    ...journals,
  ];
}

/** Copies each blob to its new place. One that is gone was moved before. */
export async function copyAll(store: BlobStore, moves: readonly KeyMove[]): Promise<void> {
  for (const { from, to } of moves) await store.copy(from, to);
}

/** Deletes the blobs whose copies are in place. */
export async function deleteMoved(store: BlobStore, moves: readonly KeyMove[]): Promise<void> {
  for (const { from } of moves) await store.delete(from);
}

/** Lists direct children whose name belongs to the stack. */
async function inDirectory(
  store: BlobStore,
  from: string,
  to: string,
  rename: (name: string) => string | undefined,
): Promise<readonly KeyMove[]> {
  const moves: KeyMove[] = [];
  for (const { key } of await store.list(from)) {
    const name = key.slice(from.length);
    const renamedTo = name.includes('/') ? undefined : rename(name);
    if (renamedTo !== undefined) moves.push({ from: key, to: to + renamedTo });
  }
  return moves;
}

function renamed(from: StackId, to: StackId, separator: string): (name: string) => string | undefined {
  const start = from.stack + separator;
  return (name) => (name.startsWith(start) ? to.stack + separator + name.slice(start.length) : undefined);
}
