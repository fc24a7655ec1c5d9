import type { ConsoleDoubt } from '@cairn/http-api';
import type { ShownRecord } from './shown-records.js';

/** Step in doubt as the state has it. */
type PendingDoubt = Omit<ConsoleDoubt, 'change' | 'task' | 'since' | 'reason' | 'isNamed' | 'answers'>;

/** Returns steps in doubt with what the records of a change, and the messages to it, tell about them. */
export function knownDoubts(
  doubts: readonly PendingDoubt[],
  change: number,
  records: readonly ShownRecord[],
  messages: readonly object[],
): readonly ConsoleDoubt[] {
  const taskOf = new Map<unknown, string>();
  for (const record of records)
    if (record['record'] === 'task') {
      const { urn } = (record['data'] ?? {}) as ShownRecord;
      taskOf.set(urn, String(record['id']));
    }
  return doubts.map((doubt) => {
    const task = taskOf.get(doubt.urn);
    if (task === undefined) return { ...doubt, answers: [] };
    const about = records.filter((record) => record['task'] === task);
    const intent = about.findLast((record) => record['record'] === 'intent');
    const reason = about.findLast(
      (record) => record['record'] === 'outcome' && record['result'] === 'unknown',
    );
    return {
      ...{ ...doubt, change, task, answers: answersFor(task, messages) },
      ...(intent !== undefined && { since: String(intent['at']) }),
      ...(about.some((record) => record['record'] === 'progress-id') && { isNamed: true as const }),
      ...(typeof reason?.['reason'] === 'string' && { reason: reason['reason'] }),
    };
  });
}

function answersFor(task: string, messages: readonly object[]): ConsoleDoubt['answers'] {
  return messages.flatMap((message) => {
    const { t, task: about, by, answer } = message as ShownRecord;
    return t === 'resolve' && about === task ? [{ by: String(by), answer }] : [];
  });
}
