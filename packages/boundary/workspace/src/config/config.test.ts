import { base64Crypter } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { parseProject } from '../project/parse-project.js';
import type { StackFile } from '../stack-file/stack-file.js';
import { parseStackFile } from '../stack-file/stack-file.js';
import { getConfig, removeConfig, setConfig } from './config-edit.js';
import { parseConfigKey, parseConfigPath, shortConfigKey } from './config-key.js';
import type { ConfigByKey, ConfigTree } from './config-tree.js';
import { configText, hasSecure, isSecure, programText } from './config-tree.js';
import { looksLikeSecret } from './looks-secret.js';
import { operationConfig } from './operation-config.js';
import { programConfig, recryptConfig, secureText } from './program-config.js';
import { applyProjectDefaults, checkedConfig } from './project-defaults.js';
import { coerceText, readStatedType } from './scalar-text.js';

const unlocked = async (): Promise<Crypter> => base64Crypter;
const neverUnlocked = async (): Promise<Crypter> => {
  throw new Error('nobody should need the crypter');
};
const secretOf = (text: string): ConfigTree => secureText(text, base64Crypter);
const fileOf = (yaml: string): StackFile =>
  parseStackFile(`config:\n${yaml.replace(/^/gm, '  ')}\n`, '/p/Pulumi.dev.yaml', 'p');
const noFile = parseStackFile(undefined, '/p/Pulumi.dev.yaml', 'p');
const configOf = (yaml: string): ConfigByKey => fileOf(yaml).settings.config;
const shown = (config: ConfigByKey | undefined): string | undefined =>
  config && [...config].map(([key, tree]) => `${key}=${configText(tree)}`).join(' ');

async function diagnosticsOf(action: () => unknown): Promise<readonly Diagnostic[]> {
  try {
    await action();
  } catch (thrown) {
    if (isCairnError(thrown)) return thrown.diagnostics;
    throw thrown;
  }
  return [];
}

describe('keys [CFG-5]', () => {
  test.each([
    ['a', 'p:a'],
    ['p:a', 'p:a'],
    ['aws:region', 'aws:region'],
    ['aws:config:region', 'aws:region'],
    ['a.b[0]', 'p:a.b[0]'],
  ])('%s is %s', (text, key) => {
    expect(parseConfigKey(text, 'p')).toBe(key);
  });

  test.each(['', ':', 'a:', ':a', 'a:b:c', 'a:config:', 'a:config:b:c'])('%j is refused', async (text) => {
    expect(await diagnosticsOf(() => parseConfigKey(text, 'p'))).toMatchObject([
      { code: 'CAIRN-CONFIG-INVALID' },
    ]);
  });

  test.each([
    ['a', 'p:a', []],
    ['a.b', 'p:a', ['b']],
    ['aws:a.b[0]["k.x"].c', 'aws:a', ['b', 0, 'k.x', 'c']],
    ['aws:config:a[1]', 'aws:a', [1]],
    ['a["x:y"]', 'p:a', ['x:y']],
    ['["a.b"].c', 'p:a.b', ['c']],
    ['ns:["a.b"]', 'ns:a.b', []],
    ['a["q\\"q"]', 'p:a', ['q"q']],
    ['a[*]', 'p:a', ['*']],
  ])('path %s', (text, key, path) => {
    expect(parseConfigPath(text, 'p')).toEqual({ key, path });
  });

  test.each(['', '.a', 'a.', 'a.[0]', 'a[', 'a["x]', 'a[x]', '[0]', 'a..b', '[""]'])(
    'path %j is refused',
    async (text) => {
      expect(await diagnosticsOf(() => parseConfigPath(text, 'p'))).toMatchObject([
        { code: 'CAIRN-CONFIG-INVALID' },
      ]);
    },
  );

  test('the project namespace is not shown', () => {
    expect([shortConfigKey('p:a', 'p'), shortConfigKey('aws:a', 'p'), shortConfigKey('pp:a', 'p')]).toEqual([
      'a',
      'aws:a',
      'pp:a',
    ]);
  });
});

describe('texts [CFG-6]', () => {
  test.each([
    ['true', true],
    ['false', false],
    ['True', 'True'],
    ['0', 0n],
    ['42', 42n],
    ['-42', -42n],
    ['042', '042'],
    ['1.5', '1.5'],
    ['', ''],
    ['null', 'null'],
    ['9223372036854775808', 9223372036854775808n],
    ['-9223372036854775809', '-9223372036854775809'],
    ['18446744073709551616', '18446744073709551616'],
  ])('%j without a type is %p', (text, value) => {
    expect(coerceText(text)).toBe(value);
  });

  test.each([
    ['42', 'string', '42'],
    ['T', 'bool', true],
    ['0', 'bool', false],
    ['007', 'int', 7n],
    ['1.50', 'float', 1.5],
  ] as const)('%j as %s is %p', (text, type, value) => {
    expect(readStatedType(text, type)).toBe(value);
  });

  test.each([
    ['yes', 'bool'],
    ['1.5', 'int'],
    ['9223372036854775808', 'int'],
    ['', 'float'],
    ['x', 'float'],
  ] as const)('%j is no %s', (text, type) => {
    expect(() => readStatedType(text, type)).toThrow(`cannot read the value as ${type}`);
  });
});

