import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Makes a note with the provider, and prints its id. */
const MAKES = `
import { testProvider } from '@cairn/provider-sdk/testing';
import { definition } from './dist/definition.js';
const provider = await testProvider(definition, { programDirectory: process.cwd() });
const note = await provider.create('index:Note', 'first', { title: 'first-day', text: 'one two' });
console.log('made ' + note.id);
`;
/** A process that dies when it has written three bytes of a file. */
const DIES = `
const promises = require('node:fs/promises');
promises.writeFile = (file, text) => {
  require('node:fs').writeFileSync(file, String(text).slice(0, 3));
  process.kill(process.pid, 'SIGKILL');
};
require('node:module').syncBuiltinESMExports();
`;

describe.each([
  ['provider', 'index:Note', 3],
  ['component', 'componentsOf', 2],
])('cairn new %s', (template, code, tests) => {
  let box: Sandbox;
  beforeAll(() => {
    box = sandbox({}, { projectFile: false });
  });
  afterAll(() => box.remove());
  const inside = (...words: readonly string[]) =>
    spawnSync('npm', words, {
      cwd: path.join(box.directory, 'made'),
      encoding: 'utf8',
      env: { ...process.env, ...box.env } as never,
    });

  test('writes a package that compiles and whose tests pass', async () => {
    const { text } = expectOk(await box.cairn(['new', template, '--dir', 'made', '--name', 'my-things']));
    expect(text).toContain('npm test');
    const run = inside('test', '--silent');
    expect([run.status, run.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`pass ${tests}\\b`)) as string,
    ]);
    expect(readFileSync(path.join(box.directory, 'made', 'src', 'definition.ts'), 'utf8')).toContain(code);
    expect(spawnSync('grep', ['-r', '__NAME__', path.join(box.directory, 'made')]).status).toBe(1);
  });

  test('installs what it depends on where that is not there', async () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'new-'));
    box.write('bin/npm', '#!/bin/sh\necho "$PWD $*" >> "$NPM_CALLS"\n');
    chmodSync(path.join(box.directory, 'bin', 'npm'), 0o755);
    const calls = path.join(elsewhere, 'calls');
    const env = { PATH: `${path.join(box.directory, 'bin')}:${process.env['PATH']}`, NPM_CALLS: calls };
    const make = (name: string, ...words: readonly string[]) =>
      box.cairn(['new', template, '--name', 'things', '--dir', path.join(elsewhere, name), ...words], {
        env,
      });
    try {
      expect(expectOk(await make('one', '--generate-only')).text).toContain('  npm install\n  npm test\n');
      expect(existsSync(calls)).toBe(false);
      expect(expectOk(await make('two')).text).not.toContain('  npm install\n');
      expect(readFileSync(calls, 'utf8')).toMatch(/\/two install\b/);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  test('packs what it names, and no tests', () => {
    const [packed] = JSON.parse(inside('pack', '--json', '--dry-run', '--ignore-scripts').stdout) as [
      { readonly files: readonly { readonly path: string }[] },
    ];
    const files = packed.files.map((file) => file.path);
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'bin/plugin.js',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/provider.js',
        ...(template === 'component' ? ['dist/site.components.json'] : ['bin/terraform.js']),
      ]),
    );
    expect(files.filter((file) => /test|src\//.test(file) && file !== 'provider-test.yaml')).toEqual([]);
  });

  test.each([
    [['--name', 'My Things'], 'is not a valid name of a package'],
    [['--name', 'again', '--dir', 'made'], 'is not empty'],
  ])('%j is refused', async (words, message) => {
    const { code, text } = await box.cairn(['new', template, '--dir', 'other', ...words]);
    expect([code, text]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(path.join(box.directory, 'other', 'package.json'))).toBe(false);
  });

  if (template === 'provider') {
    test('is a provider of Terraform, too', () => {
      const made = path.join(box.directory, 'made');
      const { bin } = JSON.parse(readFileSync(path.join(made, 'package.json'), 'utf8')) as {
        readonly bin: Readonly<Record<string, string>>;
      };
      const script = path.join(made, String(bin['terraform-provider-my-things']));
      const started = spawnSync(script, { encoding: 'utf8' });
      expect([started.status, started.stderr]).toEqual([
        1,
        expect.stringMatching(/^This is the provider my-things for Terraform and OpenTofu/),
      ]);
    });

    test('a create that is killed while it writes is done by the same create again', () => {
      const made = path.join(box.directory, 'made');
      box.write('made/makes.mjs', MAKES);
      box.write('made/dies.cjs', DIES);
      const make = (...options: readonly string[]) =>
        spawnSync(process.execPath, [...options, 'makes.mjs'], { cwd: made, encoding: 'utf8' });
      expect(make('--require', './dies.cjs').signal).toBe('SIGKILL');
      expect(make()).toMatchObject({ status: 0, stdout: 'made first-day\n' });
      expect(readdirSync(path.join(made, 'notes'))).toEqual(['first-day.txt']);
      expect(readFileSync(path.join(made, 'notes', 'first-day.txt'), 'utf8')).toBe('one two');
    });

    test('keeps what it promises, and a person is asked nothing', async () => {
      const { text } = expectOk(
        await box.cairn(['provider', 'test', '.'], { cwd: path.join(box.directory, 'made') }),
      );
      expect(text).toMatch(/^ {2}the user is asked about nothing$/m);
      expect(text).toMatch(/, 0 broken$/m);
    });
  }
});
