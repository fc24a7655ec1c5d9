import { nextWrite } from './pace.js';
import type { UnwrittenOperation } from './pace.js';

const NOW = 100_000;
const ended = (agoMs: number, took: number): Partial<UnwrittenOperation> => ({
  effects: 'more',
  last: { began: NOW - agoMs, took },
});
const underWay = { effects: 'more', last: { began: NOW - 5000, took: undefined } } as const;

describe('the checkpoint while an operation runs [STORE-18]', () => {
  test.each<[string, Partial<UnwrittenOperation>, number | undefined]>([
    ['no effect yet', {}, undefined],
    ['no effect, however long ago the last write was', { ...ended(90_000, 1), effects: 'none' }, undefined],
    ['no effect, interrupted', { interrupted: true }, 0],
    ['the first effect', { effects: 'first' }, 0],
    ['the first effect, right after an interrupt was written', { ...ended(1, 400), effects: 'first' }, 0],
    ['a quick write', ended(0, 0), 250],
    ['a quick write, some time ago', ended(150, 12), 100],
    ['twelve and a half milliseconds are the limit', ended(0, 12.5), 250],
    ['a slower write', ended(0, 13), 260],
    ['a large stack: a twentieth of the time', ended(400, 400), 7600],
    ['a large stack, long enough ago', ended(8000, 400), 0],
    ['longer ago than that', ended(90_000, 400), 0],
    ['a write is under way', underWay, undefined],
    ['the first effect while one is under way', { ...underWay, effects: 'first' }, undefined],
    ['interrupted while a write is under way', { ...underWay, interrupted: true }, 0],
    ['interrupted right after a write', { ...ended(1, 400), interrupted: true }, 0],
    ['each step', { pace: 'each-step' }, 0],
    ['each step, right after a slow write', { ...ended(1, 4000), pace: 'each-step' }, 0],
    ['at the end: not for an effect', { pace: 'end', effects: 'first' }, undefined],
    ['at the end: not for an interrupt', { ...ended(90_000, 1), pace: 'end', interrupted: true }, undefined],
  ])('%s', (_title, given, wait) => {
    const operation = { pace: 'paced', now: NOW, effects: 'none', last: undefined, interrupted: false };
    expect(nextWrite({ ...operation, ...given } as UnwrittenOperation)).toBe(wait);
  });
});