describe('setting, getting, removing by path [CFG-7]', () => {
  test.each<[string, string, ConfigTree, string]>([
    ['', 'a', 'x', 'p:a=x'],
    ['', 'a', true, 'p:a=true'],
    ['', 'a.b', 1n, 'p:a={"b":1}'],
    ['', 'a[0]', 'x', 'p:a=["x"]'],
    ['', 'a[2]', 'x', 'p:a=[null,null,"x"]'],
    ['', 'a[0].b[1]', 'x', 'p:a=[{"b":[null,"x"]}]'],
    ['a: [1]', 'a[0]', 'x', 'p:a=["x"]'],
    ['a: [1]', 'a[1]', 'x', 'p:a=[1,"x"]'],
    ['a: [null]', 'a[0].b', 'x', 'p:a=[{"b":"x"}]'],
    ['a: text', 'a.b', 'x', 'p:a={"b":"x"}'],
    ['a: { secure: c }', 'a.b', 'x', 'p:a={"b":"x"}'],
    ['a: { b: 1, c: 2 }', 'a.b', { secure: 'ct' }, 'p:a={"b":{"secure":"ct"},"c":2}'],
    ['a: { x: 1 }', 'a.secure', 'x', 'p:a={"secure":"x","x":1}'],
    ['', 'a.secure', 5n, 'p:a={"secure":5}'],
    ['', 'a["__proto__"].b', 'x', 'p:a={"__proto__":{"b":"x"}}'],
  ])('%j set %s', (before, path, value, after) => {
    const config = before === '' ? new Map() : configOf(before);
    const target = parseConfigPath(path, 'p');
    const changed = setConfig(config, target, value);
    expect(shown(changed)).toBe(after);
    if (target.path.length > 0) expect(getConfig(changed, target)).toEqual(value);
  });

  test.each<[string, string, string]>([
    ['a: [1]', 'a[2]', 'can grow by one'],
    ['a: [1]', 'a.b', 'expected an index'],
    ['a: { b: 1 }', 'a[0]', 'expected a map key'],
    ['a: { b: text }', 'a.b.c', 'expected a map there'],
    ['a: { b: { secure: c } }', 'a.b[0]', 'expected a list there'],
    ['a: { c: 1 }', 'a.b.secure', 'reserved for secrets'],
    ['', 'a.secure', 'reserved for secrets'],
    ['', 'a[99999999]', 'too far'],
  ])('%j set %s is refused: %s', async (before, path, reason) => {
    const config = before === '' ? new Map() : configOf(before);
    const [diagnostic] = await diagnosticsOf(() => setConfig(config, parseConfigPath(path, 'p'), 'x'));
    expect(diagnostic).toMatchObject({
      code: 'CAIRN-CONFIG-INVALID',
      summary: expect.stringContaining(reason) as unknown,
    });
  });

  test.each<[string, string, string | undefined]>([
    ['a: x', 'a', ''],
    ['a: x', 'b', undefined],
    ['a: { b: 1, c: 2 }', 'a.b', 'p:a={"c":2}'],
    ['a: { b: 1 }', 'a.b', 'p:a={}'],
    ['a: [1, 2, 3]', 'a[1]', 'p:a=[1,3]'],
    ['a: [1]', 'a[1]', undefined],
    ['a: [{ b: [1, 2] }]', 'a[0].b[0]', 'p:a=[{"b":[2]}]'],
    ['a: { secure: c }', 'a.secure', undefined],
    ['a: text', 'a[0]', undefined],
  ])('%j remove %s', (before, path, after) => {
    expect(shown(removeConfig(configOf(before), parseConfigPath(path, 'p')))).toBe(after);
  });

  test('removing may not leave a map that looks like a secret', () => {
    expect(() => removeConfig(configOf('a: { secure: x, b: 1 }'), parseConfigPath('a.b', 'p'))).toThrow(
      'reserved for secrets',
    );
  });
});

