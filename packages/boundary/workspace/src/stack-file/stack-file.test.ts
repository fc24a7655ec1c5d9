import { chmod, mkdtemp, readFile, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { isCairnError } from '@cairn/diagnostics';
import type { ConfigByKey, ConfigTree } from '../config/config-tree.js';
import { configMap, configText, jsonText } from '../config/config-tree.js';
import { parseProject } from '../project/parse-project.js';
import type { ProjectLocation } from '../project/project.js';
import type { StackFileChanges } from './save-stack-file.js';
import { renderStackFile, saveStackFile } from './save-stack-file.js';
import type { StackFile } from './stack-file.js';
import { loadStackFile, parseStackFile, stackFilePath } from './stack-file.js';

const PATH = '/p/Pulumi.dev.yaml';
const parse = (text: string | undefined, path = PATH): StackFile => parseStackFile(text, path, 'proj');
const configOf = (yaml: string): ConfigByKey =>
  parse(`config:\n${yaml.replace(/^/gm, '  ')}\n`).settings.config;

function problems(text: string): string[] {
  try {
    parse(text);
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return thrown.diagnostics.map(({ code, source, summary }) => {
      expect([code, source?.file]).toEqual(['CAIRN-CONFIG-INVALID', PATH]);
      return `${source?.line}:${source?.column} ${summary.replace('invalid stack file: ', '')}`;
    });
  }
  return [];
}

describe('where stack files are [CFG-1]', () => {
  const at = (
    base: ProjectLocation['base'],
    extension: ProjectLocation['extension'],
    extra = '',
  ): ReturnType<typeof parseProject> =>
    parseProject(`name: x\n${extra}`, { file: `/p/${base}.${extension}`, directory: '/p', base, extension });
  test.each([
    [at('Pulumi', 'yaml'), 'dev', '/p/Pulumi.dev.yaml'],
    [at('Pulumi', 'json'), 'dev', '/p/Pulumi.dev.json'],
    [at('Cairn', 'yaml'), 'dev', '/p/Cairn.dev.yaml'],
    [at('Pulumi', 'yml', 'stackConfigDir: conf/stacks'), 'dev', '/p/conf/stacks/Pulumi.dev.yml'],
    [at('Pulumi', 'yaml'), 'org/dev', '/p/Pulumi.org-dev.yaml'],
  ])('%#', (project, stack, path) => {
    expect(stackFilePath(project, stack)).toBe(path);
  });

  test('none, or an empty one, is an empty config', async () => {
    const missing = await loadStackFile(at('Pulumi', 'yaml'), 'no-such-stack', '/nowhere/at/all.yaml');
    for (const file of [
      missing,
      parse(''),
      parse('# only a comment\n'),
      parse('null'),
      parse('config:\n'),
      parse('{}'),
    ]) {
      expect(file.settings).toEqual({
        secretsProvider: undefined,
        encryptedKey: undefined,
        encryptionSalt: undefined,
        config: new Map(),
        environment: undefined,
      });
      expect(file.warnings).toEqual([]);
    }
  });
});

describe('reading values [CFG-6]', () => {
  test.each([
    ['a: text', 'proj:a', 'text'],
    ['a: true', 'proj:a', 'true'],
    ['a: 42', 'proj:a', '42'],
    ['a: 3.14', 'proj:a', '3.14'],
    ['a: 9007199254740993', 'proj:a', '9007199254740993'],
    ['a: 18446744073709551615', 'proj:a', '18446744073709551615'],
    ['a: 2001-01-01', 'proj:a', '2001-01-01 00:00:00 +0000 UTC'],
    ['a: "42"', 'proj:a', '42'],
    ['a: |\n  two\n  lines', 'proj:a', 'two\nlines\n'],
    ['aws:region: eu', 'aws:region', 'eu'],
    ['aws:config:region: eu', 'aws:region', 'eu'],
    ['proj:config:a: x', 'proj:a', 'x'],
    [
      'a: [1, "1", true, null, 1.5, {b: {1: x, true: y}}]',
      'proj:a',
      '[1,"1",true,null,1.5,{"b":{"1":"x","true":"y"}}]',
    ],
    ['a: { secure: 5 }', 'proj:a', '{"secure":5}'],
    ['a: { secure: x, other: y }', 'proj:a', '{"other":"y","secure":"x"}'],
    ['a: { z: 1, é: 2, A: 3 }', 'proj:a', '{"A":3,"z":1,"é":2}'],
    ['a: { __proto__: { x: 1 } }', 'proj:a', '{"__proto__":{"x":1}}'],
  ])('%j', (yaml, key, text) => {
    const config = configOf(yaml);
    expect([...config.keys()]).toEqual([key]);
    expect(configText(config.get(key) ?? null)).toBe(text);
  });

  test('a value of nothing is the empty text, with a warning that names the place', () => {
    const file = parse('config:\n  a:\n  b: ""\n');
    expect([...file.settings.config]).toEqual([
      ['proj:a', ''],
      ['proj:b', ''],
    ]);
    expect(file.warnings).toMatchObject([
      { severity: 'warning', source: { file: PATH, line: 2, column: 3 } },
    ]);
  });

  test('unknown keys are warned of, near ones with a suggestion', () => {
    expect(parse('confg: {}\nfoo: 1\n').warnings.map(({ hint }) => hint)).toEqual([
      'Did you mean "config"?',
      'Config values belong under "config".',
    ]);
  });

  test('the settings', () => {
    expect(
      parse('secretsprovider: p\nencryptedkey: k\nencryptionsalt: v1:a:b\nenvironment: [a]\n').settings,
    ).toMatchObject({
      secretsProvider: 'p',
      encryptedKey: 'k',
      encryptionSalt: 'v1:a:b',
      environment: ['a'],
    });
    expect(parse('environment: []\n').settings.environment).toBeUndefined();
  });

  test.each([
    ['- a', ['1:1 it must be a map of keys']],
    ['config: [a]', ['1:9 "config" must be a map, not a list']],
    ['config: text', ['1:9 "config" must be a map, not a string']],
    ['encryptionsalt: 1', ['1:17 "encryptionsalt" must be a string, not a number']],
    ['environment: prod', ['1:14 "environment" must be a list of names or a definition, not a string']],
    ['config:\n  1: a', ['2:3 the config key 1 must be a string']],
    ['config:\n  a:b:c: 1', ['2:3 "config.a:b:c" is not a config key: it has too many colons']],
    ['config:\n  ":x": 1', ['2:3 "config.:x" is not a config key: both sides of the colon need a name']],
    ['config:\n  a: 1\n  proj:a: 2', ['3:3 the config key proj:a is given twice']],
    ['config:\n  a: 1\n  a: 2', ['3:3 Map keys must be unique']],
    ['config: { ? [x] : 1 }', ['1:13 a key must be a string, not a list or a map']],
    ['a: !!binary AAAA', ['1:13 binary values are not supported']],
    ['config:\n  x: "unclosed', ['2:15 invalid YAML file: Missing closing "quote']],
  ])('%j is refused', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});

describe('rewriting [CFG-10]', () => {
  const COMMENTED = `# head
config:
  # about a
  a: 42 # the answer
  aws:region: 'eu'

  proj:obj:
    keep: true # yes
    list:
    - 1
    - x
encryptionsalt: v1:old:old # salt
`;
  const render = (
    text: string | undefined,
    edit: (config: Map<string, ConfigTree>) => void,
    more: StackFileChanges = {},
  ): string => {
    const file = parse(text);
    const config = new Map(file.settings.config);
    edit(config);
    return renderStackFile(file, { config, ...more });
  };

  test('comments and order stay, keys get their full form, top-level scalars become strings', () => {
    expect(render(COMMENTED, () => undefined)).toBe(`# head
config:
  # about a
  proj:a: "42" # the answer
  aws:region: 'eu'

  proj:obj:
    keep: true # yes
    list:
      - 1
      - x
encryptionsalt: v1:old:old # salt
`);
  });

  test('changed values stay in place, removed ones drop, new ones go to the end by name', () => {
    const text = render(COMMENTED, (config) => {
      config.delete('aws:region');
      config.set('proj:z', 'new');
      config.set('proj:b', { secure: 'v1:n:c' });
      config.set(
        'proj:obj',
        configMap([
          ['list', [1n, 'y', true]],
          ['keep', true],
          ['added', 'null'],
        ]),
      );
    });
    expect(text).toBe(`# head
config:
  # about a
  proj:a: "42" # the answer

  proj:obj:
    keep: true # yes
    list:
      - 1
      - "y"
      - true
    added: "null"
  proj:b:
    secure: v1:n:c
  proj:z: new
encryptionsalt: v1:old:old # salt
`);
  });

  test('only what is asked for changes', () => {
    const secrets = { secretsProvider: undefined, encryptedKey: undefined, encryptionSalt: 'v1:new:new' };
    expect(renderStackFile(parse(COMMENTED), { secrets })).toBe(
      COMMENTED.replace('v1:old:old', 'v1:new:new').replace('    - 1\n    - x', '      - 1\n      - x'),
    );
    expect(renderStackFile(parse('encryptedkey: k\nconfig: {}\n'), { secrets })).toBe(
      'config: {}\nencryptionsalt: v1:new:new\n',
    );
  });

  test('a new file has its keys in the order of the format', () => {
    const secrets = { secretsProvider: 'a', encryptedKey: 'b', encryptionSalt: 'c' };
    expect(render(undefined, (config) => config.set('proj:b', '1').set('proj:a', '2'), { secrets })).toBe(
      'secretsprovider: a\nencryptedkey: b\nencryptionsalt: c\nconfig:\n  proj:a: "2"\n  proj:b: "1"\n',
    );
  });

  test('the last value removed leaves no config', () => {
    expect(render('config:\n  a: 1\nencryptionsalt: s\n', (config) => config.clear())).toBe(
      'encryptionsalt: s\n',
    );
    expect(render('config:\n  a: 1\n', (config) => config.clear())).toBe('{}\n');
    expect(render('{}\n', (config) => config.set('proj:a', 'x'))).toBe('config:\n  proj:a: x\n');
  });

  test.each([
    ['\u2028', '"\\L"'],
    ['x\u2029', '"x\\P"'],
    ['\u0085', '"\\N"'],
    ['x\u0085y # z', '"x\\Ny # z"'],
    ['\ufeff', '"\\uFEFF"'],
    ['\u009f', '"\\x9F"'],
    ['\u00a0', '\u00a0'],
  ])('a text that readers take for a break, or drop, is written as escapes: %j', (value, written) => {
    const text = render('config:\n  proj:a: x # why\n', (config) => config.set('proj:a', value));
    expect(text).toBe(`config:\n  proj:a: ${written} # why\n`);
  });

  test('lists and maps on one line stay so, as narrow or wide as they were, with their comments', () => {
    const source = (a: string, b: string): string => `config:\n  proj:a: ${a} # a\n  proj:b: ${b} # b\n`;
    const narrow = source("{x: 1, y: [1, 2], 'z': q}", '[a, b]');
    expect(render(narrow, (config) => config.set('proj:b', ['a', 'c']))).toBe(narrow.replace('b]', 'c]'));
    const wide = source('{ x: 1 }', '[ a, b ]');
    expect(render(wide, (config) => config.set('proj:b', ['a', 'c']))).toBe(wide.replace('b ]', 'c ]'));
  });

  test('aliases are written out, so that an edit changes one place only', () => {
    const text = render('config:\n  a: &x { k: v }\n  b: *x\n', (config) => config.set('proj:a', 'gone'));
    expect(text).toBe('config:\n  proj:a: gone\n  proj:b: { k: v }\n');
  });

  test('long and many-line texts survive', () => {
    const long = `${'word '.repeat(60)}end`;
    const again = parse(render(undefined, (config) => config.set('proj:a', long).set('proj:b', 'a\n\n b\n')))
      .settings.config;
    expect([again.get('proj:a'), again.get('proj:b')]).toEqual([long, 'a\n\n b\n']);
  });

  test('JSON files stay JSON', () => {
    const file = parse(
      '{\n\t"config": {"proj:b": 1, "proj:a": {"secure": "c"}},\n\t"other": [1, true]\n}',
      '/p/Pulumi.dev.json',
    );
    const config = new Map(file.settings.config).set('proj:c', '<x>');
    expect(renderStackFile(file, { config })).toBe(
      '{\n    "config": {\n        "proj:b": "1",\n        "proj:a": {\n            "secure": "c"\n        },\n        "proj:c": "<x>"\n    },\n    "other": [\n        1,\n        true\n    ]\n}\n',
    );
  });

  const tree: fc.Arbitrary<ConfigTree> = fc.letrec<{ tree: ConfigTree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom(
        'true',
        'null',
        '~',
        '42',
        '1e3',
        '2001-01-01',
        '',
        ' ',
        '- a',
        '# x',
        'a: b',
        '<<',
        '\n',
        'x\n',
        '\t',
        "'",
        '"',
        '\u2028',
        '{',
        '*a',
        '&a',
        '!t',
        '%',
        '@',
        '`',
        '|',
        '>',
        '---',
        '...',
      ),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc
        .array(
          fc.tuple(
            fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('1', 'true', '<<', '__proto__', '')),
            tie('tree'),
          ),
          { maxLength: 3 },
        )
        .map(configMap),
    ),
  })).tree;
  const top = tree.map((value): ConfigTree =>
    typeof value === 'object' && value !== null ? value : configText(value),
  );
  const key = fc.stringMatching(/^[a-zA-Z0-9_.-]{1,8}$/).map((name) => `ns:${name}`);
  const configs = fc.array(fc.tuple(key, top), { maxLength: 4 }).map((entries) => new Map(entries));
  const comparable = (config: ConfigByKey): string[] =>
    [...config].map(([name, value]) => `${name} ${jsonText(value)}`).sort();

  test('whatever is written is read again, into a new file and over another', () => {
    fc.assert(
      fc.property(configs, configs, fc.constantFrom('yaml', 'json'), (before, after, extension) => {
        const path = `/p/Pulumi.dev.${extension}`;
        const first = parse(renderStackFile(parse(undefined, path), { config: before }), path);
        expect(comparable(first.settings.config)).toEqual(comparable(before));
        const second = parse(renderStackFile(first, { config: after }), path);
        expect(comparable(second.settings.config)).toEqual(comparable(after));
        expect(renderStackFile(second, { config: after })).toBe(second.text);
      }),
      { numRuns: 300 },
    );
  });

  test('saving writes the whole file, readable by others, and nothing beside it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'cairn-stack-file-'));
    try {
      const path = join(directory, 'sub/Pulumi.dev.yaml');
      const saved = await saveStackFile(parse(undefined, path), () => ({
        config: new Map([['proj:a', 'x']]),
      }));
      expect(await readFile(path, 'utf8')).toBe('config:\n  proj:a: x\n');
      expect(saved.settings.config.get('proj:a')).toBe('x');
      expect((await stat(path)).mode & 0o600).toBe(0o600);
      await chmod(path, 0o640);
      await symlink(path, join(directory, 'link.yaml'));
      await saveStackFile(parse('', join(directory, 'link.yaml')), () => ({
        config: new Map([['proj:b', 'y']]),
      }));
      expect(await readFile(path, 'utf8')).toBe('config:\n  proj:b: "y"\n');
      expect((await stat(path)).mode & 0o777).toBe(0o640);
      expect(await readdir(join(directory, 'sub'))).toEqual(['Pulumi.dev.yaml']);
      await expect(
        saveStackFile(parse(undefined, join(path, 'below-a-file')), () => ({ config: new Map() })),
      ).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-STORE-FAILED' }] });
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
