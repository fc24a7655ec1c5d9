import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Nothing is written that nobody finds: indexes list all pages and all packages. */

const root = path.resolve(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const links = (file: string): string[] =>
  [...read(file).matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target]) =>
    path.posix.join(path.posix.dirname(file), target as string),
  );

test.each([
  ['docs/README.md', 'docs'],
  ['docs/README.md', 'docs/maintainers'],
  ['docs/rules/README.md', 'docs/rules'],
])('%s lists every page of %s', (index, folder) => {
  const pages = readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md') && `${folder}/${name}` !== index)
    .map((name) => `${folder}/${name}`);
  expect(pages.filter((page) => !links(index).includes(page))).toEqual([]);
});

test('the map of packages has a row for every package, and one for no other', () => {
  const packages = readdirSync(path.join(root, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `packages/${name}/README.md`);
  expect(links('docs/packages.md').sort()).toEqual(packages.sort());
});

test('README and the index of the documentation lead to everything', () => {
  expect(links('README.md')).toEqual(
    expect.arrayContaining(['docs/packages.md', 'docs/README.md', 'CONTRIBUTING.md']),
  );
});