describe('secrets in config, and what a program receives [CFG-9]', () => {
  test('only a map of exactly one text under "secure" is a secret', () => {
    const trees = [
      '{ secure: x }',
      '{ secure: 1 }',
      '{ secure: x, b: 1 }',
      '[{ secure: x }]',
      '{ b: [{ secure: x }] }',
      'secure',
    ];
    expect(trees.map((text) => isSecure(configOf(`a: ${text}`).get('p:a')))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(trees.map((text) => hasSecure(configOf(`a: ${text}`).get('p:a') ?? null))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('programs receive texts, decrypted, and the keys of secrets', async () => {
    const config = new Map<string, ConfigTree>([
      ['p:b', secretOf('hunter2')],
      ['p:a', 'x'],
      ['p:o', [1n, { s: secretOf('deep') }]],
      ['aws:r', 'eu'],
    ]);
    const { values, secretKeys, secretTexts } = await programConfig(config, unlocked);
    expect([...values]).toEqual([
      ['p:b', 'hunter2'],
      ['p:a', 'x'],
      ['p:o', '[1,{"s":"deep"}]'],
      ['aws:r', 'eu'],
    ]);
    expect(secretKeys).toEqual(['p:b', 'p:o']);
    expect(secretTexts).toHaveLength(2);
    for (const text of secretTexts) expect([...values.values()].join()).toContain(text);
  });

  test('lists and maps reach a program as the reference encodes them', () => {
    const tree = { b: '<a&b>', a: [12345678901234567890n, -9223372036854775808n, -0, 1e21, 1e-7] };
    expect(programText(tree)).toBe(
      '{"a":[12345678901234567000,-9223372036854775808,0,1e+21,1e-7],"b":"\\u003ca\\u0026b\\u003e"}',
    );
    expect(programText('<a>')).toBe('<a>');
  });

  test('LT1-007 a secret that cannot be decrypted fails with its key and the reason', async () => {
    const broken: Crypter = {
      encrypt: () => '',
      decrypt: () => {
        throw new Error('decrypt failed');
      },
    };
    const config = new Map<string, ConfigTree>([['foo:bar', secretOf('hunter2')]]);
    await expect(programConfig(config, () => Promise.resolve(broken))).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-SECRETS-MALFORMED',
          summary: 'cannot decrypt the config value "foo:bar"',
          causes: ['decrypt failed'],
        },
      ],
    });
    const own = () => Promise.resolve(base64Crypter);
    const damaged = new Map<string, ConfigTree>([['foo:bar', [{ secure: '%%' }]]]);
    await expect(programConfig(damaged, own)).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-SECRETS-MALFORMED',
          summary: expect.stringContaining('foo:bar') as unknown,
          causes: ['cannot decrypt a secret: it is not base64'],
        },
      ],
    });
  });

  test('structures are JSON with sorted keys, line separators escaped [STATE-1]', () => {
    const tree = { b: ['\u2028', '<&>', 'x"\n'], 'a\u2029': 18446744073709551615n, A: -0, c: 1e21, d: 1e-7 };
    expect(configText(tree)).toBe(
      '{"A":-0,"a\\u2029":18446744073709551615,"b":["\\u2028","<&>","x\\"\\n"],"c":1e+21,"d":1e-7}',
    );
  });

  test('without secrets the crypter is not asked for', async () => {
    expect((await programConfig(new Map([['p:a', 'x']]), neverUnlocked)).secretKeys).toEqual([]);
  });

  test('moving to another crypter changes every secret and nothing else', () => {
    const other: Crypter = { encrypt: (text) => `other(${text})`, decrypt: () => 'unused' };
    const config = new Map<string, ConfigTree>([['p:a', { x: secretOf('one'), y: 'two' }]]);
    expect(shown(recryptConfig(config, base64Crypter, other))).toBe(
      'p:a={"x":{"secure":"other(one)"},"y":"two"}',
    );
  });

  test.each([
    ['p:password', 'correcthorse9!', true],
    ['p:dbPasswd', 'Tr0ub4dor&3', true],
    ['aws:secretKey', 'wJalrXUtnFEMI/K7MDENG', true],
    ['p:token', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', true],
    ['p:password', 'short', false],
    ['p:password', 'aaaaaaaaaaaaaaaa', false],
    ['p:region', 'wJalrXUtnFEMI/K7MDENG', false],
    ['secret:region', 'wJalrXUtnFEMI/K7MDENG', false],
  ])('%s with %s looks like a secret: %s [CFG-8]', (key, value, expected) => {
    expect(looksLikeSecret(key, value)).toBe(expected);
  });
});

