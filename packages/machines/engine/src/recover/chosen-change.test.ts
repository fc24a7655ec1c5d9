import { isRollingBack, toResume, toRollBack } from './chosen-change.js';
import type { ChangeCandidates, ChoosableChange, Resumed, RolledBack } from './chosen-change.js';

const listed = (number: number, more: Partial<ChoosableChange> = {}): ChoosableChange => ({
  ...{ number, kind: 'up', result: 'succeeded', unfinished: false },
  ...more,
});
const newest = (
  number: number,
  more: Partial<NonNullable<ChangeCandidates['newest']>> = {},
): NonNullable<ChangeCandidates['newest']> => ({ ...listed(number), idle: false, declined: false, ...more });

const ended: ChangeCandidates = { newest: newest(4), finished: [] };
const unfinished: ChangeCandidates = {
  newest: newest(4, { unfinished: true }),
  unfinished: [2, 4],
  finished: [],
};
const idle = (more: Partial<NonNullable<ChangeCandidates['newest']>> = {}): ChangeCandidates => ({
  newest: newest(5, { result: 'nothing', idle: true, ...more }),
  unfinished: [2, 4],
  finished: [],
});
/** Choice whose newest change was over when its process died. */
const over = (more: Partial<ChoosableChange> = {}): ChangeCandidates => ({
  newest: newest(4, more),
  finished: [[listed(3, { result: 'failed' }), listed(4, more)]],
});
const done = { result: 'succeeded', kind: 'up', origin: 3, number: 4 } as const;

test.each<[string, ChangeCandidates, number | undefined, Resumed]>([
  ['there is none', { finished: [] }, undefined, { t: 'nothing', other: undefined }],
  ['the newest ended', ended, undefined, { t: 'nothing', other: undefined }],
  ['one did not end', unfinished, undefined, { t: 'unfinished' }],
  ['one of its lineage is named', unfinished, 2, { t: 'unfinished' }],
  ['another one is named', unfinished, 3, { t: 'nothing', other: 4 }],
  ['the newest did nothing', idle(), undefined, { t: 'begin-again', number: 5 }],
  ['the one before it is named', idle(), 4, { t: 'unfinished' }],
  ['it is not wanted any more', idle({ declined: true }), undefined, { t: 'unfinished' }],
  ['it is not wanted any more, and is named', idle({ declined: true }), 5, { t: 'begin-again', number: 5 }],
  ['it only answered', idle({ kind: 'resolve' }), undefined, { t: 'unfinished' }],
  ['it only edited, and is named', idle({ kind: 'edit' }), 5, { t: 'nothing', other: 4 }],
  ['the newest was over', over(), undefined, { t: 'done', done }],
  ['the one that it went on with is named', over(), 3, { t: 'done', done }],
  ['an older one is named', over(), 2, { t: 'nothing', other: undefined }],
  ['an edit was over', over({ kind: 'edit' }), undefined, { t: 'nothing', other: undefined }],
  [
    'it failed before it did anything',
    over({ result: 'failed' }),
    undefined,
    { t: 'nothing', other: undefined },
  ],
  [
    'it was rolled back',
    over({ result: 'rolled-back' }),
    undefined,
    { t: 'done', done: { ...done, result: 'rolled-back' } },
  ],
  [
    'an answer was over, and what it answers did not end',
    { ...over({ kind: 'resolve', unfinished: true }), unfinished: [3, 4] },
    4,
    { t: 'unfinished' },
  ],
  ['one ran beside what did not end', { ...over(), unfinished: [2] }, undefined, { t: 'unfinished' }],
  ['one ran beside what did not end, and is named', { ...over(), unfinished: [2] }, 4, { t: 'done', done }],
])('a resume when %s', (_, choice, named, expected) => {
  expect(toResume(choice, named)).toEqual(expected);
});

test.each<[string, ChangeCandidates, number | undefined, boolean, RolledBack]>([
  ['there is none', { finished: [] }, undefined, true, { t: 'nothing' }],
  ['the newest ended', ended, undefined, false, { t: 'to-be-named', number: 4, done: undefined }],
  ['the newest ended, and it is shown first', ended, undefined, true, { t: 'change', number: 4 }],
  ['one that ended is named', ended, 4, false, { t: 'change', number: 4 }],
  ['one did not end', unfinished, undefined, false, { t: 'unfinished' }],
  ['the newest did nothing', idle(), undefined, false, { t: 'change', number: 5 }],
  ['the newest was over', over(), undefined, false, { t: 'to-be-named', number: 4, done }],
  ['the newest was over, and is named', over(), 4, false, { t: 'change', number: 4 }],
  ['the newest was over, and it is shown first', over(), undefined, true, { t: 'change', number: 4 }],
  [
    'a rollback was over',
    over({ kind: 'rollback' }),
    3,
    false,
    { t: 'done', done: { ...done, kind: 'rollback' } },
  ],
  [
    'one was rolled back and over',
    over({ result: 'rolled-back' }),
    undefined,
    false,
    { t: 'done', done: { ...done, result: 'rolled-back' } },
  ],
])('a rollback when %s', (_, choice, named, shown, expected) => {
  expect(toRollBack(choice, named, shown)).toEqual(expected);
});

test.each([
  [['up'], false],
  [['up', 'rollback'], true],
  [['up', 'rollback', 'resolve', 'edit'], true],
  [['up', 'rollback', 'up'], false],
] as const)('a lineage of %j is being rolled back: %s', (kinds, expected) => {
  expect(isRollingBack(kinds)).toBe(expected);
});
