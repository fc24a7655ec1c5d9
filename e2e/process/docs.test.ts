import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { packageFolders } from '../../tools/workspaces.mjs';

const root = path.resolve(__dirname, '..', '..');
const inFolder = (folder: string): string[] =>
  readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join(folder, file));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...inFolder('docs'),
  ...inFolder('docs/maintainers'),
  ...inFolder('docs/rules'),
  ...inFolder('docs/tutorials'),
  ...[...packageFolders.values()].map((folder) => path.join(path.relative(root, folder), 'README.md')),
];

describe.each(documents)('%s', (document) => {
  test('exists and every file it names or links to does', () => {
    const text = readFileSync(path.join(root, document), 'utf8');
    const named = [...text.matchAll(/`((?:packages|tools|docs|e2e|examples|proto)\/[\w./-]+)`/g)].map(
      ([, file]) => path.join(root, file as string),
    );
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, file]) =>
      path.resolve(root, path.dirname(document), file as string),
    );
    const missing = [...named, ...linked].filter((file) => !existsSync(file));
    expect(missing.map((file) => path.relative(root, file))).toEqual([]);
  });
});

test.each([
  ['engine-scenarios.mjs', 380],
  ['changes-scenarios.mjs', 192],
])('every scenario is shown by a test, or left out with a reason: %s', (tool, all) => {
  const said = spawnSync(process.execPath, [path.join(root, 'tools', tool), '--check'], {
    encoding: 'utf8',
  });
  expect(said.stdout + said.stderr).toMatch(new RegExp(`^\\d+ of ${all} scenarios are shown \\(.*%\\)\n$`));
  expect(said.status).toBe(0);
});

test('docs/cli.md says what the command table says', () => {
  const said = spawnSync(process.execPath, [path.join(root, 'tools', 'cli-reference.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect({ said: said.stdout + said.stderr, status: said.status }).toEqual({ said: '', status: 0 });
});

test('the program of the README is the one `cairn new` writes', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const template = readFileSync(path.join(root, 'packages/edges/cli/templates/typescript/index.ts'), 'utf8');
  const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
  const bare = (text: string): string =>
    text
      .replace(/\/\/.*$/gm, '')
      .replace(/\s+/g, '')
      .replaceAll(',}', '}')
      .replaceAll(',)', ')');
  expect(bare(code)).toBe(bare(template));
});