describe('the project completes and checks the config [CFG-4]', () => {
  const project = (yaml: string): ReturnType<typeof parseProject> =>
    parseProject(`name: p\nconfig:\n${yaml.replace(/^/gm, '  ')}\n`, {
      file: '/p/Pulumi.yaml',
      directory: '/p',
      base: 'Pulumi',
      extension: 'yaml',
    });

  test.each([
    ['a: 5', '', 'p:a=5'],
    ['a: true', '', 'p:a=true'],
    ['a: [1, x]', '', 'p:a=[1,"x"]'],
    ['a: { type: object, default: { k: 1 } }', '', 'p:a={"k":1}'],
    ['aws:region: eu', '', 'aws:region=eu'],
    ['a: default', 'a: mine', 'p:a=mine'],
    ['a: default', 'a: ""', 'p:a='],
    ['a.b: 3', '', 'p:a={"b":3}'],
    ['a.b: 3', 'a: { c: 4 }', 'p:a={"b":3,"c":4}'],
    ['a.b: 3', 'a: { b: 4 }', 'p:a={"b":4}'],
    ['a: { value: fixed }', '', 'p:a=fixed'],
    ['a: { type: string }', '', ''],
  ])('declared %s, stack %j', (declared, stack, after) => {
    expect(shown(applyProjectDefaults(project(declared), stack === '' ? new Map() : configOf(stack)))).toBe(
      after,
    );
  });

  test.each([
    ['c: { type: string }\na: {}\naws:r: eu\nb:', 'stack "dev" is missing the config values "a", "b", "c"'],
    ['a: { type: string }', 'stack "dev" is missing the config value "a"'],
  ])('all missing keys in one error, sorted: %j', async (declared, summary) => {
    expect(
      await diagnosticsOf(() => checkedConfig(project(declared), 'dev', noFile, neverUnlocked)),
    ).toMatchObject([{ code: 'CAIRN-CONFIG-MISSING', summary }]);
  });

  test.each([
    ['a: { type: integer }', 'a: 42'],
    ['a: { type: integer }', 'a: "42"'],
    ['a: { type: boolean }', 'a: "true"'],
    ['a: { type: string }', 'a: 42'],
    ['a: { type: array, items: { type: integer } }', 'a: [1, 2.0, "3"]'],
    ['a: { type: object }', 'a: { x: 1 }'],
    ['a: { type: string, secret: true }', 'a: { secure: eA== }'],
    ['a: { type: integer, secret: true }', 'a: { secure: NDI= }'],
    ['a: { secret: true }', 'a: { inner: { secure: eA== } }'],
    ['a: { type: string, secret: true, default: from the project }', ''],
  ])('declared %s accepts %j', async (declared, stack) => {
    const file = stack === '' ? noFile : fileOf(stack);
    expect(await diagnosticsOf(() => checkedConfig(project(declared), 'dev', file, unlocked))).toEqual([]);
  });

  test.each([
    ['a: { type: integer }', 'a: 1.5', 'must be of type integer'],
    ['a: { type: boolean }', 'a: "yes"', 'must be of type boolean'],
    ['a: { type: array, items: { type: integer } }', 'a: [x]', 'must be of type array<integer>'],
    ['a: { type: array, items: { type: string } }', 'a: text', 'must be of type array<string>'],
    ['a: { type: object }', 'a: [1]', 'must be of type object'],
    ['a: { type: integer, secret: true }', 'a: { secure: eA== }', 'must be of type integer'],
    ['a: { type: string, secret: true }', 'a: plain', 'must be encrypted'],
  ])('declared %s refuses %j: %s', async (declared, stack, reason) => {
    const found = await diagnosticsOf(() => checkedConfig(project(declared), 'dev', fileOf(stack), unlocked));
    expect(found).toMatchObject([
      {
        code: 'CAIRN-CONFIG-INVALID',
        summary: expect.stringContaining(reason) as unknown,
        source: { file: '/p/Pulumi.dev.yaml', line: 2, column: 3 },
        causes: ['declared at /p/Pulumi.yaml:3'],
      },
    ]);
    expect(JSON.stringify(found)).not.toContain('eA==');
  });

  test('an operation gets both: what is stored and what the program sees', async () => {
    const file = parseStackFile('config:\n  a: { secure: eA== }\n', '/p/Pulumi.dev.yaml', 'p');
    const { config, program } = await operationConfig(project('b: 7'), 'dev', file, unlocked);
    expect(shown(config)).toBe(
      'p:a={"secure":"eA=="} p:b=7'.replace('{"secure":"eA=="}', configText({ secure: 'eA==' })),
    );
    expect([...program.values]).toEqual([
      ['p:a', 'x'],
      ['p:b', '7'],
    ]);
    expect(program.secretKeys).toEqual(['p:a']);
  });

  test('environments are refused, not ignored', async () => {
    const file = parseStackFile('environment: [prod]\n', '/p/Pulumi.dev.yaml', 'p');
    expect(
      await diagnosticsOf(() => operationConfig(project('a: 1'), 'dev', file, neverUnlocked)),
    ).toMatchObject([{ code: 'CAIRN-CONFIG-INVALID', source: { file: '/p/Pulumi.dev.yaml' } }]);
  });
});
