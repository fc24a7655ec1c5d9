import { readSchema } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { projectFiles, readSources } from '@cairn/codegen';

/** Programs in PCL as projects in TypeScript. e2e/process/pcl-projects runs and compiles them. */

const text = { type: 'string' };
const SHED = {
  name: 'shed',
  version: '1.0.0',
  types: {
    'shed:index:Size': { type: 'object', properties: { wide: { type: 'number' } } },
  },
  provider: { inputProperties: { key: text } },
  resources: {
    'shed:index:Tool': {
      inputProperties: {
        kind: text,
        count: { type: 'integer' },
        sharp: { type: 'boolean' },
        tags: { type: 'object', additionalProperties: text },
        size: { $ref: '#/types/shed:index:Size' },
      },
      properties: {
        kind: text,
        count: { type: 'integer' },
        version: text,
        parts: { type: 'array', items: { $ref: '#/types/shed:index:Size' } },
      },
      stateInputs: { properties: { kind: text } },
      methods: { sharpen: 'shed:index:Tool/sharpen' },
    },
    'shed:garden/beds:Bed': { inputProperties: { kind: text }, properties: { kind: text } },
  },
  functions: {
    'shed:index:count': {
      inputs: { properties: { of: text } },
      outputs: { properties: { count: { type: 'integer' } } },
    },
    'shed:index:add': {
      inputs: { properties: { a: { type: 'number' }, b: { type: 'number' } } },
      multiArgumentInputs: ['a', 'b'],
      outputs: { properties: { sum: { type: 'number' } } },
    },
    'shed:index:Tool/sharpen': {
      inputs: {
        properties: { __self__: { $ref: '#/resources/shed:index:Tool' }, angle: { type: 'number' } },
      },
      outputs: { properties: { result: text, dust: text } },
    },
  },
};

const { model } = readSchema(JSON.stringify(SHED));
const models = new Map([['shed', model as PackageModel]]);

function files(sources: Record<string, string>, project = '{"name":"shop"}'): ReadonlyMap<string, string> {
  const program = readSources(new Map(Object.entries(sources)));
  return projectFiles({ program, project, models, dependencies: new Map([['@cairn/sdk', '^1.0.0']]) });
}

/** Returns the statements of the entry, without its imports. */
function statements(program: string, more: Record<string, string> = {}): string {
  const entry = files({ 'main.pp': program, ...more }).get('index.ts') ?? '';
  return entry.replace(/^(import .*\n)*\n?/, '').trimEnd();
}

const tool = 'resource t "shed:index:Tool" {}\n';

