import type { BlobStore } from '@cairn/blobs';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { readMessages } from '../control/control-files.js';
import { changeName } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { SET_ASIDE } from '../../model/lineages.js';
import type { ChangeDescription } from '../../model/change-facts.js';
import type { MovingChange, PastEnd } from '../../model/past-change.js';
import { loadBase } from './base-copy.js';
import { readFiles, segmentRecords } from './change-files.js';
import type { ChangeFiles } from './change-files.js';
import { rowOf } from './change-rows.js';
import { changeNotFound } from './read-changes.js';

/** Reads a change that has ended; see `PastChanges.read`. */
export async function readPastChange(
  store: BlobStore,
  id: StackId,
  number: number,
): Promise<MovingChange | undefined> {
  const files = await readFiles(store, id, { change: changeName(number), number });
  if (files === undefined) throw changeNotFound(id, number);
  const { directory, operation, sealed, over, left } = files;
  if (sealed === undefined || over !== undefined) return undefined;
  const messages = await readMessages(store, directory);
  return {
    number,
    operation: pastOperation(operation),
    end: pastEnd(files, sealed),
    records: await segmentRecords(store, directory),
    messages: messages.flatMap(({ found }) => ('message' in found ? [found.message] : [])),
    base: await loadBase(store, directory, operation.base, await loadCheckpoint(store, id)),
    states: { base: operation.base, left: left === SET_ASIDE ? undefined : left },
  };
}

/** Returns the name of the stored state, as journals name it. */
export async function storedStateName(store: BlobStore, id: StackId): Promise<string | undefined> {
  return (await loadCheckpoint(store, id))?.digest;
}

function pastOperation(file: ChangeFiles['operation']): ChangeDescription {
  const { change: _change, lock: _lock, base: _base, ...operation } = withoutSum(file);
  return operation;
}

/** Journals of older versions say less about the end, which their records and their history entry tell. */
function pastEnd(files: ChangeFiles, sealed: NonNullable<ChangeFiles['sealed']>): PastEnd {
  const { result, same, setAside } = sealed;
  const { status, tasks, ended } = rowOf(files, false, false);
  return {
    ...{ result, status, tasks },
    ...(ended !== undefined && { ended }),
    ...(same && { same }),
    ...(setAside && { setAside }),
  };
}

/** Returns the content of a small file without the fields that every such file has. */
function withoutSum<T extends object>(file: T): T {
  const { version: _version, sum: _sum, ...content } = file as T & { version?: unknown; sum?: unknown };
  return content as unknown as T;
}
