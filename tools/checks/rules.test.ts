import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Rules are in `docs/rules/`, each a heading with an id; code, tests and pages cite them in square brackets. Checked
 * here: every citation names a heading, nothing cites what is not in this repository, and comments stay within 120
 * columns.
 */

const root = path.resolve(__dirname, '..', '..');
const PLACES = ['packages', 'e2e', 'tools', 'examples', 'proto', 'docs', 'README.md', 'CONTRIBUTING.md'];
const SKIPPED = new Set(['node_modules', 'dist', 'generated', 'recorded']);

const files = PLACES.flatMap((place) => [...under(place)])
  .filter((file) => /\.(ts|mts|mjs|cjs|md|proto)$/.test(file) && file !== 'tools/checks/rules.test.ts')
  .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n') }));

const pages = files.filter(({ file }) => file.startsWith('docs/rules/') && !file.endsWith('/README.md'));
const HEADING = /^### ([A-Z]+-\d+) \S/;
const headings = pages.flatMap(({ file, lines }) =>
  lines.flatMap((line) => {
    const id = HEADING.exec(line)?.[1];
    return id === undefined ? [] : [{ file, id }];
  }),
);
const ids = new Set(headings.map(({ id }) => id));

describe('pages of rules', () => {
  test('an id is the heading of one rule', () => {
    const seen = headings.map(({ id }) => id);
    expect(seen.filter((id, index) => seen.indexOf(id) !== index)).toEqual([]);
    expect(seen.length).toBeGreaterThan(200);
  });

  test('every third-level heading has an id, and numbers of an area are in order', () => {
    const odd = pages.flatMap(({ file, lines }) =>
      lines
        .filter((line) => line.startsWith('### ') && !HEADING.test(line))
        .map((line) => `${file}: ${line}`),
    );
    expect(odd).toEqual([]);
    const order = headings.map(({ id }) => ({ area: areaOf(id), number: Number(id.split('-')[1]) }));
    const late = order.filter(({ area, number }, index) =>
      order.slice(0, index).some((other) => other.area === area && other.number > number),
    );
    expect(late).toEqual([]);
  });

  test('the index has every page with the areas it holds, and no other', () => {
    const index = readFileSync(path.join(root, 'docs/rules/README.md'), 'utf8');
    const listed = [...index.matchAll(/^\| \[.*?\]\((.*?)\) +\| (.*?) +\|$/gm)].map(
      ([, page, areas]) => `${page}: ${(areas as string).replaceAll('`', '')}`,
    );
    const held = pages.map(({ file }) => {
      const here = headings.filter((heading) => heading.file === file).map(({ id }) => areaOf(id));
      return `${path.basename(file)}: ${[...new Set(here)].join(', ')}`;
    });
    expect([...listed].sort()).toEqual([...held].sort());
  });
});

test('every citation names a rule', () => {
  const areas = [...new Set([...ids].map(areaOf))].join('|');
  const cited = new RegExp(`\\[((?:${areas}|[A-Z]{3,6})-\\d+)\\]`, 'g');
  const wrong = each((line) =>
    [...line.matchAll(cited)].map(([, id]) => id as string).filter((id) => !ids.has(id)),
  );
  expect(wrong).toEqual([]);
  const count = files.flatMap(({ lines }) => lines.flatMap((line) => [...line.matchAll(cited)])).length;
  expect(count).toBeGreaterThan(600);
});

/** Form of a citation of something outside of the repository, and a line on which it would be wrong to find it. */
const OUTSIDE: readonly (readonly [string, RegExp])[] = [
  [
    'a document by name',
    /\b(?:engine-behaviou?rs|pulumirpc-(?:semantics|tables)|tfplugin-(?:semantics|tables))\b/i,
  ],
  [
    'a document by name',
    /\b(?:language-conformance|http-state-sequences|changes-catalogue|tf-lifecycle-catalogue)\b/,
  ],
  ['a folder of documents', /\bcontracts\/[a-z-]+\.md\b/],
  [
    'a section of a document',
    /(?<![\w/-])(?:state|changes|http-state|CLI)\.md`? (?:section )?(?:\d|[a-g]\.\d)/,
  ],
  ['a section of a document', /\b(?:DESIGN|HOUSE) (?:D\d|section \d)/],
  ['a collection of sheets', /\bsheets?\b/i],
  ['a collection of scenarios', /\bbehaviou?r catalogues?\b/i],
];
/** In comments and titles only: code may have such names. */
const OUTSIDE_IN_COMMENTS: readonly (readonly [string, RegExp])[] = [
  ['a section by letter', /[( ](?:[A-H]\d{1,2}\.\d{1,2}|[a-g]\.\d{1,2})(?=[ ,;:).])/],
  ['a section by letter', /\((?:see )?(?:[A-H]\d{1,2})(?:, [A-H]\d{1,2})*\)/],
  ['a contract', /\bcontract: [A-Z]\d/i],
  ['a section by letter', /['`][A-H]\d{1,2}(?:\.\d{1,2})?:? (?=[a-z%$])/],
];

