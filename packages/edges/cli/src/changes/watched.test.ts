import type { ChangeRecord, RecordBody } from '@cairn/changes';
import { WatchedTasks, watchedJson, watchedLine } from './watched.js';

const at = '2026-01-01T10:00:00.000Z';
const records = (...bodies: readonly RecordBody[]): readonly ChangeRecord[] =>
  bodies.map((body, index) => ({ ...body, seq: index + 1, tx: index + 1, at }));

const task = (id: string): RecordBody => ({
  record: 'task',
  id,
  kind: 'create',
  summary: `create urn:pulumi:dev::shop::a:b:Page::${id}`,
  data: { urn: `urn:pulumi:dev::shop::a:b:Page::${id}` },
});
const begun = (id: string, status: 'doing' | 'undoing' = 'doing'): RecordBody => ({
  ...{ record: 'intent', task: id, direction: status === 'doing' ? 'do' : 'undo', status, attempt: 1 },
});
const ended = (id: string, more: object): RecordBody =>
  ({ record: 'outcome', task: id, direction: 'do', result: 'ok', ms: 1200, ...more }) as RecordBody;

describe('a change that is watched', () => {
  const cases: readonly (readonly [
    string,
    readonly RecordBody[],
    readonly string[],
    readonly string[],
    number,
  ])[] = [
    ['tasks that wait for their turn are not told', [task('1'), task('2')], [], [], 0],
    ['a start is told', [task('1'), begun('1')], ['Doing    create 1 (a:b:Page)'], ['1'], 0],
    [
      'an end has its time',
      [task('1'), begun('1'), ended('1', { status: 'done' })],
      ['Doing    create 1 (a:b:Page)', 'Done     create 1 (a:b:Page)  1.2s'],
      [],
      1,
    ],
    [
      'a failure has its reason, without escapes and on one line',
      [
        task('1'),
        begun('1'),
        ended('1', { result: 'error', status: 'error', reason: 'no \u001b[31mroom\nat all' }),
      ],
      ['Doing    create 1 (a:b:Page)', 'Error    create 1 (a:b:Page)  1.2s  no room'],
      [],
      1,
    ],
    [
      'what is rolled back is not at its end meanwhile',
      [task('1'), begun('1'), ended('1', { status: 'done' }), begun('1', 'undoing')],
      ['Doing', 'Done', 'Undoing'],
      ['1'],
      0,
    ],
    [
      'an abort is told',
      [task('1'), { record: 'status', task: '1', status: 'hold', reason: 'the operation is ending' }],
      ['Hold     create 1 (a:b:Page)  the operation is ending'],
      [],
      1,
    ],
  ];
  test.each(cases)('%s', (_name, bodies, lines, running, over) => {
    const tasks = new WatchedTasks();
    const told = tasks.take(records(...bodies)).map(watchedLine);
    expect(told).toHaveLength(lines.length);
    told.forEach((line, index) => expect(line).toContain(lines[index]));
    expect([...tasks.running]).toEqual(running);
    expect(tasks.ended).toBe(over);
  });

  test('is told in JSON with ids that can be typed', () => {
    const told = new WatchedTasks().take(records(task('3'), begun('3'), ended('3', { status: 'done' })));
    expect(watchedJson(told[1]!, 7)).toEqual({
      task: '7/3',
      kind: 'create',
      summary: 'create urn:pulumi:dev::shop::a:b:Page::3',
      urn: 'urn:pulumi:dev::shop::a:b:Page::3',
      status: 'Done',
      time: at,
      ms: 1200,
    });
  });
});
