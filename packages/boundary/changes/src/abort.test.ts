import { planAbort, planAbortLanes, planFailure, unreadyLanes } from './abort.js';
import { STATUSES } from './status.js';
import { changeStatus, indexOf, nodes, show } from '../test/nodes.js';
import type { Node } from '../test/nodes.js';

/**
 * Rows: title, tasks, edges, lanes to abort (or all lanes with an unready task), tasks afterwards, status of the
 * change.
 */
const LANES: readonly (readonly [string, string, string, readonly number[] | 'unready', string, string])[] = [
  [
    'CH-014 DIA8: abort lanes [] (nothing listed)',
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [],
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'do',
  ],
  [
    'CH-015 DIA8: abort lanes [1]',
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [1],
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'do',
  ],
  [
    'CH-016 DIA8: abort lanes [0]',
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [0],
    'P1=hold P2=hold Q1=hold Q2=hold R1=hold R2=hold S1=hold S2=hold',
    'hold',
  ],
  [
    'CH-018 DIA8: abort lanes [0]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [0],
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'do',
  ],
  [
    'CH-019 DIA8: abort lanes [1]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [1],
    'P1=hold P2=hold Q1=hold Q2=hold R1=hold R2=hold S1=hold S2=hold',
    'hold',
  ],
  [
    'CH-020 DIA8: abort lanes [2]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [2],
    'P1=do P2=do Q1=hold Q2=hold R1=do R2=do S1=hold S2=hold',
    'do',
  ],
  [
    'CH-021 DIA8: abort lanes [2]',
    'P1=done@1 P2=wait@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [2],
    'P1=done P2=wait Q1=hold Q2=hold R1=do R2=do S1=hold S2=hold',
    'wait',
  ],
  [
    'CH-022 DIA8: abort lanes [3]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [3],
    'P1=do P2=do Q1=do Q2=do R1=hold R2=hold S1=hold S2=hold',
    'do',
  ],
  [
    'CH-023 DIA8: abort lanes [2, 3]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [2, 3],
    'P1=do P2=do Q1=hold Q2=hold R1=hold R2=hold S1=hold S2=hold',
    'do',
  ],
  [
    'CH-024 DIA8: abort lanes [4]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [4],
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=hold S2=hold',
    'do',
  ],
  [
    'CH-025 DIA8: abort lanes [5]',
    'P1=do@1 P2=do@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [5],
    'P1=do P2=do Q1=do Q2=do R1=do R2=do S1=do S2=do',
    'do',
  ],
  [
    'CH-029 DIA8: abort lanes [1]',
    'P1=do@1 P2=do@1 Q1=do@1 Q2=do@1 R1=do@1 R2=do@1 S1=error@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 P2>R1 R1>R2 Q2>S1 R2>S1 S1>S2',
    [1],
    'P1=hold P2=hold Q1=hold Q2=hold R1=hold R2=hold S1=error S2=hold',
    'error',
  ],
  [
    'CH-031 8 tasks: abort only lanes that are not fully ready, row 2 (was Wait)',
    'P1=wait P2=wait Q1=wait Q2=wait R1=wait R2=wait S1=wait S2=wait',
    '',
    'unready',
    'P1=undo P2=undo Q1=undo Q2=undo R1=undo R2=undo S1=undo S2=undo',
    'undo',
  ],
  [
    'CH-032 8 tasks: abort only lanes that are not fully ready, row 3 (was Done)',
    'P1=done P2=done Q1=done Q2=done R1=done R2=done S1=done S2=done',
    '',
    'unready',
    'P1=done P2=done Q1=done Q2=done R1=done R2=done S1=done S2=done',
    'done',
  ],
  [
    'CH-033 8 tasks: abort only lanes that are not fully ready, row 4 (was Error)',
    'P1=error P2=error Q1=error Q2=error R1=error R2=error S1=error S2=error',
    '',
    'unready',
    'P1=error P2=error Q1=error Q2=error R1=error R2=error S1=error S2=error',
    'error',
  ],
  [
    'CH-035 8 tasks: abort only lanes that are not fully ready, row 6 (was Do)',
    'P1=done@1 P2=done@1 Q1=done@1 Q2=done@1 R1=do@2 R2=do@2 S1=do@2 S2=do@2',
    'P1>P2 P2>Q1 Q1>Q2 R1>R2 R2>S1 S1>S2',
    'unready',
    'P1=done P2=done Q1=done Q2=done R1=hold R2=hold S1=hold S2=hold',
    'done',
  ],
  [
    'CH-036 8 tasks: abort only lanes that are not fully ready, row 7 (was Do)',
    'P1=done@1 P2=done@1 Q1=done@1 Q2=done@1 R1=done@2 R2=done@2 S1=done@2 S2=do@2',
    'P1>P2 P2>Q1 Q1>Q2 R1>R2 R2>S1 S1>S2',
    'unready',
    'P1=done P2=done Q1=done Q2=done R1=undo R2=undo S1=undo S2=hold',
    'undo',
  ],
  [
    'CH-037 8 tasks: abort only lanes that are not fully ready, row 8 (was Do)',
    'P1=do@2+3 P2=do@2+3 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 P2>R1 Q1>Q2 R1>R2 Q2>S1 R2>S1 S1>S2',
    'unready',
    'P1=hold P2=hold Q1=hold Q2=hold R1=hold R2=hold S1=hold S2=hold',
    'hold',
  ],
  [
    'CH-038 8 tasks: abort only lanes that are not fully ready, row 9 (was Doing)',
    'P1=done@2+3 P2=done@2+3 Q1=done@2 Q2=done@2 R1=doing@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 P2>R1 Q1>Q2 R1>R2 Q2>S1 R2>S1 S1>S2',
    'unready',
    'P1=done P2=done Q1=done Q2=done R1=abort R2=hold S1=hold S2=hold',
    'abort',
  ],
  [
    'CH-039 8 tasks: abort only lanes that are not fully ready, row 10 (was Wait)',
    'P1=done@2+3 P2=done@2+3 Q1=done@2 Q2=done@2 R1=wait@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 P2>R1 Q1>Q2 R1>R2 Q2>S1 R2>S1 S1>S2',
    'unready',
    'P1=done P2=done Q1=done Q2=done R1=undo R2=hold S1=hold S2=hold',
    'undo',
  ],
  [
    'CH-040 8 tasks: abort only lanes that are not fully ready, row 11 (was Doing)',
    'P1=done@2+3 P2=done@2+3 Q1=doing@2 Q2=do@2 R1=doing@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 P2>R1 Q1>Q2 R1>R2 Q2>S1 R2>S1 S1>S2',
    'unready',
    'P1=undo P2=undo Q1=abort Q2=hold R1=abort R2=hold S1=hold S2=hold',
    'abort',
  ],
  [
    'CH-042 8 tasks: abort only lanes that are not fully ready, row 13 (was Doing)',
    'P1=do@1 P2=do@1 Q1=doing@2 Q2=do@2 R1=done@3 R2=doing@3 S1=undone@4 S2=error@4',
    'P1>P2 Q1>Q2 R1>R2 S1>S2',
    'unready',
    'P1=hold P2=hold Q1=abort Q2=hold R1=undo R2=abort S1=undone S2=error',
    'abort',
  ],
  [
    'CH-045 8 tasks: abort only lanes that are not fully ready, row 16 (was Do)',
    'P1=done@1 P2=done@1 Q1=do@2 Q2=do@2 R1=do@3 R2=do@3 S1=do@4 S2=do@4',
    'P1>P2 P2>Q1 Q1>Q2 Q2>R1 Q2>S1 R1>R2 S1>S2 R2>Q1',
    'unready',
    'P1=done P2=done Q1=hold Q2=hold R1=hold R2=hold S1=hold S2=hold',
    'done',
  ],
];

