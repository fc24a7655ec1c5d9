import { makeUrn } from '@cairn/addresses';
import type { DoubtResolution, WaitingTask } from '@cairn/engine';
import type { Prepared } from '../operation/prepared.js';
import { answersInDoubt } from './answers.js';

const urn = makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name: 'res' });
const task = (task: string, kind: WaitingTask['kind']): WaitingTask => ({ task, urn, kind, why: 'it waits' });
const waiting = [
  task('7/1', 'gate'),
  task('aa', 'in-doubt'),
  task('bb', 'in-doubt'),
  task('7/2', 'consent'),
  task('cc', 'in-doubt'),
];
const done = { t: 'done' } as unknown as DoubtResolution;

test.each([
  // title, attended, questions, answers
  ['a person is asked about steps in doubt, not about approvals', true, ['aa', 'bb', 'cc'], ['aa', 'cc']],
  ['where nobody is, nobody is asked', false, [], []],
] as const)('%s', async (_title, attended, expected, answered) => {
  const asked: string[] = [];
  const interaction = {
    attended,
    answerDoubts: async (tasks: readonly WaitingTask[]) => {
      asked.push(...tasks.map((each) => each.task));
      return new Map(asked.filter((each) => each !== 'bb').map((each) => [each, done]));
    },
  };
  const prepared = { ports: { interaction } } as unknown as Prepared;
  const answers = await answersInDoubt(prepared, { result: { waiting } } as never);
  expect([asked, [...answers.keys()]]).toEqual([expected, answered]);
});
