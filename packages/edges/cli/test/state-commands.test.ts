import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { cliBox } from './cli-box.js';
import type { CliBox } from './cli-box.js';

const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const KEY = '4dabf18193072939515e22adb298388d';
const urn = (name: string, type = 'a:b:C', stack = 'dev') => `urn:pulumi:${stack}::shop::${type}::${name}`;
const ROOT = urn('shop-dev', 'pulumi:pulumi:Stack');
const PROVIDER = urn('default', 'pulumi:providers:a');
const thing = (name: string, more: object = {}) => ({
  ...{
    urn: urn(name),
    custom: true,
    id: `id-${name}`,
    type: 'a:b:C',
    parent: ROOT,
    provider: `${PROVIDER}::p`,
  },
  ...more,
});
const RESOURCES = [
  {
    urn: ROOT,
    custom: false,
    type: 'pulumi:pulumi:Stack',
    outputs: { url: 'x', key: { [KEY]: SECRET, plaintext: '"hush"' } },
  },
  { urn: PROVIDER, custom: true, id: 'p', type: 'pulumi:providers:a' },
  thing('a', { inputs: { password: { [KEY]: SECRET, plaintext: '"hush"' } } }),
  thing('b', { dependencies: [urn('a')], propertyDependencies: { p: [urn('a')] } }),
];

interface Exported {
  readonly deployment: {
    readonly resources: readonly { readonly urn: string; readonly [key: string]: unknown }[];
  };
}

let box: CliBox;
beforeAll(async () => {
  box = cliBox();
  await box.ok(['stack', 'init', 'dev']);
  await box.ok(['stack', 'init', 'prod', '--no-select']);
});
afterAll(() => box.remove());
beforeEach(async () => {
  await put(RESOURCES);
});

async function put(resources: readonly object[], more: readonly string[] = []): Promise<void> {
  const manifest = { time: '2030-01-01T00:00:00Z', magic: '', version: '' };
  box.write('state.json', JSON.stringify({ version: 3, deployment: { manifest, resources } }));
  await box.ok(['stack', 'import', '--file', 'state.json', '--force', ...more]);
}

async function stateOf(stack = 'dev'): Promise<Exported['deployment']['resources']> {
  const { stdout } = await box.ok(['stack', 'export', '--stack', stack]);
  return (JSON.parse(stdout) as Exported).deployment.resources;
}

const urnsOf = async (stack?: string): Promise<readonly string[]> =>
  (await stateOf(stack)).map((each) => each.urn);

