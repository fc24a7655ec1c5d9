import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { KEYS, onTerminal, whyNoTerminals } from '../support/terminal.js';

/** `new` with templates that others have written: folders, git repositories, npm packages. */

let box: Sandbox;
beforeEach(() => (box = sandbox({}, { projectFile: false })));
afterEach(() => box.remove());

const PROJECT = [
  'name: ${PROJECT}',
  'description: ${DESCRIPTION}',
  '# kept',
  'runtime: nodejs',
  'main: index.js',
  'template:',
  '  description: A small web site',
  '  quickstart: Open the page.',
  '  config:',
  '    colour: { description: Colour of the page, default: red }',
  '    other:token: { description: Token of the other, secret: true }',
  '',
].join('\n');

const INDEX = `// \${PROJECT}: \${DESCRIPTION}
import { Config } from '@cairn/sdk';
export const colour = new Config().require('colour');
`;

/** Writes a template below the sandbox's home; its folder. */
function template(name: string, more: Record<string, string | Buffer> = {}): string {
  const folder = path.join(box.home, name);
  const files = {
    'Pulumi.yaml': PROJECT,
    'index.js': INDEX,
    'package.json': '{"name":"${PROJECT}","type":"module"}',
    ...more,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

const made = (file: string) => readFileSync(path.join(box.directory, 'made', file), 'utf8');
const create = (source: string, ...words: string[]) =>
  box.cairn(['new', source, '--dir', 'made', ...words], { env: { GIT_CONFIG_GLOBAL: '/dev/null' } });

/** A repository with a branch `teams/web`, where the template is in a folder. */
function repository(): string {
  const folder = template('repo');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  git('checkout', '-q', '-b', 'teams/web');
  template('repo/deep/site', { 'index.js': '// on the branch\n' });
  git('add', '.');
  git('commit', '-q', '-m', 'two');
  git('checkout', '-q', 'main');
  return pathToFileURL(folder).href;
}

test('a folder: name and description are filled in, the stack has the settings, dependencies are installed', async () => {
  const picture = Buffer.from([0, 1, 2, 0x24, 0x7b]);
  const source = template('site', {
    'site/logo.bin': picture,
    'lib/package.json': '{"name":"lib","version":"1.0.0"}',
  });
  writeFileSync(
    path.join(source, 'package.json'),
    '{"name":"${PROJECT}","type":"module","dependencies":{"lib":"file:./lib"}}',
  );
  const finished = expectOk(
    await create(
      source,
      '-y',
      '-n',
      'shop',
      '-d',
      'My shop',
      '-s',
      'prod',
      '-c',
      'other:token=s3cret',
      '-c',
      'size=3',
    ),
  );
  expect(finished.stderr).toContain('Open the page.');
  expect(made('Pulumi.yaml')).toBe(
    'name: shop\ndescription: My shop\n# kept\nruntime: nodejs\nmain: index.js\n',
  );
  expect(made('index.js')).toContain('// shop: My shop');
  expect(readFileSync(path.join(box.directory, 'made', 'site', 'logo.bin')).equals(picture)).toBe(true);
  expect(existsSync(path.join(box.directory, 'made', 'node_modules', 'lib'))).toBe(true);
  const stack = made('Pulumi.prod.yaml');
  expect(stack).toMatch(/shop:colour: red/);
  expect(stack).toMatch(/shop:size: "?3"?/);
  expect(stack).toMatch(/other:token:\n +secure: /);
  expect(stack).not.toContain('s3cret');
  const cwd = path.join(box.directory, 'made');
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { cwd }));
  expect(expectOk(await box.cairn(['stack', 'output', 'colour'], { cwd })).stdout.trim()).toBe('red');
});

test('a default is any value; the project is a project of every command', async () => {
  const config = [
    '    flag: { default: true, type: boolean }',
    '    count: { default: 1.10 }',
    '    zones: { default: [a, b] }',
    '    tags: { default: { team: web }, type: object }',
    '    none: { default: }',
  ];
  const project = `name: \${PROJECT}\nruntime: nodejs\nmain: index.js\ntemplate:\n  config:\n${config.join('\n')}\n`;
  const source = template('any', { 'Pulumi.yaml': project, 'index.js': '' });
  expectOk(await create(source, '-y', '--name', 'shop', '--stack', 'dev'));
  const shown = expectOk(await box.cairn(['config', '--json', '--cwd', 'made', '--stack', 'dev'])).stdout;
  const values = Object.entries(JSON.parse(shown) as Record<string, { value: string }>);
  expect(Object.fromEntries(values.map(([key, { value }]) => [key, value]))).toEqual({
    'shop:flag': 'true',
    'shop:count': '1.10',
    'shop:zones': '["a","b"]',
    'shop:tags': '{"team":"web"}',
  });
});