test.each([
  ['the engine does so (engine-behaviours-1 A9).', 'a document by name'],
  ['`contracts/state.md`: 1.9', 'a folder of documents'],
  ['kept as it is (state.md 1.5)', 'a section of a document'],
  ['as changes.md g.5 has it', 'a section of a document'],
  ['DESIGN D4', 'a section of a document'],
  ['where the sheet says so', 'a collection of sheets'],
  ['/** Told so (A7.5). */', 'a section by letter'],
  ['/** Contract: A7 */', 'a contract'],
  ['// See g.2 for that', 'a section by letter'],
  [' * Waits for both (A9, A12).', 'a section by letter'],
  ["  test('A6.3: lists are compared as sets', async () => {", 'a section by letter'],
  ["])('A22 consequences of %s', (_title, rule) => {", 'a section by letter'],
])('%j cites %s', (line, what) => {
  expect(outsideOf(line)).toContain(what);
});

test.each([
  'see docs/state.md for more',
  '[operations](operations.md), 1.5 seconds',
  "const A2 = entry('a');",
  'await settled(A2);',
  'Implements [STATE-2].',
])('%j cites nothing outside', (line) => {
  expect(outsideOf(line)).toEqual([]);
});

test('nothing cites what is not in this repository', () => {
  expect(each(outsideOf)).toEqual([]);
});

/** Hovers of editors show these: doc comments of packages that authors import, and whatever these export again. */
test('authors read no ids of rules: those stand in line comments beside the code', () => {
  const shown = files.filter(({ file }) =>
    /^packages\/\w+\/(?:(?:sdk|provider-sdk|provider-terraform|automation)\/(?:docs\/api\.md$|src\/)|values\/src\/|wire\/src\/contracts\/)(?!.*\.test\.ts$)/.test(
      file,
    ),
  );
  const wrong = shown.flatMap(({ file, lines }) => {
    const text = lines.join('\n');
    const read = file.endsWith('.md') ? [text] : (text.match(/\/\*\*[^]*?\*\//g) ?? []);
    return read.flatMap((part) => part.match(/\[[A-Z]+-\d+\]/g) ?? []).map((id) => `${file}: ${id}`);
  });
  expect(wrong).toEqual([]);
  expect(shown.filter(({ file }) => file.endsWith('.md'))).toHaveLength(4);
});

test('no comment line is wider than 120 columns', () => {
  const wide = each((line) => (isComment(line) && line.length > 120 ? [`${line.length} columns`] : []));
  expect(wide.filter((line) => !line.includes('.md:'))).toEqual([]);
});

function outsideOf(line: string): string[] {
  const patterns =
    isComment(line) || /\b(?:test|describe)\b|^\s*(?:\].*\)\()?['`].*['`],/.test(line)
      ? OUTSIDE_IN_COMMENTS
      : [];
  return [...OUTSIDE, ...patterns].filter(([, pattern]) => pattern.test(line)).map(([what]) => what);
}

function isComment(line: string): boolean {
  return /^\s*(?:\*|\/\/|\/\*)/.test(line);
}

function each(look: (line: string) => readonly string[]): string[] {
  return files.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) => look(line).map((found) => `${file}:${index + 1}: ${found}`)),
  );
}

function areaOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'));
}

function* under(place: string): Generator<string> {
  if (/\.md$/.test(place)) return yield place;
  for (const entry of readdirSync(path.join(root, place), { withFileTypes: true })) {
    // Tools, and tests that may run now, make names that start with a dot.
    if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue;
    const file = `${place}/${entry.name}`;
    if (entry.isDirectory()) yield* under(file);
    else yield file;
  }
}