describe('state delete', () => {
  test('shows what goes, needs a confirmation, and is a change of its own', async () => {
    const unconfirmed = await box.run(['state', 'delete', urn('b')]);
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    const { stderr } = await box.ok(['state', 'delete', urn('b'), '--yes']);
    expect(stderr).toContain(`  delete ${urn('b')}\n      id id-b`);
    expect(await urnsOf()).toEqual([ROOT, PROVIDER, urn('a')]);
    expect((await box.ok(['changes', '--json'])).stdout).toContain('state delete');
  });

  test('what others need stays, without --target-dependents', async () => {
    const refused = await box.run(['state', 'rm', urn('a'), '--yes']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--target-dependents')]);
    await box.ok(['state', 'rm', urn('a'), '--yes', '--target-dependents']);
    expect(await urnsOf()).toEqual([ROOT, PROVIDER]);
  });

  test('words that contradict each other', async () => {
    expect((await box.run(['state', 'delete', '--yes'])).code).toBe(2);
    expect((await box.run(['state', 'delete', urn('a'), '--all', '--yes'])).code).toBe(2);
  });
});

test('state protect and unprotect, and a protected resource is not deleted without force', async () => {
  await box.ok(['state', 'protect', urn('b'), '--yes']);
  expect((await stateOf()).at(-1)).toMatchObject({ protect: true });
  const refused = await box.run(['state', 'delete', urn('b'), '--yes']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cairn state unprotect')]);
  const { stderr } = await box.ok(['state', 'unprotect', '--all', '--yes']);
  expect(stderr).toContain(`${urn('b')} is no longer protected`);
  expect((await box.ok(['state', 'unprotect', '--all', '--yes'])).stderr).toContain(
    'Nothing had to be changed',
  );
  await box.ok(['state', 'protect', '--all', '--yes']);
  await box.ok(['state', 'delete', '--all', '--yes', '--force']);
  expect((await box.ok(['stack', 'export'])).stdout).not.toContain('urn:');
});

test('state rename', async () => {
  await box.ok(['state', 'rename', urn('a'), 'z', '--yes']);
  expect((await stateOf()).slice(2)).toMatchObject([
    { urn: urn('z') },
    { urn: urn('b'), dependencies: [urn('z')], propertyDependencies: { p: [urn('z')] } },
  ]);
});

describe('state repair', () => {
  const damaged = [
    RESOURCES[0]!,
    thing('b', { dependencies: [urn('a'), urn('gone')] }),
    RESOURCES[1]!,
    thing('a'),
  ];

  test('explains, keeps a copy and mends; --disable-integrity-checking works on what is damaged', async () => {
    await put(damaged);
    const refused = await box.run(['state', 'protect', urn('a'), '--yes']);
    expect(refused.stderr).toContain('snapshot integrity failure; refusing to use it');
    expect(refused.stderr).toContain('cairn state repair');
    expect(refused.stderr).toContain('noted at the last write');
    await box.ok(['state', 'protect', urn('a'), '--yes', '--disable-integrity-checking']);
    expect((await box.ok(['stack', 'export'])).stdout).toContain('integrity_error');
    const shown = await box.run(['state', 'repair']);
    expect([shown.code, shown.stderr]).toEqual([
      2,
      expect.stringMatching(/take out references[^]*pass --yes\.$/m),
    ]);
    const { stderr } = await box.ok(['state', 'repair', '--yes']);
    expect(stderr).toContain(`${urn('b')}'s dependency ${urn('a')} comes after it (integrity rule 9)`);
    expect(stderr).toContain(`take out references ${urn('b')}`);
    const place = /is kept in (\S+)/.exec(stderr)?.[1] ?? '';
    expect(existsSync(path.join(box.directory, '..', 'state', place))).toBe(true);
    expect(await urnsOf()).toEqual([ROOT, PROVIDER, urn('a'), urn('b')]);
    expect((await box.ok(['stack', 'export'])).stdout).not.toContain('integrity_error');
    expect((await box.ok(['state', 'repair', '--yes'])).stderr).toContain('nothing had to be repaired');
  });

  test('what cannot be mended is left alone', async () => {
    await put([RESOURCES[0]!, thing('a')]);
    const before = (await box.ok(['stack', 'export'])).stdout;
    const refused = await box.run(['state', 'repair', '--yes']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cannot be repaired')]);
    expect((await box.ok(['stack', 'export'])).stdout).toBe(before);
  });
});

describe('state move', () => {
  test('takes a resource, its provider and its secrets to a stack with another key', async () => {
    const { stderr } = await box.ok(['state', 'move', urn('a'), '--dest', 'prod', '--yes']);
    expect(stderr).toContain('these references are removed');
    expect(await urnsOf()).toEqual([ROOT, PROVIDER, urn('b')]);
    const there = (name: string, type?: string) => urn(name, type, 'prod');
    expect(await urnsOf('prod')).toEqual([
      there('shop-prod', 'pulumi:pulumi:Stack'),
      there('default', 'pulumi:providers:a'),
      there('a'),
    ]);
    const shown = await box.ok(['stack', 'export', '--stack', 'prod', '--show-secrets']);
    expect(shown.stdout).toContain('"plaintext": "\\"hush\\""');
    expect((await box.ok(['stack', 'export', '--stack', 'prod'])).stdout).not.toContain('hush');
    await box.ok(['state', 'mv', there('a'), '--source', 'prod', '--yes']);
    expect(await urnsOf()).toContain(urn('a'));
  });

  test.each([
    ['no stack', [], 2, 'neither --source nor --dest'],
    ['the same stack', ['--dest', 'dev'], 2, 'already in stack "dev"'],
    ['a stack that is not there', ['--dest', 'none'], 6, "no stack named 'none'"],
  ])('%s is refused', async (_title, words, code, text) => {
    const refused = await box.run(['state', 'move', urn('a'), '--yes', ...words]);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(text)]);
  });
});

describe('state edit', () => {
  const editor = (script: string): Record<string, string> => ({
    EDITOR: `sh ${box.write('edit.sh', script)}`,
    TMPDIR: box.directory,
  });
  const left = (): readonly string[] =>
    readdirSync(box.directory).filter((name) => name.startsWith('cairn-edit'));
  test('stores what the editor leaves; the file is private, holds no secret and is gone afterwards', async () => {
    const script = `stat -c %a "$1" >mode.txt; cp "$1" seen.txt; sed -i 's/id-b/id-z/' "$1"`;
    const { stderr } = await box.ok(['state', 'edit', '--yes'], editor(script));
    expect(stderr).toContain(`add ${urn('b')}`);
    expect((await stateOf()).at(-1)).toMatchObject({ id: 'id-z' });
    expect(box.read('mode.txt').trim()).toBe('600');
    expect(box.read('seen.txt')).toContain('ciphertext');
    expect(box.read('seen.txt')).not.toContain('hush');
    expect(left()).toEqual([]);
  });

  test('a secret that is written in the clear is sealed', async () => {
    const open = JSON.stringify({ [KEY]: SECRET, plaintext: '"fresh"' });
    const replace = `const fs = require('node:fs'); const [, , file] = process.argv;
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"url": "x"', ${JSON.stringify(`"url": ${open}`)}));`;
    await box.ok(['state', 'edit', '--yes'], { EDITOR: `node ${box.write('edit.cjs', replace)}` });
    expect((await box.ok(['stack', 'export'])).stdout).not.toContain('fresh');
    expect((await box.ok(['stack', 'output', 'url', '--show-secrets'])).stdout).toBe('fresh\n');
  });

  test('so is one of a step that is pending', async () => {
    const resource = thing('n', { id: '', inputs: { key: { [KEY]: SECRET, plaintext: '"fresh"' } } });
    const pending = JSON.stringify([{ resource, type: 'creating' }]);
    const replace = `const fs = require('node:fs'); const [, , file] = process.argv;
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"metadata"', ${JSON.stringify(`"pending_operations": ${pending}, "metadata"`)}));`;
    await box.ok(['state', 'edit', '--yes'], { EDITOR: `node ${box.write('edit.cjs', replace)}` });
    const { stdout } = await box.ok(['stack', 'export']);
    expect(stdout).toContain(urn('n'));
    expect(stdout).not.toContain('fresh');
  });

  test.each([
    ['no JSON', 'echo "{" >"$1"', 'it is not valid JSON'],
    ['a state that is not consistent', `sed -i 's/id-a/id-a/; s/::a"$/::gone"/' "$1"`, 'integrity failure'],
  ])('%s is refused, and the text is kept', async (_title, script, text) => {
    const before = await stateOf();
    const refused = await box.run(['state', 'edit', '--yes'], editor(script));
    expect(refused.stderr).toContain(text);
    expect(refused.code).toBe(2);
    const file = /the text is kept in (\S+)/.exec(refused.stderr)?.[1] ?? '';
    expect(existsSync(file)).toBe(true);
    expect(await stateOf()).toEqual(before);
  });

  test('no editor, one that fails, and one that changes nothing', async () => {
    expect((await box.run(['state', 'edit', '--yes'])).code).toBe(2);
    expect((await box.run(['state', 'edit', '--yes'], editor('exit 3'))).code).toBe(8);
    expect((await box.ok(['state', 'edit', '--yes'], editor('true'))).stderr).toContain(
      'Nothing was changed',
    );
  });
});

test('stack tag set, get, ls and rm', async () => {
  await box.ok(['stack', 'tag', 'set', 'owner', 'web team']);
  await box.ok(['stack', 'tag', 'set', 'a:b', '1']);
  expect((await box.ok(['stack', 'tag', 'get', 'owner'])).stdout).toBe('web team\n');
  expect(JSON.parse((await box.ok(['stack', 'tag', 'ls', '--json'])).stdout)).toEqual({
    'a:b': '1',
    owner: 'web team',
  });
  expect((await box.ok(['stack', 'tag', 'ls'])).stdout).toBe('NAME   VALUE\na:b    1\nowner  web team\n');
  await box.ok(['stack', 'tag', 'rm', 'owner']);
  expect((await box.run(['stack', 'tag', 'get', 'owner'])).code).toBe(2);
  expect((await box.run(['stack', 'tag', 'rm', 'owner'])).code).toBe(2);
  expect((await box.run(['stack', 'tag', 'set', 'bad name', 'x'])).code).toBe(2);
  await box.ok(['stack', 'tag', 'rm', 'a:b']);
});

test('stack --output json has the keys of the format', async () => {
  const { stdout } = await box.ok(['stack', '--output', 'json']);
  expect(JSON.parse(stdout)).toEqual({
    ...{
      organization: 'organization',
      project: 'shop',
      stack: 'dev',
      backend: expect.stringContaining('file://'),
    },
    tags: {},
    manifest: { time: '2030-01-01T00:00:00Z' },
    resources: [
      { urn: ROOT, type: 'pulumi:pulumi:Stack', name: 'shop-dev' },
      { urn: PROVIDER, type: 'pulumi:providers:a', name: 'default', id: 'p' },
      { urn: urn('a'), type: 'a:b:C', name: 'a', id: 'id-a', parent: ROOT },
      { urn: urn('b'), type: 'a:b:C', name: 'b', id: 'id-b', parent: ROOT },
    ],
    outputs: { url: 'x', key: '[secret]' },
  });
  expect((await box.ok(['stack', '--json', '--show-secrets'])).stdout).toContain('"key": "hush"');
  expect((await box.run(['stack', '--output', 'xml'])).code).toBe(2);
});

test('stack graph', async () => {
  expect((await box.ok(['stack', 'graph', '-', '--short-node-name'])).stdout).toBe(
    [
      'strict digraph {',
      '    Resource0 [label="shop-dev"];',
      '    Resource1 [label="default"];',
      '    Resource2 [label="a"];',
      '    Resource3 [label="b"];',
      '    Resource0 -> Resource2 [color="#AA6639"];',
      '    Resource2 -> Resource3 [color="#246C60", label="p"];',
      '    Resource0 -> Resource3 [color="#AA6639"];',
      '}',
      '',
    ].join('\n'),
  );
  const bare = ['--ignore-parent-edges', '--ignore-dependency-edges', '--dot-fragment', 'rankdir=LR;'];
  await box.ok(['stack', 'graph', 'g.dot', ...bare]);
  expect(box.read('g.dot')).toContain(`label="${ROOT}"`);
  expect(box.read('g.dot')).toContain('    rankdir=LR;\n');
  expect(box.read('g.dot')).not.toContain('->');
});

test('stack rename takes config and selection along; a name that is taken is refused', async () => {
  const config = box.read('Cairn.dev.yaml');
  expect((await box.run(['stack', 'rename', 'prod'])).code).toBe(1);
  await box.ok(['stack', 'tag', 'set', 'owner', 'x']);
  await box.ok(['stack', 'rename', 'next']);
  expect([existsSync(path.join(box.directory, 'Cairn.dev.yaml')), box.read('Cairn.next.yaml')]).toEqual([
    false,
    config,
  ]);
  expect((await box.ok(['stack', '--show-name'])).stdout).toBe('next\n');
  expect((await urnsOf('next')).every((each) => each.startsWith('urn:pulumi:next::'))).toBe(true);
  expect((await box.ok(['stack', 'output', 'key', '--show-secrets'])).stdout).toBe('hush\n');
  expect((await box.ok(['stack', 'tag', 'get', 'owner'])).stdout).toBe('x\n');
  expect((await box.run(['stack', 'rename', 'next'])).code).toBe(2);
  expect((await box.run(['stack', 'rename', 'a/b/c'])).code).toBe(2);
  await box.ok(['stack', 'rename', 'dev']);
});