test.each<[what: string, program: string, code: string]>([
  ['texts', 'a = "x ${1} `$${y}` \\n"', 'const a = `x ${1} \\`\\${y}\\` \\n`;'],
  ['arithmetic', 'a = -(1 + 2) * 3 % 2', 'const a = ((-(1 + 2)) * 3) % 2;'],
  ['comparisons', 'a = 1 == 2 ? !true : null', 'const a = (1 === 2) ? (!true) : null;'],
  ['a name that is taken', 'class = 1\noutput = class', 'const class2 = 1;\nconst output2 = class2;'],
  [
    'loops over lists',
    'l = [1]\na = [for i, v in l : v + i if v > 1]',
    'const l = [1];\nconst a = l.flatMap((v, i) => (v > 1 ? [(v + i)] : []));',
  ],
  [
    'loops over objects',
    'a = { for k, v in { x = 1 } : v => k }',
    'const a = keyed(pairs({ x: 1 }).map(([k, v]) => [v, k]));',
  ],
  [
    'loops that keep the keys, and groups',
    'm = { x = 1 }\na = { for k, v in m : k => v }\nb = { for k, v in m : v => k... if v > 0 }',
    'const m = { x: 1 };\nconst a = Object.fromEntries(pairs(m).map(([k, v]) => [k, v]));\nconst b = grouped(pairs(m).flatMap(([k, v]) => (Number(v) > 0 ? [[v, k]] : [])));',
  ],
  ['numbers in a row', 'a = [for i in range(1, 3) : i * 2]', 'const a = range(1, 3).map((i) => (i * 2));'],
  [
    'loops over resources whose outputs are conditions and keys',
    'resource t "shed:index:Tool" {\n options { range = 2 }\n}\na = { for u in t : u.kind => u.id if u.version != "" }\nb = [for u in t : u.id if u.version == "2"]',
    "const t = Array.from({ length: 2 }, (_, key) => new shed.Tool(`t-${key}`));\nconst a = output(t.map((u) => u.version.apply((version) => version !== '').apply((version) => output(version ? [[u.kind, u.id]] : [])))).apply((value) => keyed(value.flat()));\nconst b = output(t.map((u) => u.version.apply((version) => version === '2').apply((version) => output(version ? [u.id] : [])))).apply((value) => value.flat());",
  ],
  [
    'what may be of any type in conditions and comparisons',
    'config c {}\na = c.on ? c.n < 1 : c.l == [1]',
    "const config = new Config();\nconst c = config.requireObject<any>('c');\nconst a = truth(c.on) ? (Number(c.n) < 1) : same(c.l, [1]);",
  ],
  ['functions', 'a = join("-", split(",", "a,b"))', "const a = 'a,b'.split(',').join('-');"],
  ['a list as arguments', 'a = max([1, 2]...)', 'const a = Math.max(...[1, 2]);'],
  [
    'what may fail',
    'm = {}\na = try(m["x"], "y")\nb = can(m.x)',
    "const m = {};\nconst a = attempt(() => member(m, 'x'), () => 'y');\nconst b = can(() => member(m, 'x'));",
  ],
  [
    'lengths by type',
    'a = length("x")\nb = length([1])\nc = length({})',
    "const a = graphemes('x');\nconst b = [1].length;\nconst c = Object.keys({}).length;",
  ],
  [
    'configuration',
    'config "n" "number" {}\nconfig "s" "list(string)" {\n secret = true\n}\nconfig "o" {\n default = null\n}',
    "const config = new Config();\nconst n = config.requireNumber('n');\nconst s = config.requireSecretObject<readonly string[]>('s');\nconst o = config.getObject<any>('o') ?? null;",
  ],
  [
    'operations on outputs',
    `${tool}a = "x" == t.kind\nb = t.count + t.count`,
    "const t = new shed.Tool('t');\nconst a = t.kind.apply((kind) => 'x' === kind);\nconst b = all([t.count, t.count]).apply(([count, value]) => count + value);",
  ],
  [
    'texts with outputs',
    `${tool}a = "\${t.kind}!"`,
    "const t = new shed.Tool('t');\nconst a = interpolate`${t.kind}!`;",
  ],
  [
    'outputs in lists',
    `${tool}a = join("", [t.kind, t.id])`,
    "const t = new shed.Tool('t');\nconst a = output([t.kind, t.id]).apply((value) => value.join(''));",
  ],
  [
    'members of resources, and names that they have for themselves',
    `${tool}a = t.version\nb = t.parts[0].wide\nc = t.parts[*].wide`,
    "const t = new shed.Tool('t');\nconst a = t.version;\nconst b = t.parts[0].wide;\nconst c = t.parts.apply((parts) => parts.map((item) => item.wide));",
  ],
  [
    'conversions',
    'config "c" "string" {}\nresource t "shed:index:Tool" {\n kind = 3\n count = c\n sharp = "true"\n tags = { a = 1 }\n}',
    "const config = new Config();\nconst c = config.require('c');\nconst t = new shed.Tool('t', { kind: '3', count: Number(c), sharp: true, tags: { a: '1' } });",
  ],
  [
    'conversions of outputs',
    `${tool}resource u "shed:index:Tool" {\n count = t.id\n}`,
    "const t = new shed.Tool('t');\nconst u = new shed.Tool('u', { count: t.id.apply((id) => Number(id)) });",
  ],
  [
    'options',
    `${tool}resource u "shed:index:Tool" {\n options {\n  parent = t\n  ignoreChanges = [tags["a.b"], size.wide]\n }\n}`,
    "const t = new shed.Tool('t');\nconst u = new shed.Tool('u', {}, { parent: t, ignoreChanges: ['tags[\"a.b\"]', 'size.wide'] });",
  ],
  [
    'modules, and tokens without one',
    'resource b "shed:garden/beds:Bed" {}\nresource t "shed:Tool" {}\nresource p "pulumi:providers:shed" {}',
    "const b = new shed.garden.beds.Bed('b');\nconst t = new shed.Tool('t');\nconst p = new shed.Provider('p');",
  ],
  [
    'what is read',
    'read t "shed:index:Tool" {\n id = "i"\n kind = "k"\n}',
    "const t = shed.Tool.get('t', 'i', { kind: 'k' });",
  ],
  [
    'functions of providers',
    'a = invoke("shed:index:count", { of = 1 }).count\nb = invoke("shed:index:add", 1, 2, { version = "2.0.0" }).sum',
    "const a = shed.countOutput({ of: '1' }).count;\nconst b = shed.addOutput(1, 2, { version: '2.0.0' }).sum;",
  ],
  [
    'methods',
    `${tool}a = call(t, "sharpen", { angle = 3 }).dust`,
    "const t = new shed.Tool('t');\nconst a = t.sharpen({ angle: 3 }).dust;",
  ],
  [
    'declarations before what uses them',
    `a = t.kind\n${tool}`,
    "const t = new shed.Tool('t');\nconst a = t.kind;",
  ],
  [
    'many by number',
    'resource t "shed:index:Tool" {\n options { range = 2 }\n count = range.value\n}\na = t[1].kind',
    'const t = Array.from({ length: 2 }, (_, key) => new shed.Tool(`t-${key}`, { count: key }));\nconst a = t[1].kind;',
  ],
  [
    'many by object',
    'config m "map(string)" {}\nresource t "shed:index:Tool" {\n options { range = m }\n kind = "${range.key}=${range.value}"\n}',
    "const config = new Config();\nconst m = config.requireObject<Record<string, string>>('m');\nconst t = Object.fromEntries(pairs(m).map(([key, value]) => [key, new shed.Tool(`t-${key}`, { kind: `${key}=${value}` })]));",
  ],
  [
    'one or none',
    'config c bool {}\nresource t "shed:index:Tool" {\n options { range = c }\n}\na = t.kind',
    "const config = new Config();\nconst c = config.requireBoolean('c');\nconst t = c ? new shed.Tool('t') : undefined;\nconst a = t!.kind;",
  ],
  [
    'many by an output',
    `${tool}resource u "shed:index:Tool" {\n options { range = t.parts }\n count = range.value.wide\n}`,
    "const t = new shed.Tool('t');\nconst u = t.parts.apply((parts) => parts.map((value, key) => new shed.Tool(`u-${key}`, { count: value.wide })));",
  ],
  [
    'a component without a program',
    'component c {\n token = "a:b:C"\n n = 1\n}',
    "const c = new ComponentResource('a:b:C', 'c', { n: 1 });",
  ],
  [
    'errors that are recovered from',
    `${tool}a = recover(t.kind, "no: \${error}")`,
    "const t = new shed.Tool('t');\nconst a = recover(t.kind, (error) => `no: ${String(error)}`);",
  ],
  [
    'what another stack has',
    'resource r "pulumi:pulumi:StackReference" {\n name = "o/p/s"\n}\na = getOutput(r, "x")',
    "const r = new StackReference('r', { name: 'o/p/s' });\nconst a = r.getOutput('x');",
  ],
  [
    'names outside of the program',
    'resource t "shed:index:Tool" {\n __logicalName = "T t"\n}\noutput o {\n __logicalName = "O o"\n value = t.kind\n}',
    "const t = new shed.Tool('T t');\nconst oOOutput = t.kind;\nexport { oOOutput as 'O o' };",
  ],
  [
    'outputs',
    'x = 1\noutput x { value = x }\noutput y { value = x + 1 }',
    'const x = 1;\nexport const y = x + 1;\nexport { x };',
  ],
  ['nothing', '# nothing\n', 'export {};'],
])('%s', (_, program, code) => {
  expect(statements(program)).toBe(code);
});

