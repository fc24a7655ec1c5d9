import { headOf } from './stack-history.js';

test.each([
  ['update', 'succeeded', undefined, 'update succeeded'],
  ['update', 'failed', { change: '2', kind: 'up', result: 'waiting' }, 'update waiting'],
  ['update', 'failed', { change: '2', kind: 'up', result: 'rolled-back' }, 'update rolled-back'],
  ['update', 'succeeded', { change: '2', kind: 'rollback', result: 'succeeded' }, 'rollback succeeded'],
  ['update', 'failed', { change: '2', kind: 'resolve', result: 'interrupted' }, 'resolve interrupted'],
  ['destroy', 'failed', { change: '2', kind: 'destroy', result: 'waiting' }, 'destroy waiting'],
] as const)('a history entry of %s, %s, with %j: %s', (kind, result, cairn, head) =>
  expect(headOf({ kind, result, cairn })).toBe(head),
);
