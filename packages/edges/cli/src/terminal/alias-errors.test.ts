import { cairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { CairnError, ErrorCode } from '@cairn/diagnostics';
import { underAlias, withVersionWords } from './alias-errors.js';

const told = (code: ErrorCode, summary: string) =>
  underAlias(errorDiagnostic(code, summary, { causes: ['a cause'], hint: 'a hint', source: { file: 'x' } }));

test.each<[ErrorCode, string]>([
  ['CAIRN-CONFIG-MISSING', "configuration key 'a' not found for stack 'dev'"],
  ['CAIRN-USAGE', '--yes and --preview-only cannot be used together'],
])('%s: %s is told alone', (code, summary) => {
  expect(told(code, summary)).toMatchObject({ summary, hint: undefined, source: undefined });
});

test.each<[ErrorCode, string, string]>([
  ['CAIRN-NAME-INVALID', 'invalid stack name "a b"', 'a stack name may only contain alphanumeric'],
  ['CAIRN-CONFIG-MISSING', 'stack "dev" is missing the config values "a", "b"', 'validating stack config'],
  [
    'CAIRN-PROJECT-INVALID',
    'the project requires version <1.0.0, but this one is compatible with 3.2.1',
    'Pulumi CLI version 3.2.1 does not satisfy the version range "<1.0.0"',
  ],
  [
    'CAIRN-STACK-NOT-EMPTY',
    'stack "dev" still has 2 resources',
    "'dev' still has resources; removal rejected",
  ],
  ['CAIRN-RESOURCE-FAILED', 'cannot create urn:pulumi:dev::shop::a:b:C::d: no: room', 'error: no: room'],
])('%s: %s has words that are looked for', (code, summary, words) => {
  const { causes, hint } = told(code, summary);
  expect([causes?.[0]?.startsWith(words), causes?.[1], hint]).toEqual([true, 'a cause', 'a hint']);
});

test('anything else is told as ever', () => {
  const other = errorDiagnostic('CAIRN-USAGE', 'unknown command', { hint: 'a hint' });
  expect(underAlias(other)).toBe(other);
  expect(
    told('CAIRN-RESOURCE-PROTECTED', 'cannot delete urn:pulumi:dev::shop::a:b:C::d: it is protected').causes,
  ).toEqual(['a cause']);
});

test('a document of another version is told with its stack', () => {
  const words = (code: ErrorCode) =>
    (withVersionWords(cairnError(code, 'no'), 'dev') as CairnError).diagnostics[0]?.causes;
  expect(words('CAIRN-STATE-TOO-OLD')).toEqual(["the stack 'dev' is too old"]);
  expect(words('CAIRN-STATE-TOO-NEW')?.[0]).toContain("the stack 'dev' is newer than what this version");
  expect(words('CAIRN-STATE-CORRUPT')).toBeUndefined();
  const other = new Error('no');
  expect(withVersionWords(other, 'dev')).toBe(other);
});
