import { isCairnError } from '@cairn/diagnostics';
import { parseChangeId, parseChoice, parseDoubtId, parseTaskId } from './choose-change.js';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isCairnError(error)) return error.diagnostics[0]?.code ?? '';
    throw error;
  }
  return 'nothing was thrown';
}

describe('ids', () => {
  test.each([
    ['7', 7],
    ['00000007', 7],
    ['120', 120],
  ])('change %s', (text, number) => expect(parseChangeId(text)).toBe(number));

  test.each(['', '0', '-1', '7/1', 'seven', '1e3', '7 '])('%p is no change', (text) =>
    expect(codeOf(() => parseChangeId(text))).toBe('CAIRN-USAGE'),
  );

  test('a task is named by its change', () => {
    expect(parseTaskId('7/12')).toEqual({ change: 7, task: '12' });
    expect(parseTaskId('00000007/12')).toEqual({ change: 7, task: '12' });
  });

  test.each(['7', '7/', '/12', '7/0', '7/12/1', '7/a'])('%p is no task', (text) =>
    expect(codeOf(() => parseTaskId(text))).toBe('CAIRN-USAGE'),
  );
});

describe('choosing a change', () => {
  test.each([
    ['by id', { id: '007', last: undefined }, { t: 'number', number: 7 }],
    [
      'the newest of a kind',
      { id: undefined, last: 'destroy' },
      { t: 'newest', word: 'destroy', kind: 'destroy', optional: false },
    ],
    [
      'the newest of a kind, by another word',
      { id: undefined, last: 'update' },
      { t: 'newest', word: 'update', kind: 'up', optional: false },
    ],
    [
      'the newest of a kind, if any',
      { id: undefined, last: 'down?' },
      { t: 'newest', word: 'down', kind: 'destroy', optional: true },
    ],
  ])('%s', (_name, choice, expected) => expect(parseChoice(choice)).toEqual(expected));

  test.each([
    ['both', { id: '1', last: 'up' }],
    ['neither', { id: undefined, last: undefined }],
  ])('refuses %s', (_name, choice) => expect(codeOf(() => parseChoice(choice))).toBe('CAIRN-USAGE'));
});

test.each([
  ['3f9a2c1b', '3f9a2c1b'],
  ['urn:pulumi:dev::shop::a:b:C::x', 'urn:pulumi:dev::shop::a:b:C::x'],
  ['007/3', '7/3'],
])('%s names a step in doubt', (text, key) => expect(parseDoubtId(text)).toBe(key));

test.each(['', '7', 'pet', '7/0'])('%p names none', (text) =>
  expect(codeOf(() => parseDoubtId(text))).toBe('CAIRN-USAGE'),
);
