import { missingChangeset } from './changesets.mjs';

const SOURCE = 'packages/edges/cli/src/main.ts';

test.each([
  ['a source without a changeset', [SOURCE], [], /1 changed source files, such as packages\/edges.*--empty/s],
  ['a new source is no changeset', [SOURCE], [SOURCE], /no changeset/],
  ['the page about changesets is none', [SOURCE], ['.changeset/README.md'], /no changeset/],
] as const)('%s is refused', (_, changed, added, message) =>
  expect(missingChangeset(changed, added)).toMatch(message),
);

test.each([
  ['a changeset, which may be empty', [SOURCE, '.changeset/a-b.md'], ['.changeset/a-b.md']],
  ['nothing changed, as on main', [], []],
  ['only tests, test data and pages', ['packages/edges/cli/src/main.test.ts', 'docs/cli.md'], []],
  ['only the kit of tests', ['packages/testing/testkit/src/index.ts'], []],
] as const)('%s passes', (_, changed, added) => expect(missingChangeset(changed, added)).toBeUndefined());
