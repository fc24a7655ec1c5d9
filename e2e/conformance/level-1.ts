import path from 'node:path';
import { secret } from './run-case.js';
import type { ConformanceCase, Run, Seen } from './run-case.js';

/** Programs that need no provider. */

const program = (text: string): Readonly<Record<string, string>> => ({
  'index.ts': `import * as pulumi from 'SDK';\n${text}`,
});

/** The outputs of the stack are exactly these. */
const outputs = (expected: Readonly<Record<string, unknown>>, more: Omit<Run, 'check'> = {}): Run => ({
  ...more,
  check: (seen) => expect(seen.outputs).toEqual(expected),
});

const names = ({ entries }: Seen): readonly string[] => entries.map(({ type }) => type).sort();

const STASH = `
export const stash = new pulumi.Stash('myStash', { input: INPUT });
`;
const stashed = (input: string): Readonly<Record<string, string>> => program(STASH.replace('INPUT', input));

const LARGE = 'x'.repeat(100_000);

export const LEVEL_1: readonly ConformanceCase[] = [
  {
    id: 'l1-empty',
    files: program(''),
    runs: [{ check: (seen) => expect(names(seen)).toEqual(['pulumi:pulumi:Stack']) }],
  },
  {
    id: 'l1-main',
    project: 'name: conformance\nruntime: nodejs\nmain: sub\n',
    files: { 'sub/index.ts': 'export const output_true = true;' },
    runs: [outputs({ output_true: true })],
  },
  {
    id: 'l1-builtin-info',
    files: program(
      'export const stack = pulumi.getStack(), project = pulumi.getProject(), organization = pulumi.getOrganization();',
    ),
    runs: [outputs({ stack: 'test', project: 'conformance', organization: 'organization' })],
  },
  {
    id: 'l1-builtin-cwd',
    files: { 'index.ts': 'export const cwd = process.cwd();' },
    runs: [{ check: ({ outputs: { cwd }, box }) => expect(cwd).toBe(box.directory) }],
  },
  {
    id: 'l1-builtin-project-root',
    files: program('export const root = pulumi.getRootDirectory();'),
    runs: [{ check: ({ outputs: { root }, box }) => expect(root).toBe(box.directory) }],
  },
  {
    id: 'l1-builtin-project-root-main',
    project: 'name: conformance\nruntime: nodejs\nmain: sub\n',
    files: {
      'sub/index.ts':
        "import * as pulumi from 'SDK';\nexport const root = pulumi.getRootDirectory(), cwd = process.cwd();",
    },
    runs: [
      {
        check: ({ outputs: { root, cwd }, box }) =>
          expect([root, cwd]).toEqual([box.directory, path.join(box.directory, 'sub')]),
      },
    ],
  },
  {
    id: 'l1-builtin-secret',
    files: program(`
      const config = new pulumi.Config();
      const hidden = config.requireSecret('aSecret');
      const plain = config.require('notSecret');
      export const roundtripSecret = hidden;
      export const roundtripNotSecret = plain;
      export const open = pulumi.unsecret(hidden);
      export const close = pulumi.secret(plain);
      export const double = pulumi.secret(hidden);`),
    runs: [
      outputs(
        {
          roundtripSecret: secret('hush'),
          roundtripNotSecret: 'plain',
          open: 'hush',
          close: secret('plain'),
          double: secret('hush'),
        },
        {
          config: [
            ['--secret', 'aSecret', 'hush'],
            ['notSecret', 'plain'],
          ],
        },
      ),
    ],
  },
  {
    id: 'l1-builtin-stash',
    files: stashed("{ key: ['value', 's'], '': false }"),
    runs: [
      {
        check: (seen) => {
          expect(names(seen)).toEqual([
            'pulumi:index:Stash',
            'pulumi:providers:pulumi',
            'pulumi:pulumi:Stack',
          ]);
          const value = { key: ['value', 's'], '': false };
          expect(seen.entry('myStash')).toMatchObject({
            inputs: { input: value },
            outputs: { input: value, output: value },
          });
        },
      },
      {
        files: stashed("'ignored'"),
        check: (seen) =>
          expect(seen.entry('myStash')).toMatchObject({
            inputs: { input: 'ignored' },
            outputs: { input: 'ignored', output: { key: ['value', 's'], '': false } },
          }),
      },
    ],
  },
  {
    id: 'l1-builtin-require-pulumi-version',
    files: program(
      "await pulumi.requirePulumiVersion(new pulumi.Config().require('range'));\nexport const ok = true;",
    ),
    runs: [
      {
        config: [['range', '<2.0.0']],
        fails: true,
        preview: (end) =>
          expect([end.code === 0, end.text]).toEqual([false, expect.stringContaining('<2.0.0')]),
        check: ({ end }) => expect(end.text).toContain('<2.0.0'),
      },
      outputs({ ok: true }, { config: [['range', '>=3.0.0']] }),
    ],
  },
  {
    id: 'l1-builtin-to-json',
    files: program(`
      const hidden = new pulumi.Config().requireSecret('token');
      const of = (value: unknown) => pulumi.jsonStringify(value as any);
      export const scalars = pulumi.all([of('s'), of(1.5), of(true), of(null)]);
      export const list = of(['a', 1, false]);
      export const map = of({ b: 1, a: { c: [null] } });
      export const nested = of({ a: [{ token: hidden }] });`),
    runs: [
      {
        config: [['--secret', 'token', 'hush']],
        check: ({ outputs: { scalars, list, map, nested } }) => {
          expect(scalars).toEqual(['"s"', '1.5', 'true', 'null']);
          expect([JSON.parse(list as string), JSON.parse(map as string)]).toEqual([
            ['a', 1, false],
            { b: 1, a: { c: [null] } },
          ]);
          expect(nested).toEqual(secret('{"a":[{"token":"hush"}]}'));
        },
      },
    ],
  },
  {
    id: 'l1-config-secret',
    files: program(`
      const hidden = new pulumi.Config().requireSecretNumber('aNumber');
      export const roundtrip = hidden;
      export const theSecretNumber = hidden.apply((value) => value + 1.25);`),
    runs: [
      outputs(
        { roundtrip: secret(1.25), theSecretNumber: secret(2.5) },
        { config: [['--secret', 'aNumber', '1.25']] },
      ),
    ],
  },
  {
    id: 'l1-config-types-primitive',
    files: program(`
      const config = new pulumi.Config();
      export const theNumber = config.requireNumber('aNumber') + 1.25;
      export const defaultNumber = (config.getNumber('optionalNumber') ?? 41.5) + 1.2;
      export const theString = config.require('aString') + ' World';
      export const defaultString = config.get('optionalString') ?? 'defaultStringValue';
      export const theBool = !config.requireBoolean('aBool');
      export const defaultBool = config.getBoolean('optionalBool') ?? false;`),
    runs: [
      outputs(
        {
          theNumber: 4.75,
          defaultNumber: 42.7,
          theString: 'Hello World',
          defaultString: 'defaultStringValue',
          theBool: false,
          defaultBool: false,
        },
        {
          config: [
            ['aNumber', '3.5'],
            ['aString', 'Hello'],
            ['aBool', 'true'],
          ],
        },
      ),
    ],
  },
  {
    id: 'l1-config-types-optional',
    files: program(
      "export const length = (new pulumi.Config().getObject<string[]>('aList') ?? ['a', 'b', 'c']).length;",
    ),
    runs: [outputs({ length: 3 })],
  },
  {
    id: 'l1-config-types-object',
    files: program(`
      const config = new pulumi.Config();
      const json = (value: unknown) => JSON.stringify(value ?? null);
      export const theMap = config.requireObject<Record<string, number>>('aMap');
      export const theObject = config.requireObject<{ prop: boolean[] }>('anObject').prop[0];
      export const theThing = config.requireObject<number[]>('anyObject')[0]! + 8;
      export const optionalMap = json(config.getObject('optionalMap'));`),
    runs: [
      outputs(
        { theMap: { a: 4, b: 5 }, theObject: true, theThing: 18, optionalMap: 'null' },
        {
          config: [
            ['--path', 'aMap.a', '4'],
            ['--path', 'aMap.b', '5'],
            ['--path', 'anObject.prop[0]', 'true'],
            ['--path', 'anyObject[0]', '10'],
          ],
        },
      ),
      outputs(
        { theMap: { a: 4, b: 5 }, theObject: true, theThing: 18, optionalMap: '{"c":6}' },
        { config: [['--path', 'optionalMap.c', '6']] },
      ),
    ],
  },
  {
    id: 'l1-stack-reference',
    before: {
      other: "import * as pulumi from 'SDK';\nexport const plain = 'plain', hidden = pulumi.secret('hush');",
    },
    files: program(`
      const other = new pulumi.StackReference('organization/other/dev');
      export const plain = other.getOutput('plain');
      export const hidden = other.getOutput('hidden');
      export const open = pulumi.unsecret(other.getOutput('hidden'));`),
    runs: [
      {
        check: (seen) => {
          expect(seen.outputs).toEqual({ plain: 'plain', hidden: secret('hush'), open: 'hush' });
          expect(names(seen)).toEqual([
            'pulumi:providers:pulumi',
            'pulumi:pulumi:Stack',
            'pulumi:pulumi:StackReference',
          ]);
        },
      },
    ],
  },
  {
    id: 'l1-output-array',
    files: program(
      'export const empty = [], small = ["Hello", "World"], numbers = [0, 1, 2], nested = [[1, 2], [], [3]], objects = [{ a: 1 }, {}];',
    ),
    runs: [
      outputs({
        empty: [],
        small: ['Hello', 'World'],
        numbers: [0, 1, 2],
        nested: [[1, 2], [], [3]],
        objects: [{ a: 1 }, {}],
      }),
    ],
  },
  {
    id: 'l1-output-bool',
    files: program('export const output_true = true, output_false = false;'),
    runs: [outputs({ output_true: true, output_false: false })],
  },
  {
    id: 'l1-output-map',
    files: program(`export const keys = {
      __proto: 1, __type: 'x', __internal: 2, '': 3, 'a.b': 4, 'with space': 5, '$ref': 6, 'a/b': 7, '[0]': 8, 'ключ': 9, constructor: 10, toString: 11,
    }, empty = {};`),
    runs: [
      outputs({
        keys: {
          ...{ __proto: 1, __type: 'x', __internal: 2, '': 3, 'a.b': 4, 'with space': 5, $ref: 6, 'a/b': 7 },
          ...{ '[0]': 8, ключ: 9, constructor: 10, toString: 11 },
        },
        empty: {},
      }),
    ],
  },
  {
    id: 'l1-output-null',
    files: program('export const list = [null];'),
    runs: [outputs({ list: [null] })],
  },
  {
    id: 'l1-output-number',
    files: program(
      'export const zero = 0, one = 1, e = 2.718, minInt32 = -2147483648, max = 1.7976931348623157e308, min = 4.9406564584124654e-324;',
    ),
    runs: [
      outputs({
        zero: 0,
        one: 1,
        e: 2.718,
        minInt32: -2147483648,
        max: Number.MAX_VALUE,
        min: Number.MIN_VALUE,
      }),
    ],
  },
  {
    id: 'l1-output-string',
    files: program(
      "export const empty = '', small = 'Hello', emoji = '👋 \"Hello \\u{1d7d8}!\" 😁', escapes = 'some ${not} \\\\ escaped \\t', lines = 'a\\nb\\r\\n', large = 'x'.repeat(100_000);",
    ),
    runs: [
      outputs({
        ...{
          empty: '',
          small: 'Hello',
          emoji: '👋 "Hello \u{1d7d8}!" 😁',
          escapes: 'some ${not} \\ escaped \t',
        },
        ...{ lines: 'a\nb\r\n', large: LARGE },
      }),
    ],
  },
  {
    id: 'l1-proxy-index',
    files: program(`
      const list = pulumi.secret([1, 2, 3]);
      const map = pulumi.secret({ key: 'value', 'a.b': true });
      const object = pulumi.secret({ property: { deep: ['x'] } });
      export const first = list[0];
      export const key = map.key;
      export const dotted = map['a.b'];
      export const deep = object.property.deep[0];`),
    runs: [outputs({ first: secret(1), key: secret('value'), dotted: secret(true), deep: secret('x') })],
  },
  {
    id: 'l1-component-sourceless',
    files: program(`
      class Some extends pulumi.ComponentResource {
        constructor(name: string, args: any) { super('some:index:Component', name, args); }
      }
      new Some('some', { text: 'a', json: JSON.stringify({ b: [1] }) });`),
    runs: [
      {
        check: (seen) =>
          expect(seen.entry('some')).toMatchObject({
            type: 'some:index:Component',
            custom: false,
            inputs: { text: 'a', json: '{"b":[1]}' },
          }),
      },
    ],
  },
  {
    id: 'l1-keyword-overlap',
    files: program(
      "const value = (name: string) => name + '_output_string';\nconst a = value('class'), b = value('export'), c = value('import'), d = value('this');\nexport { a as class, b as export, c as import, d as this };\nexport const mod = value('mod'), object = value('object'), self = value('self');",
    ),
    runs: [
      outputs(
        Object.fromEntries(
          ['class', 'export', 'import', 'this', 'mod', 'object', 'self'].map((name) => [
            name,
            `${name}_output_string`,
          ]),
        ),
      ),
    ],
  },
];
