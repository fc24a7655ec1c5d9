import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { installPackages, packageManagerOf, workspaceRoot } from './package-manager.js';

/** The package manager that installs a project, with executables that print their name and arguments. */

const base = mkdtempSync(join(tmpdir(), 'cairn-managers-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const bin = join(base, 'bin');
const pathWith = (...names: readonly string[]): string => {
  const directory = join(base, `bin-${names.join('-')}`);
  mkdirSync(directory, { recursive: true });
  for (const name of names) {
    const file = join(directory, name);
    writeFileSync(file, '#!/bin/sh\necho "$(basename "$0") $* in $(pwd)"\n');
    chmodSync(file, 0o755);
  }
  return directory;
};

/** Makes a program two folders below the files of its project. */
function project(...files: readonly string[]): string {
  const root = mkdtempSync(join(base, 'project-'));
  const directory = join(root, 'packages', 'infra');
  mkdirSync(directory, { recursive: true });
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return directory;
}

const ALL = ['npm', 'yarn', 'pnpm', 'bun'];

test.each<[string, readonly string[], string | undefined, Record<string, string>, readonly string[], string]>(
  [
    ['npm where nothing says otherwise', [], undefined, {}, ALL, 'npm'],
    ['the lock file beside the program', ['packages/infra/yarn.lock'], undefined, {}, ALL, 'yarn'],
    ['the lock file of a workspace above', ['pnpm-lock.yaml'], undefined, {}, ALL, 'pnpm'],
    ['a manifest that only pnpm reads', ['package.yaml'], undefined, {}, ALL, 'pnpm'],
    ['the older lock file of bun', ['bun.lockb'], undefined, {}, ALL, 'bun'],
    ['what the project names, before its lock file', ['yarn.lock'], 'pnpm', {}, ALL, 'pnpm'],
    ['auto is as if none was named', ['bun.lock'], 'auto', {}, ALL, 'bun'],
    [
      'yarn where the environment prefers it',
      ['bun.lock'],
      undefined,
      { PULUMI_PREFER_YARN: 'true' },
      ALL,
      'yarn',
    ],
    ['ours comes first', [], undefined, { CAIRN_PREFER_YARN: '0', PULUMI_PREFER_YARN: '1' }, ALL, 'npm'],
    ['a lock file of what is not there', ['yarn.lock', 'bun.lock'], undefined, {}, ['npm', 'bun'], 'bun'],
    ['nothing is there but npm', ['yarn.lock'], undefined, { PULUMI_PREFER_YARN: '1' }, ['npm'], 'npm'],
  ],
)('%s', (_title, files, named, env, there, expected) => {
  const info = {
    programDirectory: project(...files),
    options: named === undefined ? {} : { packagemanager: named },
  };
  expect(packageManagerOf(info, { ...env, PATH: [bin, pathWith(...there)].join(delimiter) })).toBe(expected);
});

test('what the project names and is not there is an error that says so', () => {
  const info = { programDirectory: project(), options: { packagemanager: 'bun' } };
  expect(() => packageManagerOf(info, { PATH: pathWith('npm') })).toThrow(
    'the project is installed with bun, which is not on the PATH',
  );
});

test.each([
  ['npm', false, 'npm install --no-audit --no-fund'],
  ['npm', true, 'npm install --no-audit --no-fund --omit=dev'],
  ['yarn', true, 'yarn install --non-interactive --production'],
  ['pnpm', false, 'pnpm install'],
  ['pnpm', true, 'pnpm install --prod'],
  ['bun', true, 'bun install'],
])('%s installs in the directory of the program (production: %s)', async (name, production, words) => {
  const programDirectory = project();
  const said: string[] = [];
  await installPackages(
    { programDirectory, options: { packagemanager: name, production } },
    { PATH: [pathWith(...ALL), process.env['PATH']].join(delimiter) },
    (_stream, text) => said.push(text),
  );
  expect(said.join('')).toBe(`${words} in ${programDirectory}\n`);
});

test.each<[string, unknown, boolean]>([
  ['a list with a pattern', ['packages/*'], true],
  ['a folder with a slash', ['apps', 'packages/infra/'], true],
  ['the longer form', { packages: ['./packages/*'], nohoist: ['**/x'] }, true],
  ['everything below', ['packages/**'], true],
  ['part of a name', ['packages/in*'], true],
  ['the folder above only', ['packages'], false],
  ['another folder', ['apps/*'], false],
  ['a dot that is no wildcard', ['packages/infr.'], false],
  ['nothing', undefined, false],
])(
  'a workspace names its packages by %s, and is installed as a whole',
  async (_title, workspaces, isMember) => {
    const programDirectory = project();
    const root = dirname(dirname(programDirectory));
    writeFileSync(join(programDirectory, 'package.json'), '{}');
    writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true, workspaces }));
    expect(workspaceRoot(programDirectory)).toBe(isMember ? root : undefined);
    const said: string[] = [];
    await installPackages(
      { programDirectory, options: { packagemanager: 'yarn' } },
      { PATH: [pathWith(...ALL), process.env['PATH']].join(delimiter) },
      (_stream, text) => said.push(text),
    );
    expect(said.join('')).toBe(`yarn install --non-interactive in ${isMember ? root : programDirectory}\n`);
  },
);
