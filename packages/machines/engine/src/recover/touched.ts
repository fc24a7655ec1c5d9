import { isUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ChangeRecord } from '@cairn/changes';
import { Replayer, takeJournalEntry } from '@cairn/state';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';

/**
 * One change of a lineage: its records, and the stack at its beginning (`undefined` if the stack was empty or is not
 * kept).
 */
export interface TouchingChange {
  readonly change: string;
  readonly records: readonly ChangeRecord[];
  readonly base: SerializedDeployment | undefined;
}

/**
 * Returns the URNs that the entries and tasks of the changes name: by state, by begun step, and by place in the stack
 * at that time. Former names count as well, because a step that renames a resource may have no recorded end. Fails with
 * `CAIRN-JOURNAL-CORRUPT`. O(records), plus O(stack) for each time that a change rebuilt its base.
 */
export function touchedUrns(changes: readonly TouchingChange[]): ReadonlySet<Urn> {
  const touched = new Set<Urn>();
  const touch = (urn: unknown) => {
    if (typeof urn === 'string' && isUrn(urn)) touched.add(urn);
  };
  for (const { change, records, base } of changes) {
    const reader = new PlaceReader(base, `of change ${change}`);
    for (const record of records) {
      if (record.record === 'task') touch(record.data?.['urn']);
      if (!('entry' in record) || record.entry === undefined) continue;
      for (const urn of reader.urns(takeJournalEntry(record.entry, `of change ${change}`))) touch(urn);
    }
  }
  return touched;
}

/** Finds the URN at each place of a growing journal. */
class PlaceReader {
  readonly #replayer: Replayer | undefined;
  #base: readonly string[];
  readonly #added = new Map<number, string>();
  readonly #deployment: SerializedDeployment | undefined;

  constructor(deployment: SerializedDeployment | undefined, source: string) {
    this.#deployment = deployment;
    this.#replayer = deployment && new Replayer(deployment, source);
    this.#base = urnsOf(deployment);
  }

  urns(entry: SerializedJournalEntry): readonly (string | undefined)[] {
    const { removeOld, deleteOld, pendingReplacementOld, removeNew, deleteNew, pendingReplacementNew } =
      entry;
    const stated = [entry.state, entry.operation?.resource];
    const named = [
      ...stated.map((resource) => resource?.urn),
      ...stated.flatMap((resource) => resource?.aliases ?? []),
      ...[removeOld, deleteOld, pendingReplacementOld].map((at) => (at === undefined ? at : this.#base[at])),
      ...[removeNew, deleteNew, pendingReplacementNew].map((id) =>
        id === undefined ? id : this.#added.get(id),
      ),
    ];
    this.#replayer?.add(entry);
    if (entry.state !== undefined) this.#added.set(entry.operationId, entry.state.urn);
    if (entry.kind === 'write') this.#base = urnsOf(entry.newSnapshot);
    if (entry.kind === 'rebuilt-base-state' && this.#deployment !== undefined)
      this.#base = urnsOf(this.#replayer?.generate(this.#deployment.manifest));
    return named;
  }
}

function urnsOf(deployment: SerializedDeployment | undefined): readonly string[] {
  return (deployment?.resources ?? []).map(({ urn }) => urn);
}
