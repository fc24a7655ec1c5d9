import { generatePackage, readSchema } from '../src/index.js';
import { filesOf, generated } from './generated.js';
import type { Generated } from './generated.js';

/** Odd schemas: either the code compiles, or an error names the position. */

let made: Generated | undefined;
afterEach(() => {
  made?.remove();
  made = undefined;
});

/** Fails, because the schema of a test is wrong. */
const refuse = (): never => {
  throw new Error('the schema has errors');
};
const text = { type: 'string' };
const resource = (properties: object = {}) => ({ inputProperties: properties, properties });

test('a member that is null is one that is left out', () => {
  const schema = {
    name: 'odd',
    description: null,
    types: { 'odd:index:Emu': { type: 'string', enum: [{ name: 'A', value: 'a', description: null }] } },
    resources: {
      'odd:index:Bird': { ...resource({ kind: text }), isComponent: null, deprecationMessage: null },
    },
  };
  const { model, problems } = readSchema(JSON.stringify(schema));
  expect(problems).toEqual([]);
  const { description, resources } = model ?? refuse();
  expect([description, resources.map(({ token }) => token)]).toEqual(['', ['odd:index:Bird']]);
});

test('names that collide, reserved words and types that hold themselves', () => {
  made = generated({
    name: 'odd',
    meta: { moduleFormat: '(.*)(?:/[^/]*)' },
    types: {
      'odd:index/Loop:Loop': {
        properties: { self: { $ref: '#/types/odd:index%2FLoop:Loop' }, name: text },
        required: ['self'],
      },
      'odd:index/Ring:Ring': { properties: { stone: { $ref: '#/types/odd:index%2FStone:Stone' } } },
      'odd:index/Stone:Stone': {
        properties: {
          rings: { type: 'array', items: { $ref: '#/types/odd:index%2FRing:Ring' }, default: undefined },
        },
      },
      'odd:index/loop:loop': {
        type: 'string',
        enum: [
          { name: 'a b', value: 'x' },
          { name: 'a b', value: 'y' },
        ],
      },
    },
    resources: {
      'odd:index/bucket:Bucket': resource({
        ring: { $ref: '#/types/odd:index%2FRing:Ring' },
        'a-b': text,
        class: text,
      }),
      'odd:index/BUCKET:BUCKET': resource({ other: { $ref: '#/resources/odd:index%2Fbucket:Bucket' } }),
      'odd:index/bucketArgs:BucketArgs': resource(),
      'odd:index/input:Input': resource({ value: { $ref: '#/types/odd:index%2FLoop:Loop' } }),
      'odd:index/promise:Promise': resource({ outputOf: text, made: text }),
      'odd:index/function:Function': resource({ way: { $ref: '#/types/odd:index%2Floop:loop' } }),
      'odd:index/provider:Provider': resource({ parent: { $ref: '#/provider' } }),
      'odd:class/new:new': resource(),
      'odd:pkg/pkg:Pkg': resource(),
      'odd:__pkg/x:X': resource(),
      'odd:../../up/x:Out': resource(),
      'odd:index/members:Members': resource(),
    },
    functions: {
      'odd:index/delete:delete': {
        inputs: { properties: { import: text } },
        multiArgumentInputs: ['import'],
        outputs: {},
      },
      'odd:index/places:places': {
        inputs: { properties: { '1st': text, '': text, 'a-b': text, a_b: text } },
        multiArgumentInputs: ['1st', '', 'a-b', 'a_b'],
        outputs: {},
      },
      'odd:index/bucket:bucket': {
        outputs: {
          properties: {
            of: { $ref: '#/resources/odd:index%2Fbucket:Bucket' },
            // A resource that is named among the types.
            with: { $ref: '#/types/odd:index%2Fbucket:Bucket' },
          },
        },
      },
      'odd:class/class:class': {},
    },
  });
  const files = [...made.files.keys()];
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
  expect(files.filter((file) => file.includes('..'))).toEqual([]);
  const program = `
    import * as odd from '@cairn-sdks/odd';
    const bucket = new odd.Bucket('a', { ring: { stone: { rings: [{}] } }, 'a-b': 'x', class: 'y' });
    const other = new odd.BUCKET('b', { other: bucket });
    const value: odd.BucketArgs = new odd.BucketArgs('c');
    const kinds: odd.Loop[] = ['x', 'y'];
    new odd.Promise_('p', { outputOf: 'x' }).outputOf_;
    new odd.class_.New('n');
    new odd.Provider_('q', { parent: new odd.Provider('r') });
    export const all: Promise<unknown>[] = [odd.places('a', 'b', 'c', 'd'), odd.delete_('x'), odd.bucket(), odd.class_.class_()];
    export { other, value, kinds };`;
  expect(made.diagnose(program)).toEqual([]);
  expect(made.syntaxErrors()).toEqual([]);
  const members = made.exports as Readonly<Record<string, unknown>>;
  expect(Object.keys(members)).toEqual(
    expect.arrayContaining(['Bucket', 'BUCKET', 'Promise_', 'Provider_', 'delete_']),
  );
  for (const name of Object.keys(members))
    expect([name, typeof members[name]]).not.toEqual([name, 'undefined']);
});

