import { failureOf, operationResult } from './command-results.js';

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

test('a failure says that the store did not answer', () => {
  const tail = 'error[CAIRN-STORE-UNAVAILABLE]: cannot begin the operation: it answered 503\n';
  const end = { code: 1, words: 'exit code 1', isStopped: false, isDead: false, stdout: '', tail };
  for (const result of [failureOf(end), operationResult(end)])
    expect(result).toEqual({ t: 'failed', why: tail.trim(), isUnreached: true });
});

test.each([
  ['error[CAIRN-STATE-LOCKED]: the stack is locked by the update of ada\n  hint: Wait.', 1, 'stopped'],
  ['error[CAIRN-CHANGE-CONFLICT]: another change claims it\n', 12, 'stopped'],
  ['error[CAIRN-X]: boom\nerror[CAIRN-STATE-LOCKED]: later\n', 1, 'failed'],
])('an operation that ends with %j and %i is %s', (tail, code, t) => {
  const end = { code, words: 'exit code', isStopped: false, isDead: false, stdout: '', tail };
  expect(operationResult(end)).toMatchObject({ t });
});