test('only files with --generate-only; nothing is written over without --force; options of the runtime', async () => {
  const source = template('site');
  expectOk(await create(source, '-y', '-g', '--runtime-options', 'typescript=false,tsconfig=x.json'));
  expect(made('Pulumi.yaml')).toContain('name: made\n');
  expect(made('Pulumi.yaml')).toContain('description: A small web site\n');
  expect(made('Pulumi.yaml')).toContain('options:\n    typescript: false\n    tsconfig: x.json\n');
  expect(existsSync(path.join(box.directory, 'made', 'Pulumi.dev.yaml'))).toBe(false);
  expect((await create(source, '-y', '-g')).text).toContain('is not empty');
  expectOk(await create(source, '-y', '-g', '-f', '-n', 'again'));
  expect(made('Pulumi.yaml')).toContain('name: again\n');
});

describe('a language that asks for options of its runtime', () => {
  const project = 'name: ${PROJECT}\nruntime: steps\n';
  const runtime = () => made('Pulumi.yaml').slice(made('Pulumi.yaml').indexOf('runtime:'));
  beforeEach(() => {
    box.env['PATH'] =
      `${path.resolve(__dirname, '../../packages/testing/testkit/bin')}:${process.env['PATH']}`;
  });

  test('is answered with its defaults where nobody is asked, and with what flags say', async () => {
    const source = template('walks', { 'Pulumi.yaml': project });
    expectOk(await create(source, '-g'));
    expect(runtime()).toBe('runtime:\n  name: steps\n  options:\n    pace: walk\n    shoes: boots\n');
    expect(JSON.parse(made('adapted.json'))).toEqual({
      projectName: 'made',
      options: { pace: 'walk', shoes: 'boots' },
    });
    expectOk(await create(source, '-g', '-f', '-y', '--runtime-options', 'pace=run'));
    expect(runtime()).toBe('runtime:\n  name: steps\n  options:\n    pace: run\n');
  });

  test('makes the packages that the project file of a template names, and installs them', async () => {
    const source = template('walks', {
      'Pulumi.yaml': `${project}packages:\n  pair: ./pair@0.0.0\n`,
      'program.json': JSON.stringify([{ do: 'remote', type: 'pair:index:Pair', name: 'one' }]),
      'pair/components.json': JSON.stringify({ 'pair:index:Pair': ['left'] }),
      'pair/PulumiPlugin.yaml': 'runtime: steps\n',
    });
    expectOk(await create(source, '-y', '-s', 'dev'));
    expect(JSON.parse(made('sdks/pair/words.json'))).toEqual(['pair:index:Pair']);
    expect(JSON.parse(made('linked.json'))).toEqual({ pair: path.join('sdks', 'pair') });
    const cwd = path.join(box.directory, 'made');
    expect(expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { cwd })).text).toContain(
      'pair:index:Pair',
    );
  });

  test('is answered by lines of stdin where a test says so; a line that is no choice is refused', async () => {
    const source = template('walks', { 'Pulumi.yaml': project });
    const typed = (input: string) =>
      box.cairn(['new', source, '--dir', 'made', '-g', '-f', '-n', 'x', '--description', 'y'], {
        env: { PULUMI_TEST_INTERACTIVE: '1' },
        input,
      });
    expectOk(await typed('run\n'));
    expect(runtime()).toContain('runtime:\n  name: steps\n  options:\n    pace: run\n');
    expect((await typed('crawl\n')).text).toContain('pace must be one of walk, run');
  });

  test('is asked nothing before it is there; what comes next is told under the name that was typed', async () => {
    const source = template('walks', { 'Pulumi.yaml': project.replace('steps', 'cobol') });
    expect(expectOk(await create(source, '-g')).stderr).toContain('  cairn install\n  cairn up\n');
    expect(runtime()).toBe('runtime: cobol\n');
    expectOk(await box.cairn(['alias', 'bin']));
    const words = ['new', source, '--dir', 'made', '-g', '-f'];
    const stdout = execFileSync(path.join(box.directory, 'bin', 'pulumi'), words, {
      encoding: 'utf8',
      cwd: box.directory,
      env: box.env as NodeJS.ProcessEnv,
      stdio: 'pipe',
    });
    expect(stdout).toContain('  pulumi install\n  pulumi up\n');
  });
});

test.each([
  ['the default branch', '', '// made: A small web site'],
  ['a folder on a branch', '/tree/teams/web/deep/site', '// on the branch'],
  ['a branch behind #', '#teams/web', '// made: A small web site'],
])('a git repository: %s', async (_, suffix, first) => {
  expectOk(await create(repository() + suffix, '-y', '-g'));
  expect(made('index.js')).toContain(first);
  expect(existsSync(path.join(box.directory, 'made', '.git'))).toBe(false);
});

test('an npm package', async () => {
  const source = template('site', { 'package.json': '{"name":"a-template","version":"1.0.0"}' });
  expectOk(await create(`npm:${source}`, '-y', '-g', '-n', 'shop'));
  expect(made('index.js')).toContain('// shop:');
});

