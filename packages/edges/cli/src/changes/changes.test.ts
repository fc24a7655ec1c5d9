import { replayChange } from '@cairn/changes';
import type { ChangeRecord, ChangeView, RecordBody, TaskView } from '@cairn/changes';
import { selectChanges } from '@cairn/operations/stacks';
import { changeJson, changeListLines } from './change-list.js';
import type { ListedChange } from './change-list.js';
import { taskJson, taskLines } from './task-list.js';

const at = (minute: number): string => `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const listed = (number: number, more: Partial<ListedChange> = {}): ListedChange => ({
  number,
  kind: 'up',
  status: 'done',
  result: 'succeeded',
  summary: '',
  spawned: at(number),
  ended: at(number + 1),
  unfinished: false,
  running: false,
  continues: undefined,
  tasks: { total: 2, done: 2, undone: 0, failed: 0, held: 0, waiting: 0, doubt: 0 },
  ...more,
});
const all = [
  listed(4, { status: 'doing', running: true, result: undefined, ended: undefined }),
  listed(3, { status: 'undone', result: 'rolled-back', continues: { change: '2', how: 'rollback' } }),
  listed(2, { status: 'doing', result: 'interrupted', unfinished: true }),
  listed(1),
];

test('the table of changes is sorted by time and says what became of each', () => {
  expect(changeListLines(selectChanges(all, 'all'), 'dev', { t: 'relative', now: new Date(at(30)) })).toEqual(
    [
      'ID  Status  Spawn           Ready           Summary',
      '1   Done    29 minutes ago  28 minutes ago  Update dev',
      '2   Doing   28 minutes ago  27 minutes ago  Update dev (interrupted, unfinished, rolled back by 3)',
      '3   Undone  27 minutes ago  26 minutes ago  Update dev (rolled-back, rolls back 2)',
      '4   Doing   26 minutes ago  -               Update dev (running)',
    ],
  );
  expect(changeListLines([listed(1, { summary: 'first try' })], 'dev', { t: 'absolute' })[1]).toBe(
    '1   Done    2026-01-01T10:01:00.000Z  2026-01-01T10:02:00.000Z  Update dev: first try',
  );
});

test('a damaged change is a row that says why it cannot be read', () => {
  const damaged = listed(2, { damage: 'cannot read the journal file x: it lacks lock' });
  expect(changeListLines([damaged], 'dev', { t: 'absolute' })[1]).toBe(
    '2   Damaged  2026-01-01T10:02:00.000Z  2026-01-01T10:03:00.000Z  cannot read the journal file x: it lacks lock',
  );
  expect(changeJson(damaged, 'dev')).toMatchObject({
    id: '2',
    damage: 'cannot read the journal file x: it lacks lock',
  });
  expect(changeJson(damaged, 'dev')).not.toHaveProperty('kind');
});

test('a change in JSON has ids that can be typed, and times as RFC 3339', () => {
  expect(changeJson(listed(3, { continues: { change: '00000002', how: 'resume' } }), 'dev')).toEqual({
    id: '3',
    kind: 'up',
    summary: 'Update dev',
    status: 'Done',
    ready: true,
    running: false,
    result: 'succeeded',
    taskCount: 2,
    continues: { change: '2', how: 'resume' },
    spawnTime: at(3),
    readyTime: at(4),
  });
});

/** Returns a change read back from records, one a second. */
function changeOf(...bodies: readonly RecordBody[]): ChangeView {
  return replayChange(
    bodies.map(
      (body, index) =>
        ({
          ...body,
          seq: index + 1,
          tx: index + 1,
          at: `2026-01-01T10:00:0${index}.000Z`,
        }) as unknown as ChangeRecord,
    ),
  );
}

test('tasks are a table with timings, progress and reasons, and their logs after it', () => {
  const task = (id: string, waits: readonly string[] = []): RecordBody => ({
    record: 'task',
    id,
    kind: 'create',
    summary: `create urn:pulumi:dev::shop::a:b:Page::${id}`,
    waits,
    data: { urn: `urn:pulumi:dev::shop::a:b:Page::${id}` },
  });
  const started = (id: string): RecordBody => ({
    record: 'intent',
    task: id,
    direction: 'do',
    status: 'doing',
    attempt: 1,
  });
  const { tasks } = changeOf(
    { record: 'change', id: '7', kind: 'up', summary: 'Update dev', scope: 'dev', growing: true },
    task('1'),
    task('2', ['1']),
    task('3'),
    started('1'),
    { record: 'outcome', task: '1', direction: 'do', result: 'ok', status: 'done', ms: 1500 },
    { record: 'log', task: '1', lines: ['2026-01-01T10:00:05Z INFO wor\u001b[31mking'] },
    started('2'),
    {
      ...{ record: 'outcome', task: '2', direction: 'do', result: 'retry', status: 'doing', ms: 20 },
      progress: { label: 'copying', done: 1, total: 8 },
    },
    { record: 'status', task: '3', status: 'wait', waited: 'do', reason: 'in doubt: nobody knows\nmore' },
  );
  expect(taskLines(tasks.values(), 7, { t: 'absolute' })).toEqual([
    'ID   Status          Spawn                     Ready                     Took  Summary',
    '7/1  Done            2026-01-01T10:00:01.000Z  2026-01-01T10:00:05.000Z  1.5s  create 1 (a:b:Page)',
    '7/2  Doing (12.50%)  2026-01-01T10:00:02.000Z  -                         20ms  create 2 (a:b:Page)',
    '7/3  Wait            2026-01-01T10:00:03.000Z  -                         -     create 3 (a:b:Page): in doubt: nobody knows',
    '',
    '.'.repeat(70),
    'create 1 (a:b:Page)',
    '',
    '2026-01-01T10:00:05Z INFO working',
  ]);
  const narrow = taskLines(tasks.values(), 7, { t: 'absolute' }, 80).slice(0, 5);
  expect(narrow).toEqual([
    'ID   Status          Spawn                     Took  Summary',
    '7/1  Done            2026-01-01T10:00:01.000Z  1.5s  create 1 (a:b:Page)',
    '7/2  Doing (12.50%)  2026-01-01T10:00:02.000Z  20ms  create 2 (a:b:Page)',
    '7/3  Wait            2026-01-01T10:00:03.000Z  -     create 3 (a:b:Page): in',
    `${' '.repeat(53)}doubt: nobody knows`,
  ]);
  expect(taskJson(tasks.get('2') as TaskView, 7)).toEqual({
    id: '7/2',
    kind: 'create',
    summary: 'create urn:pulumi:dev::shop::a:b:Page::2',
    urn: 'urn:pulumi:dev::shop::a:b:Page::2',
    status: 'Doing',
    waitsFor: ['7/1'],
    lanes: [0],
    progress: { label: 'copying', done: 1, total: 8 },
    log: [],
    spawnTime: '2026-01-01T10:00:02.000Z',
    doingMs: 20,
    undoingMs: 0,
  });
});