function apply(plan: ReadonlyMap<Node, Node['status']>): void {
  for (const [node, status] of plan) node.status = status;
}

test.each(LANES)('%s', (_title, tasks, edges, lanes, expected, change) => {
  const all = nodes(tasks, edges);
  apply(planAbortLanes(indexOf(all), lanes === 'unready' ? unreadyLanes(all) : lanes));
  expect(show(all)).toBe(expected);
  expect(changeStatus(all)).toBe(change);
});

test('CH-102 whole-change abort mapping', () => {
  const all = nodes(STATUSES.map((status) => `t_${status}=${status}`).join(' '), '');
  apply(planAbort(indexOf(all), all));
  expect(show(all)).toBe(
    't_abort=abort t_undoing=undoing t_undo=undo t_doing=abort t_do=hold t_wait=undo t_error=error t_undone=undone t_done=undo t_hold=hold',
  );
});

test.each([
  ['waits on', 'a=wait@1 b=done@1 c=done@2', 'do', 'a=wait b=undo c=done'],
  ['is left alone on its way back', 'a=wait@1 b=done@1 c=done@2', 'undo', 'a=wait b=undo c=done'],
  [
    'is undone when it only waits for something else',
    'a=wait@1 b=done@1 c=done@2',
    'done',
    'a=undo b=undo c=done',
  ],
] as const)('an abort of what is in doubt: %s', (_title, tasks, waited, expected) => {
  const all = nodes(tasks, 'b>a');
  const [a] = all as [Node];
  const doubtful: Node = Object.assign(a, { waited, inDoubt: true });
  const plan = planAbortLanes(indexOf(all), [1]);
  expect(plan.has(doubtful)).toBe(waited !== 'undo');
  apply(plan);
  expect(show(all)).toBe(expected);
});

test('CH-103 abort tolerates a two-task loop', () => {
  const all = nodes('x y', 'x>y y>x');
  apply(planAbort(indexOf(all), all));
  expect(show(all)).toBe('x=hold y=hold');
});

test('CH-104 abort is not exponential', () => {
  const width = 22;
  const layers = 22;
  const name = (layer: number, at: number): string => `t${layer}_${at}`;
  const tasks: string[] = [];
  const edges: string[] = [];
  for (let layer = 0; layer < layers; layer += 1) {
    for (let at = 0; at < width; at += 1) {
      tasks.push(name(layer, at));
      for (let below = 0; layer > 0 && below < width; below += 1)
        edges.push(`${name(layer - 1, below)}>${name(layer, at)}`);
    }
  }
  const all = nodes(tasks.join(' '), edges.join(' '));
  apply(planAbort(indexOf(all), all));
  expect(all.every((node) => node.status === 'hold')).toBe(true);
});

test.each([
  [
    'a failed task takes what depends on it and has not started',
    'a=doing b c d',
    'a>b b>c',
    ['a'],
    'a=doing b=hold c=hold d=do',
  ],
  [
    'what runs or is done behind it is left alone',
    'a=doing b=done c=doing d',
    'a>b a>c b>d',
    ['a'],
    'a=doing b=done c=doing d=do',
  ],
  [
    'a given task that has not started fails with its dependents',
    'a b c',
    'a>b',
    ['a', 'c'],
    'a=hold b=hold c=hold',
  ],
])('planFailure: %s', (_title, tasks, edges, given, expected) => {
  const all = nodes(tasks, edges);
  apply(planFailure(all.filter((node) => given.includes(node.name))));
  expect(show(all)).toBe(expected);
});
