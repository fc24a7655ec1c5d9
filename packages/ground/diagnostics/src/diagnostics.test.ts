import { BugError, EXIT, codes, exitCodeFor, fail, isCairnError, messageOf } from './index.js';
import type { CairnError } from './index.js';

test('fail throws an error that carries its diagnostic', () => {
  const cause = new Error('EROFS');
  expect.assertions(4);
  try {
    fail('CAIRN-STORE-READ-ONLY', 'cannot write state', { hint: 'make the directory writable' }, cause);
  } catch (error) {
    expect(isCairnError(error)).toBe(true);
    expect((error as CairnError).cause).toBe(cause);
    expect((error as CairnError).message).toBe('cannot write state');
    expect((error as CairnError).diagnostics).toEqual([
      {
        severity: 'error',
        code: 'CAIRN-STORE-READ-ONLY',
        summary: 'cannot write state',
        hint: 'make the directory writable',
      },
    ]);
  }
});

test('an error of another copy of the package is recognised, a bug is not', () => {
  const foreign = Object.assign(new Error('x'), { [Symbol.for('cairn.error')]: true, diagnostics: [] });
  expect(isCairnError(foreign)).toBe(true);
  expect(isCairnError(new BugError('x'))).toBe(false);
  expect(isCairnError(undefined)).toBe(false);
});

test.each([
  ['CAIRN-USAGE', 2],
  ['CAIRN-STACK-NOT-FOUND', 6],
  ['CAIRN-RESOURCE-FAILED', 4],
  ['CAIRN-CANCELLED', 8],
  ['CAIRN-INTERNAL', 255],
  ['SOMETHING-ELSE', 1],
  ['toString', 1],
])('%s exits with %d', (code, exit) => expect(exitCodeFor(code)).toBe(exit));

test('every code is spelled the same way and leads to a failing exit code', () => {
  for (const code of Object.keys(codes)) {
    expect(code).toMatch(/^CAIRN(-[A-Z]+)+$/);
    expect(exitCodeFor(code)).not.toBe(EXIT.ok);
  }
});

test('messageOf reads anything that was thrown', () => {
  expect(messageOf(new Error('a'))).toBe('a');
  expect(messageOf({ message: 'b' })).toBe('b');
  expect(messageOf('c')).toBe('c');
  expect(messageOf(undefined)).toBe('undefined');
});
