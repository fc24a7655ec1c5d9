import { isUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeRecord } from '@cairn/changes';
import { takeJournalEntry } from '@cairn/state';
import type { ResourceEntry, SerializedResource } from '@cairn/state';
import { objectKey } from '../model/history.js';
import type { Continued } from '../model/history.js';
import { isStepKind } from '../model/step-kinds.js';
import type { OpenEntry, PastChange } from './read-past.js';
import { UNDO_PART } from '../model/undo-part.js';

/**
 * Collects the facts of a lineage that a rollback needs besides its tasks. One is the names that resources had before
 * the lineage renamed them. The other is the findings of refreshes and imports from before the lineage changed anything
 * about the objects. Fails with `CAIRN-JOURNAL-CORRUPT`. O(records).
 */
export function lineageFindings(
  changes: readonly PastChange[],
  open: OpenEntry,
): Required<Pick<Continued, 'renamed' | 'found' | 'made'>> {
  const renamed = new Map<Urn, Urn>();
  const found = new Map<Urn, ResourceEntry>();
  const changed = new Set<Urn>();
  const made = new Set<string>();
  for (const { change, records } of changes) {
    const tasks = tasksOf(records);
    let beside = new BesideOutcome(0);
    for (const record of records) {
      if (!('entry' in record) || record.entry === undefined) continue;
      const entry = takeJournalEntry(record.entry, `of change ${change}`);
      const { operation } = entry;
      if (record.tx !== beside.tx) beside = new BesideOutcome(record.tx);
      if (record.record === 'entry') beside.add(entry.state);
      const named = entry.state ?? operation?.resource;
      if (named !== undefined && isUrn(named.urn)) noteNames(named.urn, named.aliases ?? [], renamed);
      if (record.record !== 'outcome' || record.direction !== 'do') continue;
      const task = tasks.get(record.task);
      if (task === undefined) continue;
      const { urn, kind } = task;
      const state = entry.state ?? beside.of(urn);
      if (state !== undefined && isStepKind(kind) && UNDO_PART[kind] === 'remove')
        made.add(objectKey(open(state)));
      if (record.result !== 'ok') continue;
      if (FINDS.has(kind) && state !== undefined && !changed.has(urn) && !found.has(urn))
        found.set(urn, open(state));
      if (isStepKind(kind) && UNDO_PART[kind] !== undefined) changed.add(urn);
    }
  }
  return { renamed, found, made };
}

/**
 * States that one transaction writes beside an outcome. An entry that others needed ahead of its turn is written again
 * at the end, as an entry of its own. The outcome that caused this has no state then.
 */
class BesideOutcome {
  readonly #states = new Map<string, SerializedResource>();

  constructor(readonly tx: number) {}

  add(state: SerializedResource | undefined): void {
    if (state !== undefined) this.#states.set(state.urn, state);
  }

  of(urn: Urn): SerializedResource | undefined {
    return this.#states.get(urn);
  }
}

const FINDS: ReadonlySet<string> = new Set(['refresh', 'import', 'import-replacement']);

function tasksOf(
  records: readonly ChangeRecord[],
): ReadonlyMap<string, { readonly urn: Urn; readonly kind: string }> {
  const tasks = new Map<string, { readonly urn: Urn; readonly kind: string }>();
  for (const record of records) {
    if (record.record !== 'task') continue;
    const urn = record.data?.['urn'];
    const step = record.data?.['step'];
    // The task that found out about a step in doubt recorded its end.
    const kind = typeof step === 'string' ? step : record.kind;
    if (typeof urn === 'string' && isUrn(urn)) tasks.set(record.id, { urn, kind });
  }
  return tasks;
}

/** Records that a new name leads to the first of all names of the resource. */
function noteNames(urn: Urn, aliases: readonly string[], renamed: Map<Urn, Urn>): void {
  for (const alias of aliases) {
    if (!isUrn(alias) || alias === urn) continue;
    const first = renamed.get(alias) ?? alias;
    if (first !== urn) renamed.set(urn, first);
  }
}
