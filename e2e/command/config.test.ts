import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const SECRET = 'correct-horse-9-battery';

describe('configuration [CFG-7] [EVT-5]', () => {
  let box: Sandbox;
  const file = (name: string): string => path.join(box.directory, name);
  const text = (name: string): string => readFileSync(file(name), 'utf8');
  const shown = async (...words: readonly string[]): Promise<unknown> =>
    JSON.parse(expectOk(await box.cairn(['config', '--json', ...words])).stdout);

  beforeAll(async () => {
    box = sandbox({ 'index.ts': `import '@cairn/sdk';` });
    giveStack(box, 'prod');
    giveStack(box);
  });
  afterAll(() => box.remove());

  test('a file with the line ends of Windows keeps them', async () => {
    box.write(
      'windows.yaml',
      '# ours\r\nconfig:\r\n  shop:a: one # first\r\n  shop:b: |\r\n    x\r\n    y\r\n',
    );
    expectOk(await box.cairn(['config', 'set', 'c', 'two', '--config-file', 'windows.yaml']));
    expect(text('windows.yaml')).toBe(
      '# ours\r\nconfig:\r\n  shop:a: one # first\r\n  shop:b: |\r\n    x\r\n    y\r\n  shop:c: two\r\n',
    );
  });

  test('a misspelt key of the project file is a warning with its line and the right key', async () => {
    const before = text('Cairn.yaml');
    box.write('Cairn.yaml', `${before}mian: index.ts\n`);
    const { stderr } = expectOk(await box.cairn(['config']));
    box.write('Cairn.yaml', before);
    expect(stderr).toMatch(
      /^warning: unknown key "mian" in the project file\n {2}at .*Cairn\.yaml:4\n {2}hint: Did you mean "main"\?$/m,
    );
  });

  test('a value of another type is refused with its line in the file of the stack and that of its declaration', async () => {
    const before = text('Cairn.yaml');
    box.write('Cairn.yaml', `${before}config:\n  size: { type: integer }\n`);
    box.write('wrong.yaml', 'config:\n  # too large\n  shop:size: large\n');
    const refused = await box.cairn(['preview', '--config-file', 'wrong.yaml']);
    box.write('Cairn.yaml', before);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(
      /config value "size" of stack "dev" must be of type integer\n {2}at .*wrong\.yaml:3:3\n {2}declared at .*Cairn\.yaml:5\n/,
    );
  });

  test('several values at once, secrets encrypted, and back by the document that was printed', async () => {
    const pairs = ['--plaintext', 'region=eu', '--plaintext', 'list[0]=5', '--secret', `token=${SECRET}`];
    expectOk(await box.cairn(['config', 'set-all', '--path', ...pairs]));
    const printed = await shown('--show-secrets');
    expect(printed).toEqual({
      'shop:list': { value: '[5]', objectValue: [5], secret: false },
      'shop:region': { value: 'eu', secret: false },
      'shop:token': { value: SECRET, secret: true },
    });
    expect(text('Cairn.dev.yaml')).not.toContain(SECRET);
    expectOk(
      await box.cairn(['config', 'set-all', '--stack', 'prod', '--json', '-'], {
        input: JSON.stringify(printed),
      }),
    );
    expect(await shown('--show-secrets', '--stack', 'prod')).toEqual(printed);
    expect(text('Cairn.prod.yaml')).not.toContain(SECRET);
  });

  test.each([
    [['--json', '{"shop:token":{"secret":true}}'], '"shop:token" has no value'],
    [
      ['--json', '{"shop:x":{"value":"{}","objectValue":{"secure":"v1:a"},"secret":false}}'],
      'reserved for secrets',
    ],
    [['--json', '[1'], 'not JSON'],
    [['--plaintext', 'novalue'], 'key=value'],
    [[], 'no values were given'],
  ])('set-all %j is refused and nothing is set', async (words, why) => {
    const before = text('Cairn.dev.yaml');
    const refused = await box.cairn(['config', 'set-all', ...words]);
    expect([refused.code === 0, refused.text]).toEqual([false, expect.stringContaining(why)]);
    expect(text('Cairn.dev.yaml')).toBe(before);
  });

  test('set-all takes a key that has a = in it in quotes', async () => {
    expectOk(await box.cairn(['config', 'set-all', '--plaintext', '"a="=1', '--plaintext', "'=b=c='=2=3"]));
    expect((await box.cairn(['config', 'get', 'a='])).stdout.trim()).toBe('1');
    expect((await box.cairn(['config', 'get', '=b=c='])).stdout.trim()).toBe('2=3');
    const refused = await box.cairn(['config', 'set-all', '--plaintext', '"open=1']);
    expect([refused.code === 0, refused.text]).toEqual([false, expect.stringContaining('key=value')]);
    expectOk(await box.cairn(['config', 'rm-all', 'a=', '=b=c=']));
  });

  test('types inside structures are kept, and a word that is no type is refused', async () => {
    expectOk(await box.cairn(['config', 'set', '--path', '--type', 'string', 'typed.a', '7']));
    expectOk(await box.cairn(['config', 'set', '--path', '--type', 'float', 'typed.b', '1.5']));
    expectOk(await box.cairn(['config', 'set', '--path', '--type', 'bool', 'typed.c', 'true']));
    expect(expectOk(await box.cairn(['config', 'get', 'typed'])).stdout.trim()).toBe(
      '{"a":"7","b":1.5,"c":true}',
    );
    expect((await box.cairn(['config', 'set', '--type', 'int', 'n', 'seven'])).text).toContain('as int');
    expect((await box.cairn(['config', 'set', '--type', 'date', 'n', '1'])).code).toBe(2);
  });

  test('copying to another stack encrypts anew', async () => {
    expectOk(await box.cairn(['config', 'set', '--secret', 'key'], { input: SECRET }));
    expectOk(await box.cairn(['config', 'cp', 'key', '--dest', 'prod']));
    const secure = (name: string): string | undefined => /shop:key:\n\s+secure: (\S+)/.exec(text(name))?.[1];
    expect(secure('Cairn.prod.yaml')).toMatch(/^v1:/);
    expect(secure('Cairn.prod.yaml')).not.toBe(secure('Cairn.dev.yaml'));
    expect(expectOk(await box.cairn(['config', 'get', 'key', '--stack', 'prod'])).stdout.trim()).toBe(SECRET);
    expect((await box.cairn(['config', 'cp', 'key', '--dest', 'dev'])).text).toContain('onto itself');
    expect((await box.cairn(['config', 'cp', 'key', '--dest', 'none'])).code).toBe(6);
    expect((await box.cairn(['config', 'cp', 'none', '--dest', 'prod'])).text).toContain("'none' not found");
  });

  test('several keys are removed; one that is not there is said, and is no failure', async () => {
    expectOk(await box.cairn(['config', 'set-all', '--plaintext', 'one=1', '--plaintext', 'two=2']));
    expect(expectOk(await box.cairn(['config', 'rm', 'three'])).stderr).toContain("'three' not found");
    expect(expectOk(await box.cairn(['config', 'rm-all', 'one', 'three', 'two'])).stderr).toContain(
      "'three' not found",
    );
    const left = Object.keys((await shown()) as object);
    expect(left.filter((key) => key === 'shop:one' || key === 'shop:two')).toEqual([]);
  });

  test('another file can be named', async () => {
    expectOk(await box.cairn(['config', 'set', 'here', 'yes', '--config-file', 'other.yaml']));
    expect(text('other.yaml')).toContain('shop:here: "yes"');
    expect((await box.cairn(['config', 'get', 'here'])).code).not.toBe(0);
    expect(expectOk(await box.cairn(['config', 'get', 'here', '--config-file', 'other.yaml'])).stdout).toBe(
      'yes\n',
    );
  });

  test('the configuration of the latest operation is taken back into the file', async () => {
    expect((await box.cairn(['config', 'refresh'])).text).toContain('has not been updated yet');
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    const before = await shown('--show-secrets');
    expectOk(await box.cairn(['config', 'set', 'region', 'us']));
    expectOk(await box.cairn(['config', 'refresh']));
    expect(await shown('--show-secrets')).toEqual(before);
    expect(text('Cairn.dev.yaml.bak')).toContain('shop:region: us');
    expectOk(await box.cairn(['config', 'refresh', '--force']));
    expect(existsSync(file('Cairn.dev.yaml.bak'))).toBe(true);
  });

  test.each([
    ['name: ../../etc\nruntime: nodejs\n', ['stack', 'ls']],
    ['name: ../../etc\nruntime: nodejs\n', ['stack', 'init', 'x']],
    ['name: shop\nruntime: nodejs\n', ['stack', 'init', '../x']],
    ['name: shop\nruntime: nodejs\n', ['stack', 'export', '-s', 'organization/../dev']],
    ['name: shop\nruntime: nodejs\n', ['stack', 'rm', '..%2fx', '--yes']],
    ['name: shop\nruntime: nodejs\n', ['cancel', '../../x', '--yes']],
  ])('a name that leads elsewhere is refused: %j %j', async (project, words) => {
    const other = sandbox({ 'Cairn.yaml': project });
    try {
      const refused = await other.cairn(words);
      expect([refused.code, refused.text]).toEqual([2, expect.stringContaining('CAIRN-NAME-INVALID')]);
      expect(existsSync(path.join(other.state, '.pulumi'))).toBe(false);
    } finally {
      other.remove();
    }
  });
});

