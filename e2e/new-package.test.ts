import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

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
    [['--name', 'My Things'], 'cannot be the name of a package'],
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

    test('keeps what it promises, and a person is asked nothing', async () => {
      const { text } = expectOk(
        await box.cairn(['provider', 'test', '.'], { cwd: path.join(box.directory, 'made') }),
      );
      expect(text).toMatch(/^ {2}nothing is left to ask a person$/m);
      expect(text).toMatch(/, 0 broken$/m);
    });
  }
});
