import { tsNodeSettings } from './ts-node-settings.js';

const NOTHING = { unchecked: false, files: false, ignored: [], compilerOptions: {} };
const tsconfig = (tsNode: object, options: object = {}) => ({
  path: '/p/tsconfig.json',
  options: { ...options },
  tsNode: { ...tsNode },
});

test.each([
  ['nothing', {}, {}, {}, {}],
  ['transpileOnly', { transpileOnly: true }, {}, {}, { unchecked: true }],
  ['swc', { swc: true }, {}, {}, { unchecked: true }],
  ['logError', { logError: true }, {}, {}, { unchecked: true }],
  ['noCheck', {}, { noCheck: true }, {}, { unchecked: true }],
  [
    'a variable',
    {},
    {},
    { TS_NODE_TRANSPILE_ONLY: 'yes', TS_NODE_FILES: '1' },
    { unchecked: true, files: true },
  ],
  ['the tsconfig before the variable', { transpileOnly: false }, {}, { TS_NODE_TRANSPILE_ONLY: 'true' }, {}],
  ['codes', { ignoreDiagnostics: ['2322', 2304] }, {}, {}, { ignored: [2322, 2304] }],
  ['codes of a variable', {}, {}, { TS_NODE_IGNORE_DIAGNOSTICS: '2322,x' }, { ignored: [2322] }],
  [
    'options',
    { compilerOptions: { strict: false } },
    {},
    { TS_NODE_COMPILER_OPTIONS: '{"strict":true,"lib":["es2022"]}' },
    { compilerOptions: { strict: false, lib: ['es2022'] } },
  ],
])('%s', (_, tsNode, options, environment, expected) => {
  expect(tsNodeSettings(tsconfig(tsNode, options), environment)).toEqual({ ...NOTHING, ...expected });
});

test('a program without a tsconfig has what the variables say; one that is no JSON is an error', () => {
  expect(tsNodeSettings(undefined, {})).toEqual(NOTHING);
  expect(() => tsNodeSettings(undefined, { TS_NODE_COMPILER_OPTIONS: '{' })).toThrow(
    'TS_NODE_COMPILER_OPTIONS is not JSON',
  );
});
