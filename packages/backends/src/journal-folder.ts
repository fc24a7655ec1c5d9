import { createHash } from 'node:crypto';
import { cairnError } from '@cairn/diagnostics';
import { decodeSegment, encodeRecords } from '@cairn/changes';
import type { ChangeRecord, ChangeStore, TornTail } from '@cairn/changes';
import type { BlobStore, Segment } from '@cairn/blobs';
import { changeOfJournalKey, layout } from './layout.js';
import type { StackIdentity } from './layout.js';

/** What a change's journal started from; its creation fences everybody else off the number (DESIGN D4). */
export interface JournalStart {
  /** SHA-256 of the checkpoint file the operation started from; empty when there was none. */
  readonly base: string;
  readonly kind: string;
  readonly message: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly pid: number;
  readonly hostname: string;
}

/** The checkpoint a journal is being folded into: written before the checkpoint is. */
export interface JournalFolding {
  /** SHA-256 of the new checkpoint file. */
  readonly checkpoint: string;
}

/** The end of a change: its journal is in the checkpoint and is kept as a record only. */
export interface JournalEnd {
  readonly result: 'succeeded' | 'failed' | 'interrupted';
  /** RFC 3339. */
  readonly endedAt: string;
}

/** A journal open for writing. */
export interface OpenJournal {
  readonly change: number;
  /** Durable when `append` resolves; appends that meet share a write. */
  readonly store: ChangeStore;
  close(): Promise<void>;
}

/** A journal without an end: its operation died, or runs. */
export interface UnendedJournal {
  readonly change: number;
  readonly start: JournalStart;
  readonly folding: JournalFolding | undefined;
  readonly records: readonly ChangeRecord[];
  readonly torn: TornTail | undefined;
}

/** Fingerprint of a checkpoint file for {@link JournalStart} and {@link JournalFolding}; empty for no file. */
export function fingerprint(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : createHash('sha256').update(bytes).digest('hex');
}

/** Opens the journal of the next change of a stack. The number is this operation's alone: a loser of the race is refused. */
export async function createJournal(
  store: BlobStore,
  id: StackIdentity,
  start: JournalStart,
): Promise<OpenJournal> {
  const change = Math.max(0, ...(await changes(store, id)).keys()) + 1;
  const made = await store.put(layout.journalFile(id, change, 'start.json'), json(start), { ifAbsent: true });
  const opened = made.ok
    ? await store.openSegment(layout.journalFile(id, change, '000001.log'), { create: 'exclusive' })
    : undefined;
  if (opened === undefined || !opened.ok) {
    throw cairnError(
      'CAIRN-STATE-LOCKED',
      `another operation on stack "${id.stack}" began at the same moment`,
      {
        hint: 'wait for it to end and run the command again',
      },
    );
  }
  return { change, store: storeOver(opened.segment), close: () => opened.segment.close() };
}

function storeOver(segment: Segment): ChangeStore {
  return {
    append: (records) => segment.append(encodeRecords(records)),
    load: () => Promise.reject(new Error('a journal that is being written is not read')),
  };
}

/** Journals of a stack that have no end, oldest first. A damaged one fails with CAIRN-JOURNAL-CORRUPT. */
export async function unendedJournals(
  store: BlobStore,
  id: StackIdentity,
): Promise<readonly UnendedJournal[]> {
  const found: UnendedJournal[] = [];
  for (const [change, files] of [...(await changes(store, id))].sort(([a], [b]) => a - b)) {
    if (files.has('end.json') || !files.has('start.json')) continue;
    const log = await store.get(layout.journalFile(id, change, '000001.log'));
    const name = `${store.url}/${layout.journalFile(id, change, '000001.log')}`;
    const { records, torn } = decodeSegment(log?.bytes ?? new Uint8Array(), { name });
    const start = await readJson<JournalStart>(store, layout.journalFile(id, change, 'start.json'));
    if (start === undefined) continue;
    const folding = await readJson<JournalFolding>(store, layout.journalFile(id, change, 'folding.json'));
    found.push({ change, start, folding, records, torn });
  }
  return found;
}

/** Says what the journal is being folded into. Durable before the checkpoint is written. */
export async function markFolding(
  store: BlobStore,
  id: StackIdentity,
  change: number,
  folding: JournalFolding,
): Promise<void> {
  await store.put(layout.journalFile(id, change, 'folding.json'), json(folding));
}

/** Ends a journal, then lets go of the oldest ended ones beyond `retention`. */
export async function endJournal(
  store: BlobStore,
  id: StackIdentity,
  change: number,
  end: JournalEnd,
  retention: number,
): Promise<void> {
  await store.put(layout.journalFile(id, change, 'end.json'), json(end));
  const all = await changes(store, id);
  const ended = [...all].filter(([, files]) => files.has('end.json')).sort(([a], [b]) => b - a);
  // The newest always stays: its number is what the next change counts from.
  for (const [old, files] of ended.slice(Math.max(1, retention))) {
    for (const file of files) await store.delete(`${layout.journals(id)}${old}/${file}`);
  }
}

/** Files of each change's journal, by number. */
async function changes(store: BlobStore, id: StackIdentity): Promise<Map<number, Set<string>>> {
  const found = new Map<number, Set<string>>();
  for (const { key } of await store.list(layout.journals(id))) {
    const at = changeOfJournalKey(id, key);
    if (at === undefined) continue;
    const files = found.get(at.change);
    if (files === undefined) found.set(at.change, new Set([at.file]));
    else files.add(at.file);
  }
  return found;
}

function json(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

async function readJson<T>(store: BlobStore, key: string): Promise<T | undefined> {
  const blob = await store.get(key);
  if (blob === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(blob.bytes).toString('utf8')) as T;
  } catch (error) {
    throw cairnError(
      'CAIRN-JOURNAL-CORRUPT',
      `the journal file ${store.url}/${key} is damaged`,
      {
        causes: [String(error)],
        hint: 'move the folder of this journal away to go on without what it recorded',
      },
      error,
    );
  }
}
