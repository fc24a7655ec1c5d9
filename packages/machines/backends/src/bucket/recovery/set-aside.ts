import { isCairnError } from '@cairn/diagnostics';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { getJournalFile, putJournalFile } from '../journal/journal-files.js';
import { listJournals } from '../journal/journals.js';
import type { JournalRow, OperationFile } from '../journal/journal-files.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { loadStart } from '../records/base-copy.js';
import { tallyOf } from '../../model/tally.js';
import type { StackId } from '../../stack-id.js';
import { lockStack } from '../stacks/locked.js';
import { begunBy, isEmpty, readDead } from './dead-journal.js';
import type { DeadJournal } from './dead-journal.js';
import type { RecordedStep, StrandedChange } from '../../model/repair.js';

/**
 * Sets aside the journals that block all work on the stack, if `agree` allows it after seeing them. Their changes stay
 * listed, but become part of no state, and cannot be continued. Resolves with the journals that were set aside. None
 * are if there are none, or `agree` refuses. Runs under the stack's lock.
 */
export async function setAside(
  context: BackendContext,
  id: StackId,
  agree: (stranded: readonly StrandedChange[]) => Promise<boolean>,
): Promise<readonly StrandedChange[]> {
  const lock = await lockStack(context, id);
  try {
    await context.store.sweep?.(layout.locksOf(id));
    const found = await strandedOf(context, id);
    if (found.length === 0 || !(await agree(found.map(({ change }) => change)))) return [];
    await lock.confirm();
    for (const { row, dead } of found) {
      const { store, instance, now } = context;
      const tally = tallyOf(dead?.content.records ?? []);
      await putJournalFile(
        store,
        layout.journalOf(id, row.change),
        'sealed',
        {
          lock: instance,
          result: 'interrupted',
          status: tally.status(),
          tasks: { ...tally.counts(), doubt: 0 },
          ended: now().toISOString(),
          setAside: true,
        },
        { ifAbsent: true },
      );
    }
    return found.map(({ change }) => change);
  } finally {
    await lock.release();
  }
}

interface Stranded {
  readonly row: JournalRow;
  readonly dead: DeadJournal | undefined;
  readonly change: StrandedChange;
}

async function strandedOf(context: BackendContext, id: StackId): Promise<readonly Stranded[]> {
  const { store } = context;
  const checkpoint = await loadCheckpoint(store, id);
  if (checkpoint === undefined) return [];
  const stranded: Stranded[] = [];
  for (const row of await listJournals(store, id)) {
    if (row.files.has(JOURNAL_FILES.sealed)) continue;
    const directory = layout.journalOf(id, row.change);
    let operation: OperationFile | undefined;
    try {
      operation = await getJournalFile(store, directory, 'operation');
      if (operation === undefined) continue;
      const dead = await readDead(store, row, directory, operation);
      if (isEmpty(dead) || (await loadStart(store, directory, operation.base, checkpoint)) !== undefined)
        continue;
      const steps = stepsOf(dead.content.entries, deploymentOf(checkpoint));
      const change = { number: row.number, begun: begunBy(operation), steps, damage: undefined };
      stranded.push({ row, dead, change });
    } catch (thrown) {
      if (!isCairnError(thrown) || thrown.diagnostics[0]?.code !== 'CAIRN-JOURNAL-CORRUPT') throw thrown;
      const { summary, causes = [] } = thrown.diagnostics[0];
      const begun = operation === undefined ? 'an operation' : begunBy(operation);
      const damage = [summary, ...causes].join(': ');
      stranded.push({ row, dead: undefined, change: { number: row.number, begun, steps: [], damage } });
    }
  }
  return stranded;
}

const ENDS: ReadonlySet<string> = new Set(['success', 'failure', 'refresh-success']);

/**
 * Returns the steps in the entries, in order of their beginning. Reads (and looks at what is there) leave nothing to
 * report.
 */
function stepsOf(
  entries: readonly SerializedJournalEntry[],
  state: SerializedDeployment | undefined,
): readonly RecordedStep[] {
  const present = new Set((state?.resources ?? []).map(({ urn, id }) => JSON.stringify([urn, id ?? ''])));
  const ends = new Map<number, SerializedJournalEntry>();
  for (const entry of entries) if (ENDS.has(entry.kind)) ends.set(entry.operationId, entry);
  return entries.flatMap((begin): readonly RecordedStep[] => {
    const { operation } = begin;
    if (begin.kind !== 'begin' || operation === undefined || operation.type === 'reading') return [];
    const end = ends.get(begin.operationId);
    const { urn } = operation.resource;
    const id = (end?.state ?? operation.resource).id ?? '';
    const outcome = end === undefined ? 'in doubt' : end.kind === 'failure' ? 'failed' : 'done';
    const inState = present.has(JSON.stringify([urn, id]));
    return [{ type: operation.type, urn, id: id === '' ? undefined : id, outcome, inState }];
  });
}
