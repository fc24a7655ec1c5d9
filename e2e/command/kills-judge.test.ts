import { answerLines, truthful } from '../kills/answers.js';
import { stateOf } from '../kills/stack.js';
import { differences, effectsOf, replayed } from '../kills/world.js';

/** Shows that the judge of the campaign of kills (`npm run kills`) sees faults. */

describe('effects that a log tells of', () => {
  test.each([
    ['create a-1 1', [], [['a-1', '1']]],
    ['create a-1 1\nupdate a-1 2\ndelete a-1 2', [], []],
    ['create a-1 1\ndelete a-1 1\ncreate a-1 1', [], [['a-1', '1']]],
    ['create a-1 1\ncreate a-1 1', ['a-1 was created twice'], [['a-1', '1']]],
    ['create a-1 1\nupdate a-1 2\nupdate a-1 2', ['a-1 was updated to 2 twice'], [['a-1', '2']]],
    ['create a-1 1\ndelete a-1 1\ndelete a-1 1', ['a-1 was deleted and is not there'], []],
    ['update a-1 2', ['a-1 was updated and is not there'], [['a-1', '2']]],
  ])('%j', (log, faults, world) => {
    const judged = replayed(effectsOf(log));
    expect(judged.faults).toEqual(faults);
    expect([...judged.world]).toEqual(world);
  });
});

test('what is missing, too many or another than expected is a difference', () => {
  const there = new Map([...Object.entries({ 'a-1': '1', 'b-1': '2', 'c-1': '1' })]);
  const expected = new Map([...Object.entries({ 'a-1': '1', 'b-1': '1', 'd-1': '1' })]);
  expect(differences(there, expected)).toEqual([
    'd-1 is missing',
    'c-1 is one too many',
    'b-1 has the value 2, not 1',
  ]);
  expect(differences(expected, expected)).toEqual([]);
});

describe('a state', () => {
  const entry = (name: string, more: object = {}): object => ({
    urn: `urn:pulumi:dev::shop::seen:index:Thing::${name}`,
    type: 'seen:index:Thing',
    inputs: { name, version: 1, value: 2 },
    ...more,
  });
  const judged = (deployment: object) => stateOf(JSON.stringify({ version: 3, deployment }));

  test('is the objects of its entries, with what is pending', () => {
    const { world, pending, faults } = judged({
      resources: [{ urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev', type: 'x' }, entry('a')],
      pending_operations: [{ type: 'deleting', resource: entry('a') }],
    });
    expect([...world]).toEqual([['a-1', '2']]);
    expect(pending).toMatchObject([{ type: 'deleting', object: 'a-1', value: '2' }]);
    expect(faults).toEqual([]);
  });

  test('with an object twice, or on its way out, is at fault', () => {
    expect(judged({ resources: [entry('a'), entry('a')] }).faults).toHaveLength(1);
    expect(judged({ resources: [entry('a', { delete: true })] }).faults).toHaveLength(1);
  });
});

describe('answers', () => {
  const printed = [
    '2/4 a waits: its provider cannot find out',
    '    cairn change resolve 2/4 --created ID   # it was created, with this id',
    '    cairn change resolve 2/4 --not-created  # it was not created',
  ].join('\n');
  const step = { urn: 'urn:a', type: 'creating', object: 'a-1', value: '1', outputs: {} };

  test('are the lines as they are printed', () => {
    expect(answerLines(printed)).toEqual([
      {
        line: 'cairn change resolve 2/4 --created ID   # it was created, with this id',
        key: '2/4',
        answer: 'created',
      },
      {
        line: 'cairn change resolve 2/4 --not-created  # it was not created',
        key: '2/4',
        answer: 'not-created',
      },
    ]);
  });

  test('are what the world says', () => {
    const lines = answerLines(printed);
    expect(truthful(lines, step, new Map([['a-1', '1']]))).toBe(
      'cairn change resolve 2/4 --created a-1   # it was created, with this id',
    );
    expect(truthful(lines, step, new Map())).toBe(
      'cairn change resolve 2/4 --not-created  # it was not created',
    );
    expect(truthful([], step, new Map())).toBeUndefined();
  });
});