describe('every command seals what the project declares as a secret [CFG-8]', () => {
  const VALUE = 'plain-looking';
  let box: Sandbox;
  const stored = (): string => readFileSync(path.join(box.directory, 'Cairn.dev.yaml'), 'utf8');

  beforeEach(() => {
    const declared =
      '  dbPassword:\n    type: string\n    secret: true\n  db:\n    type: object\n    secret: true\n';
    box = sandbox({
      'index.ts': `import { Config } from '@cairn/sdk';\nnew Config().requireSecret('dbPassword');\n`,
      'Cairn.yaml': `name: shop\nruntime: nodejs\nconfig:\n${declared}`,
    });
    giveStack(box);
  });
  afterEach(() => box.remove());

  test.each<readonly [string, readonly string[], { input?: string }]>([
    ['`config set`', ['config', 'set', 'dbPassword', VALUE], {}],
    ['`config set` from standard input', ['config', 'set', 'dbPassword'], { input: VALUE }],
    ['a part of a declared object', ['config', 'set', '--path', 'db.password', VALUE], {}],
    [
      'a document',
      ['config', 'set-all', '--json', '-'],
      { input: JSON.stringify({ 'shop:dbPassword': { value: VALUE, secret: false } }) },
    ],
    [
      '`up --config`',
      ['up', '--yes', '--skip-preview', '--config', `dbPassword=${VALUE}`, '--config', 'db={}'],
      {},
    ],
  ])('%s', async (_how, words, options) => {
    const ended = await box.cairn(words, options);
    expect(ended.text).not.toContain(VALUE);
    expect(stored()).toMatch(/secure: v1:/);
    expect(stored()).not.toContain(VALUE);
  });

  test('a structure in the clear is refused, and nothing is written', async () => {
    const before = stored();
    const objectValue = { password: VALUE };
    const row = { value: JSON.stringify(objectValue), objectValue, secret: false };
    const input = JSON.stringify({ 'shop:db': row });
    const refused = await box.cairn(['config', 'set-all', '--json', '-'], { input });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/error\[CAIRN-CONFIG-INVALID\]: db must be encrypted/);
    expect(refused.text).not.toContain(VALUE);
    expect(stored()).toBe(before);
  });

  test.each<readonly [string, readonly string[]]>([
    ['`--plaintext`', ['config', 'set', '--plaintext', 'dbPassword', VALUE]],
    ['`set-all --plaintext`', ['config', 'set-all', '--plaintext', `dbPassword=${VALUE}`]],
  ])('%s is refused, and nothing is written', async (_how, words) => {
    const before = stored();
    const refused = await box.cairn(words);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/error\[CAIRN-CONFIG-INVALID\]: dbPassword must be encrypted/);
    expect(refused.text).not.toContain(VALUE);
    expect(stored()).toBe(before);
  });

  test('the hint for a missing value names --secret', async () => {
    const refused = await box.cairn(['preview']);
    expect(refused.stderr).toContain('"cairn config set --secret db"');
    expect(refused.stderr).toContain('"cairn config set --secret dbPassword"');
  });
});

