import type { Snapshot } from '@cairn/state';
import { REGISTERED } from '../model/history.js';
import type { Continued } from '../model/history.js';
import { lineageFindings } from './findings.js';
import { readPast } from './read-past.js';
import type { OpenEntry } from './read-past.js';
import { touchedUrns } from './touched.js';
import type { TouchingChange } from './touched.js';

/**
 * What an operation that goes on with a lineage is told of it, read from their records: the one place that puts
 * it together. `changes`: oldest first, at least one, with the stack that each found; `before`: the stack that the
 * first found. Fails with `CAIRN-JOURNAL-CORRUPT`. Costs as {@link touchedUrns}.
 */
export function continuedFrom(
  how: Continued['how'],
  changes: readonly TouchingChange[],
  before: Snapshot,
  open: OpenEntry,
): Required<Continued> {
  return {
    how,
    origin: changes[0]?.change ?? '',
    before,
    past: readPast(changes, open),
    touched: touchedUrns(changes),
    ...lineageFindings(changes, open),
    registered: changes.some(hasRegistered),
  };
}

/** Whether its program had registered all that it wanted. */
function hasRegistered({ records }: TouchingChange): boolean {
  return records.some(
    (record) =>
      record.record === 'data' &&
      record.task === undefined &&
      record.key === REGISTERED &&
      record.value === true,
  );
}
