import { resultOfExit } from './run-result.js';

const code = (value: number) => ({ kind: 'code', code: value }) as const;
const killed = { kind: 'signal', signal: 'SIGKILL' } as const;

test.each([
  ['success', code(0), '', false, { t: 'ok' }],
  ['a failure it has reported', code(32), '', false, { t: 'bail' }],
  [
    'another exit code',
    code(7),
    '',
    false,
    { t: 'failed', message: 'Program exited with non-zero exit code: 7' },
  ],
  ['a signal', killed, '', false, { t: 'failed', message: 'Program was ended by signal SIGKILL' }],
  ['a cancel', killed, '', true, { t: 'failed', message: 'The program was cancelled' }],
  ['a cancel that came too late', code(0), '', true, { t: 'ok' }],
])('%s [PRG-5]', (_, status, stderr, cancelled, expected) => {
  expect(resultOfExit(status, stderr, cancelled)).toEqual(expected);
});

test('a program out of memory is told what helps [PRG-5]', () => {
  const result = resultOfExit(code(134), 'FATAL ERROR: … JavaScript heap out of memory\n', false);
  expect(result).toMatchObject({
    t: 'failed',
    message: expect.stringMatching(
      /Detected a possible out of memory error.*--max-old-space-size/,
    ) as unknown,
  });
});
