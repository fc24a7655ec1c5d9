import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { packageFolders } from '../workspaces.mjs';

/** Every page can be found: indexes list all pages and all packages. */

const root = path.resolve(__dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const links = (file: string): string[] =>
  [...read(file).matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target]) =>
    path.posix.join(path.posix.dirname(file), target as string),
  );

test.each([
  ['docs/README.md', 'docs'],
  ['docs/README.md', 'docs/maintainers'],
  ['docs/README.md', 'docs/tutorials'],
  ['docs/rules/README.md', 'docs/rules'],
])('%s lists every page of %s', (index, folder) => {
  const pages = readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md') && `${folder}/${name}` !== index)
    .map((name) => `${folder}/${name}`);
  expect(pages.filter((page) => !links(index).includes(page))).toEqual([]);
});

test('the map of packages has a row for every package, and one for no other', () => {
  const packages = [...packageFolders.values()].map((folder) => `${path.relative(root, folder)}/README.md`);
  expect(links('docs/packages.md').sort()).toEqual(packages.sort());
});

test('README and the index of the documentation lead to everything', () => {
  expect(links('README.md')).toEqual(
    expect.arrayContaining(['docs/packages.md', 'docs/README.md', 'CONTRIBUTING.md']),
  );
});

const USER_PAGES = [
  'README.md',
  ...[
    'concepts',
    'config',
    'errors',
    'importing',
    'operations',
    'resume-and-rollback',
    'secrets',
    'security',
    'troubleshooting',
    ...[
      'ci',
      'component',
      'first-program',
      'from-pulumi',
      'from-terraform',
      'provider',
      'recovery',
      'team',
    ].map((name) => `tutorials/${name}`),
  ].map((name) => `docs/${name}.md`),
];

describe.each(USER_PAGES)('%s', (page) => {
  test('names options that are in the command table', () => {
    const reference = read('docs/cli.md');
    const named = [
      ...read(page)
        .replace(/`(?:npm run|pulumi|terraform) [^`]*`|^\$ npm .*$/gm, '')
        .matchAll(/(?<![\w-])(--[a-z][a-z-]*[a-z])\b/g),
    ].map(([, flag]) => flag as string);
    expect(named.filter((flag) => !new RegExp(`${flag}\\b`).test(reference))).toEqual([]);
  });

  test('names variables that code reads', () => {
    const named = [...read(page).matchAll(/\b(?:CAIRN|PULUMI)_([A-Z_]*[A-Z])\b/g)].map(
      ([, name]) => name as string,
    );
    expect(named.filter((name) => !code().includes(name) && !code().includes(withoutBackend(name)))).toEqual(
      [],
    );
  });
});

/** A setting of a backend is read under a prefix of its own. */
function withoutBackend(name: string): string {
  return name.replace(/^DIY_BACKEND_/, '');
}

let all: string | undefined;
/** All code of the packages, generated code aside, as one text. */
function code(): string {
  return (all ??= [...packageFolders.values()]
    .flatMap((folder) => [...sources(path.join(folder, 'src'))])
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n'));
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'generated') continue;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts')) yield file;
  }
}

test.each(readdirSync(path.join(root, 'docs/tutorials')))('%s names each file above its content', (page) => {
  const text = read(`docs/tutorials/${page}`);
  const files = [...text.matchAll(/([^\n]+)\n\n```\w+ file=(\S+)/g)];
  expect(files).toHaveLength(text.match(/^```\w+ file=/gm)?.length ?? 0);
  for (const [, above, file = ''] of files) expect(above).toContain(path.posix.basename(file));
});
