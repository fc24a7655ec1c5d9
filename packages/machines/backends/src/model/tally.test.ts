import type { ChangeRecord, RecordBody } from '@cairn/changes';
import { tallyOf } from './tally.js';

function records(...bodies: readonly RecordBody[]): readonly ChangeRecord[] {
  return bodies.map((body, index) => ({
    seq: index + 1,
    tx: index + 1,
    at: '2030-01-01T00:00:00Z',
    ...body,
  }));
}

const task = (id: string): RecordBody => ({ record: 'task', id, kind: 'create', summary: `create ${id}` });
const intent = (id: string): RecordBody => ({
  record: 'intent',
  task: id,
  direction: 'do',
  status: 'doing',
  attempt: 1,
  entry: { begin: id },
});
const outcome = (
  id: string,
  result: 'ok' | 'error' | 'unknown',
  status: 'done' | 'error' | 'wait',
): RecordBody => ({ record: 'outcome', task: id, direction: 'do', result, status, ms: 1 });

test('counts tasks by how far they have come', () => {
  const tally = tallyOf(
    records(
      task('1'),
      task('2'),
      task('3'),
      task('4'),
      intent('1'),
      intent('2'),
      outcome('1', 'ok', 'done'),
      outcome('2', 'error', 'error'),
      { record: 'status', task: '3', status: 'hold' },
      intent('4'),
    ),
  );
  expect(tally.counts()).toEqual({ total: 4, done: 1, undone: 0, failed: 1, held: 1, waiting: 0, doubt: 1 });
  expect(tally.status()).toBe('doing');
  expect(tally.inDoubt()).toEqual(['4']);
});

test('an outcome that is not known leaves the step in doubt until a status ends it', () => {
  const unknown = records(task('1'), intent('1'), outcome('1', 'unknown', 'wait'));
  const once = { total: 1, done: 0, undone: 0, failed: 0, held: 0, waiting: 0, doubt: 1 };
  expect(tallyOf(unknown).counts()).toEqual(once);
  expect(tallyOf(unknown).status()).toBe('wait');
  for (const status of ['hold', 'wait', 'error'] as const) {
    const fell = [...unknown, ...records({ record: 'status', task: '1', status })];
    expect(tallyOf(fell).counts()).toEqual(once);
  }
  const ended = [...unknown, ...records({ record: 'status', task: '1', status: 'done' })];
  expect(tallyOf(ended).counts()).toMatchObject({ waiting: 0, doubt: 0, done: 1 });
});

test('who was to find out about a step and waits for an answer leaves it in doubt; a step that was told to wait does not', () => {
  const waits: RecordBody = {
    record: 'outcome',
    task: '1',
    direction: 'do',
    result: 'wait',
    status: 'wait',
    ms: 1,
  };
  expect(tallyOf(records(task('1'), intent('1'), waits)).inDoubt()).toEqual(['1']);
  expect(tallyOf(records(task('1'), intent('1'), { ...waits, entry: { end: '1' } })).inDoubt()).toEqual([]);
  const answered = records(task('1'), intent('1'), waits, outcome('1', 'ok', 'done'));
  expect(tallyOf(answered).inDoubt()).toEqual([]);
});

test('a change without tasks holds', () => {
  expect(tallyOf([]).status()).toBe('hold');
});
