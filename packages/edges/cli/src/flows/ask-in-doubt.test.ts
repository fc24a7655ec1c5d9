import { makeUrn } from '@cairn/addresses';
import type { WaitingTask } from '@cairn/engine';
import { doubtQuestions } from './ask-in-doubt.js';

const task = (
  name: string,
  doubt: WaitingTask['doubt'],
  why = 'it cannot be read',
  outputs?: WaitingTask['outputs'],
) => ({
  task: name,
  urn: makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name }),
  kind: 'in-doubt' as const,
  ...{ why, doubt, outputs },
});
const needed = { names: [], needed: 'always' } as const;

test.each([
  ['one step has a question of its own', [task('a', 'creating')], [[['a'], undefined, []]]],
  [
    'creates: each has another id',
    [task('a', 'creating'), task('b', 'creating')],
    [[['a', 'b'], 'Were these 2 created: a, b? it cannot be read', ['not-created', 'each', 'leave']]],
  ],
  [
    'one question for each kind, in the order of their first steps',
    [task('a', 'updating'), task('x', 'deleting'), task('b', 'updating'), task('y', 'deleting')],
    [
      [['a', 'b'], 'Were these 2 updated: a, b? it cannot be read', ['done', 'not-done', 'each', 'leave']],
      [['x', 'y'], 'Were these 2 deleted: x, y? it cannot be read', ['done', 'not-done', 'each', 'leave']],
    ],
  ],
  [
    'outputs that must be told are those of one',
    [task('a', 'updating', undefined, needed), task('b', 'updating')],
    [[['a', 'b'], 'Were these 2 updated: a, b? it cannot be read', ['not-done', 'each', 'leave']]],
  ],
  [
    'many, for different reasons',
    [...'abcdefg'].map((name) => task(name, 'deleting', `why ${name}`)),
    [
      [
        [...'abcdefg'],
        'Were these 7 deleted: a, b, c, d, e and 2 more?',
        ['done', 'not-done', 'each', 'leave'],
      ],
    ],
  ],
])('%s', (_, tasks, expected) => {
  const questions = doubtQuestions(tasks).map(({ tasks: asked, message, choices }) => [
    asked.map((each) => each.task),
    message,
    choices.map(({ value }) => value),
  ]);
  expect(questions).toEqual(expected);
});
