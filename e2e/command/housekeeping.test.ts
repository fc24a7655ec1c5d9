import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Commands around projects and packages. */

let box: Sandbox;
beforeEach(() => {
  box = sandbox({});
});
afterEach(() => box.remove());

test('`package new` and `project new` make what `new` makes, and nothing else', async () => {
  expectOk(await box.cairn(['package', 'new', '--dir', 'notes', '--yes']));
  expect(readFileSync(path.join(box.directory, 'notes', 'package.json'), 'utf8')).toContain(
    '@cairn/provider-sdk',
  );
  expectOk(await box.cairn(['project', 'new', 'javascript', '--dir', 'shop', '--generate-only', '--yes']));
  expect(existsSync(path.join(box.directory, 'shop', 'index.js'))).toBe(true);
  const other = await box.cairn(['package', 'new', 'javascript', '--dir', 'more', '--yes']);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('Choose one of provider, component'),
  ]);
  const refused = await box.cairn(['project', 'ls']);
  expect(refused.stderr).toContain('error[CAIRN-NOT-OFFERED]');
});

test('the project that `new` makes passes the compiler, and runs', async () => {
  expectOk(await box.cairn(['new', 'typescript', '--dir', 'site', '--generate-only', '--yes']));
  const cwd = path.join(box.directory, 'site');
  expect(readdirSync(cwd).sort()).toEqual(
    ['.gitignore', 'Cairn.yaml', 'README.md', 'index.ts', 'package.json', 'tsconfig.json'].sort(),
  );
  expect(JSON.parse(readFileSync(path.join(cwd, 'package.json'), 'utf8'))).toMatchObject({
    devDependencies: {
      typescript: expect.any(String) as string,
      '@types/node': expect.any(String) as string,
    },
  });
  expectOk(await box.cairn(['stack', 'init', 'dev'], { cwd }));
  expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--typecheck'], { cwd }));
  expect(readFileSync(path.join(cwd, 'hello.txt'), 'utf8')).toMatch(/^Hello from /);
});

test('logs of operations in the background are listed, shown and removed', async () => {
  const folder = path.join(box.home, '.cairn', 'logs', 'shop', 'dev');
  expect(expectOk(await box.cairn(['logs', 'ls'])).stdout.split('\n')).toHaveLength(2);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of ['old', 'new']) writeFileSync(path.join(folder, `${name}.log`), `said by ${name}\n`);
  utimesSync(path.join(folder, 'old.log'), new Date('2020-01-01'), new Date('2020-01-01'));
  const listed = JSON.parse(expectOk(await box.cairn(['logs', 'list', '--json'])).stdout) as {
    name: string;
  }[];
  expect(listed.map(({ name }) => name)).toEqual(['shop/dev/old.log', 'shop/dev/new.log']);
  expect(expectOk(await box.cairn(['logs', 'show'])).stdout).toBe('said by new\n');
  expect(expectOk(await box.cairn(['logs', 'show', 'shop/dev/old.log'])).stdout).toBe('said by old\n');
  expect((await box.cairn(['logs', 'rm', '--all'])).stderr).toContain('--yes');
  expectOk(await box.cairn(['logs', 'rm', '--before', '7d', '--yes']));
  expect(readdirSync(folder)).toEqual(['new.log']);
  for (const words of [['logs'], ['logs', '--follow'], ['logs', 'share']])
    expect((await box.cairn(words)).stderr).toContain('error[CAIRN-NOT-OFFERED]');
});
