import { ShownChangeLog } from './change-page.js';
import type { TaskRow } from './change-page.js';
import { lineageOf, resumeSteps, rollbackSteps } from './recovery-plan.js';
import type { RecoverySteps } from './recovery-plan.js';

const AT = '2030-01-01T00:00:00Z';

/** Tasks of a change from `KIND NAME END`: `done`, `error`, `unknown`, `undone`, or none for one that never began. */
function tasksOf(...steps: readonly string[]): readonly TaskRow[] {
  const records: object[] = [{ record: 'change', id: '1', kind: 'up' }];
  for (const [index, step] of steps.entries()) {
    const [kind = '', name = '', end] = step.split(' ');
    const id = String(index + 1);
    const urn = `urn:pulumi:dev::shop::test:index:Thing::${name}`;
    records.push({ record: 'task', id, kind, summary: step, data: { urn } });
    if (end === undefined) continue;
    records.push({ record: 'intent', task: id, direction: 'do', status: 'doing', attempt: 1 });
    const [status, result] =
      end === 'unknown' ? ['wait', 'unknown'] : [end, end === 'error' ? 'error' : 'ok'];
    records.push({ record: 'outcome', task: id, direction: 'do', status, result, ms: 1 });
  }
  const log = new ShownChangeLog();
  log.add(records.map((record, index) => ({ seq: index + 1, at: AT, ...record })));
  return log.page().tasks;
}
const shown = ({ rows, kept }: RecoverySteps): readonly string[] => [
  ...rows.map(({ mark, name, words }) => `${mark} ${name}: ${words}`),
  `${kept} kept`,
];

test.each<[string, readonly (readonly string[])[], readonly string[], readonly string[]]>([
  [
    'a change that stopped',
    [['create a done', 'update b done', 'create c', 'delete d done']],
    ['+ c: create', '3 kept'],
    ['+ d: create', '~ b: update', '- a: delete', '0 kept'],
  ],
  [
    'a failed step, and one in doubt',
    [['create a done', 'create b error', 'update c unknown']],
    ['? c: find out how it ended', '+ b: create', '1 kept'],
    ['? c: find out how it ended', '- a: delete', '0 kept'],
  ],
  [
    'steps without effects',
    [['same a done', 'refresh b done', 'import c done']],
    ['3 kept'],
    ['- c: leave the state, and stay as it is', '2 kept'],
  ],
  [
    'a resume that went further',
    [
      ['create a done', 'create b error'],
      ['create b done', 'create c error'],
    ],
    ['+ c: create', '2 kept'],
    ['- b: delete', '- a: delete', '0 kept'],
  ],
  [
    'a rollback that stopped midway',
    [['create a done', 'create b done'], ['create b undone']],
    ['2 kept'],
    ['- a: delete', '0 kept'],
  ],
  ['a kind of a newer Cairn', [['polish a done', 'polish b']], [' b: polish', '1 kept'], ['1 kept']],
])('%s', (_title, changes, resume, rollback) => {
  const lineage = changes.map((steps) => tasksOf(...steps));
  expect(shown(resumeSteps(lineage))).toEqual(resume);
  expect(shown(rollbackSteps(lineage))).toEqual(rollback);
});

test.each([
  [3, [1, 2, 3]],
  [2, [1, 2]],
  [4, [4]],
  [6, [5, 6]],
])('the lineage of change %d', (number, expected) => {
  const row = (own: number, change?: string) => ({
    ...{ number: own, running: false },
    operation: change === undefined ? {} : { continues: { change, how: 'resume' } },
  });
  const rows = [row(6, '00000005'), row(4), row(3, '00000002'), row(2, '00000001'), row(1)];
  expect(lineageOf(rows, number)).toEqual(expected);
});