test('components are classes in files of their own; two that need each other get what is declared later', () => {
  const made = files({
    'main.pp': 'component a "./half" {\n other = b.kind\n}\ncomponent b "./half" {\n other = a.kind\n}\n',
    'half/main.pp':
      'config other string {\n description = "Of the other."\n}\nresource t "shed:index:Tool" {\n kind = other\n}\noutput kind { value = t.kind }\ncomponent c "./deep" {}\n',
    'half/deep/main.pp': 'n = invoke("shed:index:count", { of = "x" })\n',
    'elsewhere/main.pp': 'resource "not" "read:at:All" {}',
  });
  expect([...made.keys()]).toEqual([
    ...['Pulumi.yaml', 'package.json', 'tsconfig.json', 'half/deep.ts', 'half.ts', 'index.ts'],
  ]);
  expect(made.get('index.ts')).toBe(`import { deferredOutput } from '@cairn/sdk';
import { Half } from './half.js';

const [aKindLater, resolveAKind] = deferredOutput<string>();
const b = new Half('b', { other: aKindLater });
const a = new Half('a', { other: b.kind });
resolveAKind(a.kind);
`);
  expect(made.get('half.ts'))
    .toBe(`import { ComponentResource, type ComponentResourceOptions, type Input, type Output, output } from '@cairn/sdk';
import * as shed from '@cairn-sdks/shed';
import { Deep } from './half/deep.js';

/** Inputs of a {@link Half}. */
export interface HalfArgs {
  /** Of the other. */
  readonly other: Input<string>;
}

export class Half extends ComponentResource {
  readonly kind: Output<string>;

  constructor(name: string, args: HalfArgs, options: ComponentResourceOptions = {}) {
    super('components:index:Half', name, args, options);
    const other = output(args.other);
    const t = new shed.Tool(\`\${name}-t\`, { kind: other }, { parent: this });
    const c = new Deep(\`\${name}-c\`, {}, { parent: this });
    this.kind = t.kind;
    this.registerOutputs({ kind: this.kind });
  }
}
`);
  expect(made.get('half/deep.ts')).toContain("const n = shed.countOutput({ of: 'x' }, { parent: this });");
});

