import { BugError, cairnError, isCairnError } from '@cairn/diagnostics';
import { maskedError } from './mask-error.js';

const mask = (text: string): string => text.replaceAll('hunter2', '[secret]');

/** Returns everything that an error report may show of a thrown value. */
function text(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return [thrown.message, thrown.stack, JSON.stringify(isCairnError(thrown) ? thrown.diagnostics : [])].join(
    '\n',
  );
}

test.each<[string, () => unknown]>([
  [
    'an error of the user',
    () =>
      cairnError(
        'CAIRN-PROGRAM-LOAD',
        'a hunter2',
        { causes: ['b hunter2'], hint: 'c hunter2' },
        new Error('hunter2'),
      ),
  ],
  ['an internal fault', () => new BugError('state hunter2', { cause: new Error('hunter2') })],
  ['a frozen error', () => Object.freeze(new TypeError('x hunter2'))],
  [
    'a circle of causes',
    () => {
      const error = new Error('hunter2');
      error.cause = error;
      return error;
    },
  ],
  ['a text', () => 'just hunter2'],
])('%s', (_title, make) => {
  const thrown = make();
  const masked = maskedError(thrown, mask);
  expect(text(masked)).not.toContain('hunter2');
  expect(text(masked)).toContain('[secret]');
  if (masked instanceof Error && masked.cause instanceof Error)
    expect(text(masked.cause)).not.toContain('hunter2');
  expect(isCairnError(masked)).toBe(isCairnError(thrown));
});

test('what is no error is left alone', () => {
  expect([maskedError(undefined, mask), maskedError(7, mask)]).toEqual([undefined, 7]);
});
