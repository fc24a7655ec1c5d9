import { failureOf } from './command-results.js';

test.each([
  [
    '    + 1 created\n error[CAIRN-X]: it exited with code 3:\n   boom\n hint: look',
    'error[CAIRN-X]: it exited with code 3: boom',
  ],
  ['error[CAIRN-X]: first\nerror[CAIRN-Y]: second\n', 'error[CAIRN-X]: first'],
  ['npm error code E404\nnpm error 404\n\n', 'npm error 404'],
  ['', 'exit code 1'],
])('%j fails with: %s', (tail, why) => {
  const end = { code: 1, words: 'exit code 1', isStopped: false, isDead: false, stdout: '', tail };
  expect(failureOf(end)).toEqual({ t: 'failed', why });
});
