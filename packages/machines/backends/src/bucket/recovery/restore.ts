import { isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { readCheckpoint } from '@cairn/state';
import { nanoStamp } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey, deploymentOf, digestOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { compress, decompress, COMPRESSION_OF } from '../checkpoint/compression.js';
import { getJournalFile } from '../journal/journal-files.js';
import { listJournals } from '../journal/journals.js';
import { JOURNAL_FILES, checkpointEnd, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { lockStack } from '../stacks/locked.js';
import type { DamagedState, StateCopy } from '../../model/repair.js';

/**
 * Replaces a checkpoint that cannot be read by its best copy, if `agree` allows it. The damaged one is kept in the
 * backups. Resolves with its place there, or undefined if nothing was done. Runs under the stack's lock, and does not
 * touch what dead operations left.
 */
export async function restoreCheckpoint(
  context: BackendContext,
  id: StackId,
  agree: (damaged: DamagedState) => Promise<boolean>,
): Promise<string | undefined> {
  const lock = await lockStack(context, id);
  try {
    const key = await checkpointKey(context.store, id);
    const damage = await damageOf(context, id);
    if (key === undefined || damage === undefined) return undefined;
    const found = await bestCopy(context, id, key);
    if (!(await agree({ damage, copy: found })) || found === undefined) return undefined;
    await lock.confirm();
    return await putBack(context, id, key, found.key);
  } finally {
    await lock.release();
  }
}

const DAMAGE: ReadonlySet<string> = new Set(['CAIRN-STATE-CORRUPT', 'CAIRN-STATE-SEALED-DAMAGED']);

async function damageOf({ store }: BackendContext, id: StackId): Promise<Diagnostic | undefined> {
  try {
    const checkpoint = await loadCheckpoint(store, id);
    if (checkpoint !== undefined) deploymentOf(checkpoint);
    return undefined;
  } catch (thrown) {
    const first = isCairnError(thrown) ? thrown.diagnostics[0] : undefined;
    if (first?.code === undefined || !DAMAGE.has(first.code)) throw thrown;
    return first;
  }
}

async function putBack(context: BackendContext, id: StackId, key: string, from: string): Promise<string> {
  const { store, now } = context;
  const kept = layout.backup(id, nanoStamp(now(), 0), checkpointEnd(key));
  await store.copy(key, kept);
  if (!from.startsWith(layout.journalsOf(id))) {
    await store.copy(from, key);
    return kept;
  }
  const blob = await store.get(from);
  const text = await decompress(blob?.bytes ?? new Uint8Array(), from);
  await store.put(key, await compress(text, COMPRESSION_OF[checkpointEnd(key)]));
  return kept;
}

/** Number of copies to look at, the newest first. */
const MOST_COPIES = 20;

async function bestCopy(context: BackendContext, id: StackId, key: string): Promise<StateCopy | undefined> {
  const { store } = context;
  const expected = await expectedOf(context, id);
  let best: StateCopy | undefined;
  for (const from of await copiesOf(context, id, key, expected?.base)) {
    const read = await readCopy(store, from);
    if (read === undefined) continue;
    const is =
      read.digest === expected?.digest ? { what: expected.what, change: expected.change } : undefined;
    const copy = { key: from, time: read.time, resources: read.resources, is };
    if (best === undefined || isBetter(copy, best)) best = copy;
  }
  return best;
}

/**
 * Returns true if the first copy is better. Another tool may have worked after the last change: the newer one wins,
 * then the one of known origin.
 */
function isBetter(one: StateCopy, other: StateCopy): boolean {
  const later = Date.parse(one.time) - Date.parse(other.time);
  return later > 0 || (later === 0 && one.is !== undefined && other.is === undefined);
}

interface Expected {
  readonly what: 'last' | 'base';
  readonly change: number;
  readonly digest: string;
  /** Key of the copy of a base, when it is beside its journal. */
  readonly base: string | undefined;
}

/** Returns the state that should be stored according to the newest journal. */
async function expectedOf({ store }: BackendContext, id: StackId): Promise<Expected | undefined> {
  for (const { change, number } of (await listJournals(store, id)).toReversed()) {
    const directory = layout.journalOf(id, change);
    const [operation, sealed] = await Promise.all([
      getJournalFile(store, directory, 'operation').catch(() => undefined),
      getJournalFile(store, directory, 'sealed').catch(() => undefined),
    ]);
    if (sealed?.result === 'nothing' || operation === undefined) continue;
    const base = directory + JOURNAL_FILES.base;
    if (sealed === undefined) return { what: 'base', change: number, digest: operation.base, base };
    if (sealed.checkpoint === undefined) return undefined;
    return { what: 'last', change: number, digest: sealed.checkpoint, base: undefined };
  }
  return undefined;
}

/** Returns keys of copies, likely ones first: beside the journal, then the newest. */
async function copiesOf(
  { store }: BackendContext,
  id: StackId,
  key: string,
  base: string | undefined,
): Promise<readonly string[]> {
  const rows = [
    ...(await store.list(layout.historyOf(id))).filter((row) => row.key.includes('.checkpoint.')),
    ...(await store.list(layout.backupsOf(id))),
    ...(await store.list(layout.previous(key))),
  ];
  rows.sort((a, b) => b.modified - a.modified);
  return [...(base === undefined ? [] : [base]), ...rows.slice(0, MOST_COPIES).map((row) => row.key)];
}

async function readCopy(
  store: BackendContext['store'],
  key: string,
): Promise<{ readonly digest: string; readonly time: string; readonly resources: number } | undefined> {
  try {
    const blob = await store.get(key);
    if (blob === undefined) return undefined;
    const text = await decompress(blob.bytes, key);
    const { deployment } = readCheckpoint(text, key);
    if (deployment === undefined) return undefined;
    return { digest: digestOf(text), time: deployment.manifest.time, resources: deployment.resources.length };
  } catch (thrown) {
    if (isCairnError(thrown)) return undefined;
    throw thrown;
  }
}
