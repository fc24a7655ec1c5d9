import { STATUSES } from './status.js';
import { changeStatus, nodes } from '../test/nodes.js';

const STUCK: readonly (readonly [string, string, string, string])[] = [
  ['CH-058 waits present but something is Doing', 'a=do b=wait c=doing w=wait', 'b>a c>a', 'doing'],
  ['CH-060 waits present but something is in Abort', 'a=wait b=wait c=abort w=wait', 'b>a c>a', 'abort'],
  ['CH-061 single pending task', 'a=do', '', 'do'],
  ['CH-062 single waiting task', 'a=wait', '', 'wait'],
  ['CH-063 two-chain still runnable beside a waiter', 'a=do b=do w=wait', 'a>b', 'do'],
  ['CH-064 two-chain: head Done, tail runnable', 'a=done b=do w=wait', 'a>b', 'do'],
  ['CH-066 two-chain: head Done, tail waits', 'a=done b=wait w=wait', 'a>b', 'wait'],
  [
    'CH-067 loop of three all pending is not reported as waiting',
    'a=do b=do c=do w=wait',
    'a>b b>c c>a',
    'do',
  ],
  ['CH-068 loop of three with one running', 'a=done b=doing c=do w=wait', 'a>b b>c c>a', 'doing'],
  ['CH-069 loop of three with a waiter inside', 'a=done b=wait c=do w=wait', 'a>b b>c c>a', 'wait'],
  ['CH-070 join: both inputs pending', 'a=do b=do c=do w=wait', 'a>c b>c', 'do'],
  ['CH-071 join: both inputs Done', 'a=done b=done c=do w=wait', 'a>c b>c', 'do'],
  ['CH-072 join: one input Done, other pending', 'a=done b=do c=do w=wait', 'a>c b>c', 'do'],
  ['CH-073 join: one input failed, the other waits', 'a=error b=wait c=do w=wait', 'a>c b>c', 'wait'],
  ['CH-074 join: mirror of failed plus waiting', 'a=wait b=error c=do w=wait', 'a>c b>c', 'wait'],
  ['CH-075 join: one input Done, the other waits', 'a=done b=wait c=do w=wait', 'a>c b>c', 'wait'],
  ['CH-077 join: inputs Done, the join itself waits', 'a=done b=done c=wait w=wait', 'a>c b>c', 'wait'],
  ['CH-080 undo chain: tail undone, head runnable', 'a=undo b=undone w=wait', 'a>b', 'undo'],
  ['CH-081 undo chain: tail waits so head cannot undo', 'a=undo b=wait w=wait', 'a>b', 'wait'],
  [
    'CH-084 2x2 undo: downstream failed plus downstream waiting',
    'a=undo b=undo c=error d=wait w=wait',
    'a>c b>c a>d b>d',
    'wait',
  ],
  ['CH-085 2x2 undo: mirror', 'a=undo b=undo c=wait d=error w=wait', 'a>c b>c a>d b>d', 'wait'],
  [
    'CH-087 2x2 undo: one upstream waits, rest finished',
    'a=wait b=done c=undone d=undone w=wait',
    'a>c b>c a>d b>d',
    'wait',
  ],
  [
    'CH-088 2x2 undo: both upstream wait, rest finished',
    'a=wait b=wait c=undone d=undone w=wait',
    'a>c b>c a>d b>d',
    'wait',
  ],
];

test.each(STUCK)('%s', (_title, tasks, edges, expected) => {
  expect(changeStatus(nodes(tasks, edges))).toBe(expected);
});

test('CH-089 status priority sweep', () => {
  const all = nodes(STATUSES.map((status) => `t_${status}=${status}`).join(' '), '');
  for (const [at, status] of STATUSES.entries()) {
    for (const earlier of all.slice(0, at)) earlier.status = status;
    expect(changeStatus(all)).toBe(status);
  }
  expect(changeStatus([])).toBe('hold');
});

test('a chain of 100,000 tasks behind a wait is derived without deep recursion', () => {
  const names = Array.from({ length: 100_000 }, (_none, at) => `t${at}`);
  const all = nodes(
    ['w=wait', ...names].join(' '),
    ['w>t0', ...names.slice(1).map((name, at) => `t${at}>${name}`)].join(' '),
  );
  expect(changeStatus(all.reverse())).toBe('wait');
});
