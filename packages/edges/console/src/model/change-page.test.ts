import fc from 'fast-check';
import { ShownChangeLog } from './change-page.js';
import type { PageRecord, TaskRow } from './change-page.js';

const URN = 'urn:pulumi:dev::shop::test:index:Thing::a';
const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds)).toISOString();

/** Numbers records, a second apart. */
function numbered(...records: readonly PageRecord[]): readonly PageRecord[] {
  return records.map((record, index) => ({ seq: index + 1, tx: index + 1, at: at(index), ...record }));
}

const OPENED = { record: 'change', id: 'x', kind: 'up', summary: '', scope: 's' };
const task = (kind: string, id = '1', more: object = {}): PageRecord => ({
  ...{ record: 'task', id, kind, summary: `${kind} ${URN}`, data: { urn: URN } },
  ...more,
});
const intent = (direction: 'do' | 'undo', id = '1'): PageRecord => ({
  ...{ record: 'intent', task: id, direction, attempt: 1 },
  status: direction === 'do' ? 'doing' : 'undoing',
});
const outcome = (status: string, result: string, more: object = {}): PageRecord => ({
  ...{ record: 'outcome', task: '1', direction: 'do', status, result, ms: 20 },
  ...more,
});

function rowOf(...records: readonly PageRecord[]): TaskRow {
  const log = new ShownChangeLog();
  log.add(numbered(OPENED, ...records));
  return log.page().tasks[0] as TaskRow;
}

test.each<[string, readonly PageRecord[], Partial<TaskRow>]>([
  [
    'added',
    [task('create')],
    { words: 'create', tone: 'create', mark: '+', name: 'a', type: 'test:index:Thing' },
  ],
  ['running', [task('update'), intent('do')], { words: 'updating', tone: 'update', mark: '~', attempts: 1 }],
  [
    'done',
    [task('delete'), intent('do'), outcome('done', 'ok')],
    { words: 'deleted', tone: 'delete', ms: 20 },
  ],
  [
    'failed',
    [task('create'), intent('do'), outcome('error', 'error', { reason: 'no quota' })],
    { words: 'creating failed', tone: 'failed', reason: 'no quota' },
  ],
  [
    'in doubt',
    [task('create'), intent('do'), outcome('wait', 'unknown', { reason: 'no answer' })],
    { words: 'in doubt', tone: 'doubt', reason: 'no answer' },
  ],
  [
    'waiting for an approval',
    [task('create'), { record: 'status', task: '1', status: 'wait', reason: 'approve it' }],
    { words: 'create: waiting', reason: 'approve it' },
  ],
  [
    'undone',
    [
      ...[task('create'), intent('do'), outcome('done', 'ok'), intent('undo')],
      outcome('undone', 'ok', { direction: 'undo', ms: 5 }),
    ],
    { words: 'undone: created', ms: 25, attempts: 2 },
  ],
  [
    'held',
    [task('create'), { record: 'status', task: '1', status: 'hold' }],
    { words: 'create: not started' },
  ],
  ['of a replacement', [task('create-replacement')], { tone: 'replace', mark: '++', words: 'replace' }],
  ['an approval', [task('gate')], { words: 'asks for an approval', tone: 'same', mark: '' }],
  ['of an unknown kind', [task('polish')], { words: 'polish: do', tone: 'same', mark: '' }],
  [
    'with progress and a log',
    [
      ...[task('create'), intent('do'), { record: 'log', task: '1', lines: ['one', 'two'] }],
      outcome('doing', 'retry', { progress: { label: 'x', done: 1, total: 2 } }),
    ],
    { log: ['one', 'two'], progress: { label: 'x', done: 1, total: 2 } },
  ],
])('a task that is %s', (_title, records, expected) => {
  expect(rowOf(...records)).toMatchObject(expected);
});

test('a task runs between its intent and its outcome', () => {
  expect(rowOf(task('create'), intent('do')).startedMs).toBe(Date.parse(at(2)));
  expect(rowOf(task('create'), intent('do'), outcome('done', 'ok')).startedMs).toBe(undefined);
});

test('tasks are counted, and the end of the change is known', () => {
  const log = new ShownChangeLog();
  log.add(
    numbered(
      ...[OPENED, task('create', '1'), task('create', '2'), task('create', '3'), intent('do', '1')],
      ...[intent('do', '2'), { record: 'outcome', task: '2', status: 'error', result: 'error', ms: 1 }],
      { record: 'seal', status: 'error' },
    ),
  );
  expect(log.page()).toMatchObject({
    tally: { total: 3, ended: 1, running: 1, failed: 1, inDoubt: 0 },
    ...{ sealed: 'error', seq: 8, firstMs: Date.parse(at(0)), lastMs: Date.parse(at(7)) },
  });
});

test('a kind of record of a newer Cairn is named, and changes nothing else', () => {
  const log = new ShownChangeLog();
  log.add(numbered(OPENED, task('create'), { record: 'polish', task: '1' }, intent('do')));
  expect(log.page()).toMatchObject({ unknown: ['polish'], seq: 4, tasks: [{ words: 'creating' }] });
});

test('what comes after a gap waits for it', () => {
  const records = numbered(OPENED, task('create'), intent('do'), outcome('done', 'ok'));
  const log = new ShownChangeLog();
  expect(log.add([...records.slice(0, 2), ...records.slice(3)])).toBe(true);
  expect(log.page().tasks[0]?.words).toBe('create');
  expect(log.add(records.slice(2, 3))).toBe(true);
  expect(log.page().tasks[0]?.words).toBe('created');
  expect(log.add(records)).toBe(false);
});

/** Records that a change could have: tasks, each with a life. */
const someRecords = fc
  .array(fc.array(fc.constantFrom('intent', 'outcome', 'log', 'status', 'other'), { maxLength: 6 }), {
    ...{ minLength: 1, maxLength: 8 },
  })
  .map((lives) => [
    OPENED,
    ...lives.flatMap((life, index) => {
      const id = String(index + 1);
      return [task('create', id), ...life.map((kind) => lifeRecord(kind, id))];
    }),
  ])
  .map((records) => numbered(...records));

function lifeRecord(kind: string, id: string): PageRecord {
  const states: Record<string, PageRecord> = {
    intent: intent('do', id),
    outcome: outcome('done', 'ok', { task: id }),
    log: { record: 'log', task: id, lines: [`line of ${id}`] },
    status: { record: 'status', task: id, status: 'hold' },
    other: { record: 'polish', task: id },
  };
  return states[kind] as PageRecord;
}

test('any order of delivered events, late and twice, gives the page that the record gives', () => {
  fc.assert(
    fc.property(someRecords, fc.infiniteStream(fc.nat()), (records, draws) => {
      const whole = new ShownChangeLog();
      whole.add(records);
      const twice = [...records, ...records];
      const next = (): number => draws.next().value as number;
      const order = twice.map((record) => ({ record, by: next() })).sort((a, b) => a.by - b.by);
      const log = new ShownChangeLog();
      for (let from = 0; from < order.length;) {
        const size = 1 + (next() % 4);
        log.add(order.slice(from, from + size).map(({ record }) => record));
        from += size;
      }
      expect(log.page()).toEqual(whole.page());
    }),
  );
});