test('what another package describes is typed when it is known', () => {
  const other = {
    name: 'other',
    types: { 'other:m:Tag': { properties: { key: text } } },
    resources: { 'other:m:Box': {} },
  };
  const own = {
    name: 'own',
    resources: {
      'own:index:Thing': {
        inputProperties: {
          tag: { $ref: '/other/v1.0.0/schema.json#/types/other:m:Tag' },
          box: { $ref: '/other/v1.0.0/schema.json#/resources/other:m:Box' },
        },
      },
    },
  };
  const withUse = {
    ...other,
    resources: { 'other:m:Box': { inputProperties: { t: { $ref: '#/types/other:m:Tag' } } } },
  };
  const read = (schema: object) => readSchema(JSON.stringify(schema)).model ?? refuse();
  const types = (references: ReadonlyMap<string, ReturnType<typeof read>>) =>
    new Map(generatePackage(read(own), { sdkVersion: '1.0.0', references })).get('thing.d.ts');
  expect(types(new Map())).toContain('readonly tag?: Input<unknown>');
  expect(types(new Map([['other', read(withUse)]]))).toContain('readonly tag?: Input<other.inputs.Tag>');
  expect(types(new Map([['other', read(withUse)]]))).toContain('readonly box?: Input<other.Box>');
  // A type that the other package does not export becomes any value.
  expect(types(new Map([['other', read(other)]]))).toContain('readonly tag?: Input<unknown>');
  expect(read(own).references).toEqual(['other']);
  // A program that receives one of its resources opens it.
  const files = new Map(
    generatePackage(read(own), { sdkVersion: '1.0.0', references: new Map([['other', read(other)]]) }),
  );
  expect(files.get('package.js')).toContain("references: { other: '@cairn-sdks/other' }");
  expect(files.get('classes.cjs')).toContain("'own:index:Thing': ['', 'Thing']");
});

test('comments cannot be left, and examples of other languages are not taken over', () => {
  const description =
    'It */ ends\u2028here.\n\n{{% examples %}}\n```python\nimport x\n```\n{{% /examples %}}\nMore.';
  const types = filesOf({
    name: 'p',
    resources: { 'p:index:A': { description, properties: { x: { ...text, description } } } },
  });
  const code = types.get('a.d.ts') ?? '';
  expect(code).not.toMatch(/import x|It \*\//);
  expect(code).toContain(' * It *\\/ ends\n * here.');
});

const problemsOf = (schema: unknown) => readSchema(JSON.stringify(schema)).problems;

test.each<[string, unknown, string, string]>([
  ['a list', [], '', 'must be an object, not a list'],
  ['no name', {}, '/name', 'the package has no name'],
  ['resources of another kind', { name: 'p', resources: [] }, '/resources', 'must be an object, not a list'],
  ['a token that is none', { name: 'p', resources: { A: {} } }, '/resources/A', '"A" is not a token'],
  [
    'a type that is none',
    { name: 'p', resources: { 'p:a:A': { properties: { x: { type: 'strin' } } } } },
    '/resources/p:a:A/properties/x/type',
    '"strin" is not a type',
  ],
  [
    'a list of nothing',
    { name: 'p', resources: { 'p:a:A': { properties: { x: { type: 'array' } } } } },
    '/resources/p:a:A/properties/x/items',
    'the type of its elements is missing',
  ],
  [
    'a default of another type',
    { name: 'p', resources: { 'p:a:A': { inputProperties: { x: { type: 'integer', default: 'one' } } } } },
    '/resources/p:a:A/inputProperties/x/default',
    'is a string, and the property of type integer',
  ],
  [
    'what is required but is not a property',
    { name: 'p', resources: { 'p:a:A': { required: ['x'] } } },
    '/resources/p:a:A/required/0',
    '"x" is required but is not a property',
  ],
  [
    'a method without a function',
    { name: 'p', resources: { 'p:a:A': { methods: { m: 'p:a:A/m' } } } },
    '/resources/p:a:A/methods/m',
    'the method "m" names a function that does not exist',
  ],
  [
    'a discriminator that maps to a stranger',
    {
      name: 'p',
      resources: {
        'p:a:A': {
          properties: {
            x: { oneOf: [text], discriminator: { propertyName: 'k', mapping: { a: '#/types/p:a:B' } } },
          },
        },
      },
    },
    '/resources/p:a:A/properties/x/discriminator/mapping/a',
    'the discriminator maps "a" to #/types/p:a:B, which is not a member of the union',
  ],
  [
    'a format that is none',
    { name: 'p', meta: { moduleFormat: '(' } },
    '/meta/moduleFormat',
    'is not a module format that Cairn supports',
  ],
  [
    'a format that never ends',
    {
      name: 'p',
      meta: { moduleFormat: '(x|xx|x+)+y' },
      resources: { [`p:${'x'.repeat(5_000)}:A`]: {} },
    },
    '/meta/moduleFormat',
    'is not a module format that Cairn supports',
  ],
])('%s is an error with its place', (_title, schema, pointer, message) => {
  const found = problemsOf(schema).find((problem) => problem.pointer === pointer);
  expect(found).toMatchObject({ severity: 'error', message: expect.stringContaining(message) });
  expect(found?.hint).toMatch(/^[A-Z].*\.$/);
  expect(readSchema(JSON.stringify(schema)).model).toBeUndefined();
});

test('a property that every resource has is left out with a warning', () => {
  const schema = { name: 'p', resources: { 'p:a:A': { properties: { id: text, x: text } } } };
  expect(problemsOf(schema)).toMatchObject([
    { severity: 'warning', pointer: '/resources/p:a:A/properties/id' },
  ]);
  expect(filesOf(schema).get('a/a.d.ts')).not.toContain('readonly id');
});

test('a schema of a hundred megabytes is read', () => {
  const long = 'x'.repeat(100_000);
  const resources = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`p:a:A${index}`, { description: long }]),
  );
  const schema = JSON.stringify({ name: 'p', resources });
  expect(schema.length).toBeGreaterThan(100_000_000);
  expect(readSchema(schema).model?.resources).toHaveLength(1000);
});