test('values of the project hold for every stack, secrets too, which each stack seals itself [CFG-16]', async () => {
  const box = sandbox({
    'Cairn.yaml':
      '# the shop\nname: shop\nruntime: nodejs\nconfig:\n  token:\n    type: string\n    secret: true # no default\n',
    'index.ts': `import { Config } from '@cairn/sdk';
const config = new Config();
export const region = config.require('region');
export const token = config.requireSecret('token');`,
  });
  try {
    expectOk(await box.cairn(['config', 'set', '--project', 'region', 'eu-1']));
    expectOk(await box.cairn(['config', 'set', '--project', 'token'], { input: 'planted-t0ken-19' }));
    const file = readFileSync(path.join(box.directory, 'Cairn.yaml'), 'utf8');
    expect(file).toMatch(/# the shop[^]*# no default[^]*secure: [^]*region: eu-1[^]*encryptionsalt: v1:/);
    expect(file).not.toContain('planted-t0ken-19');
    for (const stack of ['dev', 'prod']) {
      expectOk(await box.cairn(['stack', 'init', stack]));
      if (stack === 'prod') expectOk(await box.cairn(['config', 'set', 'region', 'eu-2']));
      expect(expectOk(await box.cairn(['config'])).stdout).toMatch(/token +\[secret\]/);
      expect(expectOk(await box.cairn(['config', 'get', 'token'])).stdout.trim()).toBe('planted-t0ken-19');
      expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
      const outputs = expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets'])).stdout;
      expect(JSON.parse(outputs)).toEqual({
        region: stack === 'prod' ? 'eu-2' : 'eu-1',
        token: 'planted-t0ken-19',
      });
    }
    const refused = await box.cairn(['config', 'set', '--project', '--path', 'a.b', 'c']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--project and --path')]);
  } finally {
    box.remove();
  }
});
