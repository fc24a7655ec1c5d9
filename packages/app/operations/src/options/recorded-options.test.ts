import { isCairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { errorPolicy } from './error-policy.js';
import type { OperationOptions } from './operation-options.js';
import { readOptions, recordOptions, repeatedOptions } from './recorded-options.js';

const absolute = (path: string): string => `/project/${path}`;
const stored = (options: OperationOptions): Json =>
  JSON.parse(JSON.stringify(recordOptions(options, absolute))) as Json;
const read = (options: OperationOptions): ReturnType<typeof readOptions> => readOptions(stored(options), 7);

test('the record names options as commands do', () => {
  const options = { targets: ['a'], excludes: [], refresh: false, parallel: 3, onError: 'rollback' } as const;
  const kept = recordOptions({ ...options, policyPacks: ['p'], out: 'x.ts' }, absolute, {
    words: ['pkg:m:T', null],
    files: { plan: 'sealed' },
  });
  expect(kept).toEqual({
    version: 1,
    flags: {
      parallel: '3',
      target: ['a'],
      refresh: false,
      'on-error': 'rollback',
      'policy-pack': ['/project/p'],
      out: '/project/x.ts',
    },
    words: ['pkg:m:T', null],
    files: { plan: 'sealed' },
  });
});

test('what was recorded is read back', () => {
  const options: OperationOptions = {
    message: 'm',
    parallel: 3,
    targets: ['a', 'b'],
    refresh: true,
    targetDependents: false,
    onError: 'rollback',
    isolate: 'component',
    properties: ['size'],
  };
  expect(read(options)).toEqual({ options, words: [], files: {} });
});

test('a number of steps at a time that is given now wins', () => {
  expect(repeatedOptions(read({ parallel: 3 }), { parallel: 5 }).parallel).toBe(5);
  expect(repeatedOptions(read({ parallel: 3 }), {}).parallel).toBe(3);
});

test.each<OperationOptions>([{ onError: 'stop' }, { continueOnError: true }, {}])(
  'an error policy that is given now wins over that of %j',
  (options) =>
    expect(errorPolicy(repeatedOptions(read(options), { onError: 'rollback' }), undefined)).toEqual({
      onError: 'rollback',
      continueOnError: false,
    }),
);

test('an error policy that is not given now is that of the record', () => {
  expect(errorPolicy(repeatedOptions(read({ continueOnError: true }), {}), undefined)).toEqual({
    onError: 'continue',
    continueOnError: true,
  });
});

test('failure domains that are given now win', () => {
  expect(repeatedOptions(read({ isolate: 'component' }), { isolate: 'none' }).isolate).toBe('none');
  expect(repeatedOptions(read({ isolate: 'component' }), {}).isolate).toBe('component');
});

test.each([
  undefined,
  null,
  {},
  { version: 2, flags: {} },
  { version: 1, flags: { target: [1] } },
  { version: 1, flags: { 'on-error': 'never' } },
  { version: 1, flags: {}, files: { plan: 1 } },
  'x',
])('options that are %j are refused', (options) => {
  let thrown: unknown;
  try {
    readOptions(options as Json, 7);
  } catch (error) {
    thrown = error;
  }
  expect(isCairnError(thrown) && thrown.diagnostics[0]?.code).toBe('CAIRN-JOURNAL-CORRUPT');
});
