import { decodeSegment, encodeRecords, replayChange } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import { takeControlMessage } from './control-message.js';
import type { ControlMessage } from './control-message.js';
import { referencesIn, takeSentRecord } from './sent-records.js';

const SOURCE = 'of the change';

/**
 * Reads the records of a change that ended elsewhere: whole, in a row, with their entries, and such that they can be
 * replayed. Fails with `CAIRN-JOURNAL-CORRUPT`.
 */
export function takePastRecords(values: readonly unknown[]): readonly ChangeRecord[] {
  const taken = values.map((value) => {
    const record = takeSentRecord(value);
    if (typeof record === 'string') throw invalid(`a record ${SOURCE} is invalid: ${record}`);
    if (referencesIn(record).length > 0) throw invalid(`record ${record.seq} ${SOURCE} lacks its entry`);
    return record;
  });
  const { records } = decodeSegment(encodeRecords(taken), { name: SOURCE });
  if (records.length < taken.length) throw invalid(`the last transaction ${SOURCE} is not complete`);
  if (records[0]?.record === 'change') replayChange(records);
  return records;
}

/** Reads the messages to a change that ended elsewhere. Fails with `CAIRN-JOURNAL-CORRUPT`. */
export function takePastMessages(
  values: readonly Readonly<Record<string, unknown>>[],
): readonly ControlMessage[] {
  return values.map((value) => {
    const message = takeControlMessage(value as Parameters<typeof takeControlMessage>[0]);
    if (message === undefined) throw invalid(`a message ${SOURCE} is invalid`);
    return message;
  });
}

function invalid(summary: string): Error {
  return cairnError('CAIRN-JOURNAL-CORRUPT', summary);
}