test('an npm package whose links lead outside writes nothing', async () => {
  const evil = path.join(box.directory, 'evil', 'package');
  mkdirSync(evil, { recursive: true });
  writeFileSync(path.join(evil, 'package.json'), '{"name":"evil","version":"1.0.0"}');
  symlinkSync('..', path.join(evil, 'up'));
  symlinkSync('up/../.bashrc', path.join(evil, 'out'));
  const file = path.join(box.directory, 'evil.tgz');
  execFileSync('tar', ['-czf', file, '-C', path.dirname(evil), 'package']);
  const refused = await create(`npm:${file}`, '-y', '-g', '-n', 'shop');
  expect(refused.stderr).toContain('cannot unpack the npm package');
  expect(refused.stderr).toMatch(/its link "(up|out)" points outside/);
  expect(existsSync(path.join(box.directory, 'made'))).toBe(false);
});

test('names are those of installed templates, then those of the repository of templates', async () => {
  const installed = template('.pulumi/templates/web');
  expect(installed).toContain('web');
  const listed = expectOk(await box.cairn(['new', '--list-templates'])).stdout;
  expect(listed).toMatch(/^typescript +A program in TypeScript\n/);
  expect(listed).toMatch(/\nweb +A small web site\n/);
  expectOk(await create('web', '-y', '-g', '--offline'));
  expect((await create('absent', '-y', '-g', '--offline')).text).toContain('absent is not on this machine');
  const env = { CAIRN_TEMPLATE_GIT_REPOSITORY: repository(), CAIRN_TEMPLATE_BRANCH: 'teams/web' };
  const finished = await box.cairn(['new', 'deep/site', '--dir', 'other', '-y', '-g'], { env });
  expect(finished.text).toContain('there is no directory deep/site');
  const none = await box.cairn(['new', 'absent', '--dir', 'other', '-y', '-g'], { env });
  expect(none.text).toContain('no folder of that name in file://');
});

test('what is no template is refused, and says what there is', async () => {
  expect((await create('./nowhere', '-y')).text).toContain('there is no directory ./nowhere');
  mkdirSync(path.join(box.home, 'empty'));
  expect((await create(path.join(box.home, 'empty'), '-y')).text).toContain('has no template');
  expect((await create('file:///nowhere/at/all.git', '-y')).text).toContain('cannot get the repository');
  template('many/one');
  template('many/two');
  const several = await create(path.join(box.home, 'many'), '-y');
  expect(several.text).toContain(
    'there are several templates\n  one: A small web site\n  two: A small web site',
  );
  expect((await create(template('site'), '-y', '-n', 'no good')).code).not.toBe(0);
  expect(existsSync(path.join(box.directory, 'made', 'Pulumi.yaml'))).toBe(false);
});

test('at a terminal it offers the templates and asks for what is needed', async () => {
  if (whyNoTerminals() !== undefined) return;
  template('many/one');
  template('many/two', { 'index.js': '// the second\n' });
  const terminal = onTerminal(box, ['new', path.join(box.home, 'many'), '--dir', 'made']);
  await terminal.shown('Template');
  terminal.type(KEYS.down + KEYS.enter);
  await terminal.shown('Name of the project');
  terminal.type(`shop${KEYS.enter}`);
  await terminal.shown('Description of the project');
  terminal.type(KEYS.enter);
  await terminal.shown('Name of the stack');
  terminal.type(KEYS.enter);
  await terminal.shown('Colour of the page');
  terminal.type(`blue${KEYS.enter}`);
  await terminal.shown('Token of the other');
  terminal.type(`hidden${KEYS.enter}`);
  const { code, screen } = await terminal.finished;
  expect([code, screen.includes('hidden')]).toEqual([0, false]);
  expect(made('index.js')).toBe('// the second\n');
  expect(made('Pulumi.dev.yaml')).toMatch(/shop:colour: blue/);
});

test('policy new: our own pack judges a program; templates come from folders as well', async () => {
  expectOk(await box.cairn(['policy', 'new', '--dir', 'rules', '--yes']));
  box.write('app/Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.js\n');
  box.write(
    'app/package.json',
    '{"type":"module","dependencies":{"@cairn/sdk":"*","@cairn/provider-local":"*"}}',
  );
  const program = (file: string) =>
    `import { LocalFile } from '@cairn/provider-local'; new LocalFile('page', { path: '${file}', content: 'x' });`;
  const cwd = path.join(box.directory, 'app');
  const up = () => box.cairn(['up', '--yes', '--skip-preview', '--policy-pack', '../rules'], { cwd });
  box.write('app/index.js', program('../outside.txt'));
  expectOk(await box.cairn(['stack', 'init', 'dev'], { cwd }));
  const refused = await up();
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain('../outside.txt lies outside');
  box.write('app/index.js', program('inside.txt'));
  expectOk(await up());

  const source = path.join(box.home, 'strict');
  mkdirSync(source);
  writeFileSync(path.join(source, 'PulumiPolicy.yaml'), 'runtime: nodejs\ndescription: Strict\n');
  writeFileSync(path.join(source, 'package.json'), '{}');
  expectOk(
    await box.cairn(['policy', 'new', source, '--dir', 'made', '--runtime-options', 'typescript=false']),
  );
  expect(made('PulumiPolicy.yaml')).toBe(
    'runtime:\n  name: nodejs\n  options:\n    typescript: false\ndescription: Strict\n',
  );
  expect((await box.cairn(['policy', 'new', '--dir', 'made'])).text).toContain('is not empty');
});
