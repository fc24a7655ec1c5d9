import { afterSecondRun, filesToRepeat } from './second-run.mjs';

const file = (name: string, passed: number) => ({
  ...{ file: `${name}.test.ts`, seconds: 1, tests: passed, passed, skipped: 1 },
});
const failure = (name: string, test = 'resumes') => ({
  ...{ file: `${name}.test.ts`, test, message: `${name} ${test}` },
});
const run = (files: ReturnType<typeof file>[], failures: ReturnType<typeof failure>[]) => ({
  ...{ code: failures.length === 0 ? 0 : 1, passed: 0, failed: failures.length, skipped: 0, files, failures },
});

test.each<[string, ReturnType<typeof run>, string[]]>([
  ['no failure', run([file('a', 2)], []), []],
  ['two tests of one file', run([file('a', 2)], [failure('a'), failure('a', 'ends')]), ['a.test.ts']],
  [
    'more files than the machine explains',
    run(
      [...'abcd'].map((name) => file(name, 1)),
      [...'abcd'].map((name) => failure(name)),
    ),
    [],
  ],
  ['a run without a report', run([], [failure('report')]), []],
])('files of a run that should run again: %s', (_name, result, expected) => {
  expect(filesToRepeat(result)).toEqual(expected);
});

test('a test that passes in the second run is unsteady and counts as passed', () => {
  const first = run([file('a', 3), file('b', 5)], [failure('b'), failure('b', 'ends')]);
  const second = run([file('b', 7)], []);
  expect(afterSecondRun(first, second)).toEqual({
    ...{ code: 0, passed: 10, failed: 0, skipped: 2 },
    files: [file('a', 3), file('b', 7)],
    failures: [],
    unsteady: [failure('b'), failure('b', 'ends')],
  });
});

test('a test that fails twice fails the run, and so does one that fails only then', () => {
  const first = run([file('a', 3), file('b', 5)], [failure('b'), failure('b', 'ends')]);
  const second = run([file('b', 5)], [failure('b', 'ends'), failure('b', 'starts')]);
  const { code, failed, failures, unsteady } = afterSecondRun(first, second);
  expect({ code, failed, failures, unsteady }).toEqual({
    ...{ code: 1, failed: 2, failures: [failure('b', 'ends'), failure('b', 'starts')] },
    unsteady: [failure('b')],
  });
});

test('a second run that writes no report changes nothing', () => {
  const first = run([file('a', 3)], [failure('a')]);
  expect(afterSecondRun(first, run([], [failure('report')]))).toEqual({ ...first, unsteady: [] });
});
