import type { RunRow } from '@cairn/changes-daemon';
import type { PlanResult, WorkResult } from '../stack-work.js';
import { untilAsked, withAnswer } from './asking-command.js';
import type { ProcessEnd } from './process.js';

const END: ProcessEnd = {
  ...{ code: 0, words: 'exit code 0', isStopped: false, isDead: false, stdout: '', tail: '' },
};
const PLAN: PlanResult = {
  ...{ t: 'planned', steps: [], digest: 'd1', base: 'b1', commit: undefined, changesNothing: false },
};
const RUN = { id: '1' } as RunRow;

/** Command that asks about a plan, and ends with its answer. */
async function asking(digest: string) {
  const answers: string[] = [];
  const ended: WorkResult[] = [];
  const found = await untilAsked(
    (onQuestion) =>
      new Promise((resolve) =>
        onQuestion?.(digest, (text) => {
          answers.push(text);
          resolve(END);
        }),
      ),
  );
  if (found.t !== 'asks') throw new Error('it does not ask');
  const plan = (): Promise<PlanResult> => Promise.resolve(PLAN);
  const read = (moved?: WorkResult): Promise<PlanResult> =>
    withAnswer(found, plan, {
      moved: () => Promise.resolve(moved),
      ended: (_run, result) => (ended.push(result), Promise.resolve(result)),
    });
  return { answers, ended, found, read };
}

const processOf = (result: PlanResult) => (result.t === 'planned' ? result.asking : undefined);

test('a command that is to follow its plan gets one yes', async () => {
  const { answers, ended, read } = await asking('d1');
  const process = processOf(await read());
  expect(answers).toEqual([]);
  expect(await process?.follow(RUN)).toEqual({ t: 'done' });
  expect([answers, ended]).toEqual([['yes'], [{ t: 'done' }]]);
});

test.each([
  ['is not wanted', undefined],
  ['no longer has the commit', { t: 'moved', why: 'the commit has moved' }],
] as const)('a command whose plan %s gets a no', async (_name, moved) => {
  const { answers, ended, read } = await asking('d1');
  const process = processOf(await read(moved));
  if (moved === undefined) await process?.end();
  else expect(await process?.follow(RUN)).toBe(moved);
  expect([answers, ended]).toEqual([['no'], []]);
});

test('a plan that is not the one of its command, or cannot be read, is not followed', async () => {
  const other = await asking('d2');
  await expect(other.read()).rejects.toThrow('no longer the one that was made');
  const gone = await asking('d1');
  await expect(
    withAnswer(gone.found, () => Promise.reject(new Error('no such file')), {
      moved: () => Promise.resolve(undefined),
      ended: (_run, result) => Promise.resolve(result),
    }),
  ).rejects.toThrow('no such file');
  expect([other.answers, gone.answers]).toEqual([['no'], ['no']]);
});

test('a command that ends without a question is its end', async () => {
  expect(await untilAsked(() => Promise.resolve(END))).toEqual({ t: 'ended', end: END });
});
