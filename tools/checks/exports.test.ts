import { namesOfSeveralFiles, unusedExports } from './exports.mjs';

const { unused, testsOnly } = unusedExports();

/** Code that only tests use, and why it stays. */
const FOR_TESTS: Record<string, string> = {
  'packages/boundary/blobs/src/memory-store.ts: memoryBlobStore': 'stands for stores in tests of backends',
  'packages/boundary/changes/src/clock.ts: FakeClock': 'runs the scenarios of the change machine',
  'packages/boundary/changes/src/policies.ts: BARE': 'the machine that the scenarios describe',
  'packages/boundary/crypters/src/open.ts: base64Manager': 'stands for secrets managers in tests',
  'packages/boundary/tfplugin/src/contract/write-only.ts: writeOnlyPaths': 'a rule with a table of cases',
  'packages/boundary/tfplugin/src/notation/notation.ts: parsePathNotation': 'reads the cases of the protocol',
  'packages/boundary/tfplugin/src/notation/notation.ts: valueOf': 'reads the cases of the protocol',
  'packages/boundary/wire/src/converter/server.ts: converterService': 'the other end of the converter client',
  'packages/boundary/wire/src/schemas/client.ts: MapperClient': 'the other end of the mapper service',
  'packages/boundary/wire/src/schemas/client.ts: ResolverClient': 'the other end of the resolver service',
};

test('every export is used by another file', () => {
  expect(unused).toEqual([]);
});

test('code that only tests use is in the list, with a reason', () => {
  expect(testsOnly.sort()).toEqual(Object.keys(FOR_TESTS).sort());
});

/** Number of names that two packages, or two files of one, define. Lower it with each that goes; never raise it. */
const NAMES_OF_SEVERAL_FILES = 3;

test('no further name is defined twice', () => {
  const names = namesOfSeveralFiles();
  expect(names.length <= NAMES_OF_SEVERAL_FILES ? [] : names).toEqual([]);
});