test('names of resources and hooks in a component are texts, whatever they hold', () => {
  const odd = '__logicalName = "`$${x}"\n';
  const made = files({
    'main.pp': 'component c "./half" {}\n',
    'half/main.pp': `resource t "shed:index:Tool" {\n ${odd}}\nhook resource "h" {\n ${odd} command = ["true"]\n}\n`,
  });
  expect(made.get('half.ts')?.match(/`\$\{name\}.*`/g)).toEqual(Array(2).fill('`${name}-\\`\\${x}`'));
});

test('hooks, versions of the engine and helpers', () => {
  const made = files({
    'main.pp':
      'pulumi {\n requiredVersionRange = ">=1"\n}\nhook resource "h" {\n command = ["touch", args.name]\n onDryRun = true\n}\nhook error "e" {\n command = ["true"]\n}\n',
  });
  expect(made.get('index.ts'))
    .toBe(`import { ErrorHook, ResourceHook, requirePulumiVersion } from '@cairn/sdk';
import { run } from './pcl.js';

await requirePulumiVersion('>=1');
const h = new ResourceHook('h', (args2) => {
  run(['touch', args2.name]);
}, { onDryRun: true });
const e = new ErrorHook('e', (args2) => {
  run(['true']);
  return true;
});
`);
  expect(made.get('pcl.ts')).toContain('export function run(');
});

test('the files around the program', () => {
  const made = files({ 'main.pp': tool }, '{"name":"My Shop","main":"src","description":"a: b"}');
  expect(made.get('Pulumi.yaml')).toBe('name: "My Shop"\nruntime: cairn\nmain: src\ndescription: "a: b"\n');
  expect(JSON.parse(made.get('src/package.json') ?? '')).toEqual({
    ...{ name: 'my-shop', private: true, type: 'module', main: 'index.ts' },
    dependencies: { '@cairn/sdk': '^1.0.0', '@cairn-sdks/shed': '*' },
  });
  expect(made.has('src/index.ts')).toBe(true);
});

test('packages are known by tokens, and as blocks describe them', () => {
  const { packages } = readSources(
    new Map([
      [
        'main.pp',
        'package {\n baseProviderName = "base"\n baseProviderVersion = "1.0.0"\n parameterization {\n  name = "made"\n  version = "2.0.0"\n  value = "aGk="\n }\n}\nresource a "made:index:A" {}\nresource p "pulumi:providers:other" {}\noutput o { value = [invoke("asked:index:f", {})] }',
      ],
    ]),
  );
  expect(
    packages.map(({ name, version, base }) => [
      name,
      version,
      base?.name,
      base?.version,
      String(base?.value),
    ]),
  ).toEqual([
    ['asked', '', undefined, undefined, 'undefined'],
    ['made', '2.0.0', 'base', '1.0.0', 'hi'],
    ['other', '', undefined, undefined, 'undefined'],
  ]);
});

test.each([
  ['a = b', "undefined variable 'b' (line 1, column 5)"],
  ['a = a', '"a" depends on itself'],
  ['a = f()', "unknown function 'f'"],
  ['resource t "shed:index:Gone" {}', 'shed has no resource shed:index:Gone'],
  [`${tool}a = t.gone`, 'has no property gone (line 2'],
  ['resource t "barn:index:Tool" {}', 'there is no package barn'],
  ['a = 1\na = 2', "attribute 'a' occurs twice"],
  ['config a "strin" {}', 'this is not a type'],
  ['component c "./gone" {}', 'there is no program in ./gone'],
  ['thing x {}', "unsupported block 'thing'"],
  ['a = "x%{ if true }y%{ endif }"', 'a text cannot have a directive'],
  ['\na = [for x in [1] : x...]', 'at the end of "for"'],
  ['a = max(1...', 'was expected after "..."'],
  ['a = "\\UFFFFFFFF"', 'there is no character of this number'],
])('%j is refused: %s', (program, message) => {
  expect(() => files({ 'main.pp': program })).toThrow(message);
});
