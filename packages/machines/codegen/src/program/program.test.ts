import fc from 'fast-check';
import ts from 'typescript';
import { makeProviderReference, makeUrn, rootStackUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { Archive, Asset, ByteString, ResourceReference, newMap, propertyMap, secret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { commentText, propertyKey, stringLiteral } from '../source/literal.js';
import { programCode } from './program-code.js';
import type { ProgramRequest } from './program-code.js';
import { valueCode } from './value-code.js';

const HOME = { stack: 'dev', project: 'shop' };
const ROOT = rootStackUrn('shop', 'dev');
const urnOf = (name: string, type = 'pkg:index:Thing', parent: Urn = ROOT): Urn =>
  makeUrn({ ...HOME, type, name, parent });

const entry = (name: string, more: Partial<ResourceEntry> = {}): ResourceEntry => {
  const { type = 'pkg:index:Thing', parent = ROOT } = more;
  return resourceEntry({
    custom: true,
    id: `id-${name}`,
    ...more,
    type,
    parent,
    urn: urnOf(name, type, parent),
  });
};

const code = (resources: readonly ResourceEntry[], more: Partial<ProgramRequest> = {}): string =>
  programCode({
    sdk: 'cairn',
    resources,
    names: new Map(),
    classes: new Map(),
    versions: new Map(),
    ...more,
  });

/** Declarations of a program: type, name, inputs and options of each resource, in order. */
type Declared = { type: string; name: string; inputs: unknown; protect: boolean }[];

/** Runs generated code with an SDK that only records declarations. */
function run(source: string): Declared {
  const declared: Declared = [];
  class Noted {
    readonly protect: boolean;
    constructor(
      type: string,
      name: string,
      inputs: unknown,
      options: { readonly protect?: boolean; readonly parent?: Noted } = {},
    ) {
      this.protect = options.protect ?? options.parent?.protect ?? false;
      declared.push({ type, name, inputs, protect: this.protect });
    }
  }
  const sdk = {
    CustomResource: Noted,
    ComponentResource: Noted,
    ProviderResource: Noted,
    secret: (value: unknown) => ({ secret: value }),
    StringAsset: class {
      constructor(readonly text: string) {}
    },
  };
  const plain = ts.transpileModule(source.replace(/^import .*$/gm, ''), {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  }).outputText;
  const names = source.startsWith('import * as pulumi') ? { pulumi: { ...sdk, asset: sdk } } : sdk;
  new Function(...Object.keys(names), plain.replace(/^export \{\};$/m, ''))(...Object.values(names));
  return declared;
}

const evaluate = (source: string): unknown =>
  new Function('secret', `return (${source});`)((value: unknown) => ({ secret: value }));
const writer = { sdk: (name: string) => name, variable: () => undefined };

/** Any text, with many characters that are difficult in source code. */
const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      '`',
      '\\',
      '\n',
      '\r',
      '\u2028',
      '\u2029',
      '${',
      '*/',
      '//',
      '\ud800',
      '\0',
      'é',
      '__proto__',
    ),
  }),
);

const oddValue: fc.Arbitrary<PropertyValue> = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    oddText,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc
      .dictionary(fc.oneof(oddText, fc.constant('__proto__')), tie('value'), { noNullPrototype: false })
      .map((each) => Object.assign(newMap(), each)),
    tie('value').map((each) => secret(each)),
  ),
})).value;

/** Returns a value in the form of evaluated code: plain objects, and a mark around secrets. */
function plain(value: PropertyValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('value' in value && Object.getPrototypeOf(value) !== null)
    return { secret: plain(value.value as PropertyValue) };
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value as Record<string, PropertyValue>)) {
    Object.defineProperty(result, key, {
      value: plain(item),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}

describe('source of texts and values', () => {
  test('a literal means its text, on one line', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        const literal = stringLiteral(text);
        expect(literal).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(evaluate(literal)).toBe(text);
        expect(Object.keys(evaluate(`{ ${propertyKey(text)}: 1 }`) as object)).toEqual([text]);
      }),
    );
  });

  test('a comment ends where its line ends', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        expect(evaluate(`[1, // ${commentText(text)}\n2]`)).toEqual([1, 2]);
      }),
    );
  });

  test('source of a value means the value', () => {
    fc.assert(
      fc.property(oddValue, fc.nat(60), (value, indent) => {
        expect(evaluate(valueCode(value, writer, indent))).toEqual(plain(value));
      }),
    );
  });

  test.each<[PropertyValue, string]>([
    ["it's", `"it's"`],
    ['a "b"', `'a "b"'`],
    [-0, '-0'],
    [Number.NaN, 'NaN'],
    [new Asset({ path: './a.txt', hash: 'ff' }), `new FileAsset('./a.txt')`],
    [new Asset({ uri: 'https://x/y' }), `new RemoteAsset('https://x/y')`],
    [
      new Archive({ assets: { 'a b': new Asset({ text: 'x' }) } }),
      `new AssetArchive({ 'a b': new StringAsset('x') })`,
    ],
    [new Asset({ hash: 'ff*/' }), 'undefined /* asset with the hash ff: say where it comes from */'],
    [new ByteString(Uint8Array.from([1, 2])), `Uint8Array.from(Buffer.from('AQI=', 'base64'))`],
    [new ResourceReference({ urn: urnOf('x'), id: 'i-1' }), `'i-1'`],
  ])('%j', (value, source) => {
    expect(valueCode(value, writer)).toBe(source);
  });
});

describe('programs', () => {
  test('read like ones that somebody wrote', () => {
    const group = entry('my-group', { type: 'shop:index:Group', custom: false, id: '' });
    const provider = entry('north', {
      type: 'pulumi:providers:pkg',
      parent: undefined as never,
      id: 'p1',
      inputs: propertyMap({ region: 'n', version: '1.2.3', __internal: propertyMap({ a: 1 }) }),
    });
    const thing = entry('my thing', {
      parent: group.urn,
      provider: makeProviderReference(provider.urn, 'p1'),
      protect: true,
      inputs: propertyMap({
        size: 2,
        tags: propertyMap({ 'a-b': 'c', __defaults: [] }),
        __defaults: [],
        key: secret('s'),
      }),
    });
    expect(code([thing, group, provider]))
      .toBe(`import { ComponentResource, CustomResource, ProviderResource, secret } from '@cairn/sdk';

const myGroup = new ComponentResource('shop:index:Group', 'my-group', {});

const north = new ProviderResource('pkg', 'north', { region: 'n' }, { version: '1.2.3' });

// Taken over: id-my thing
const myThing = new CustomResource('pkg:index:Thing', 'my thing', { size: 2, tags: { 'a-b': 'c' }, key: secret('s') }, { parent: myGroup, provider: north, protect: true });
`);
  });

  test('on the SDK of Pulumi, a type has the class of its package or gets one', () => {
    const bucket = entry('b', { type: 'aws:s3/bucket:Bucket' });
    const pet = entry('p', { type: 'rnd:index/pet:Pet', inputs: propertyMap({ length: 2 }) });
    const classes = new Map([['aws:s3/bucket:Bucket', { module: '@pulumi/aws', path: ['s3', 'Bucket'] }]]);
    expect(code([bucket, pet], { sdk: 'pulumi', classes })).toBe(`import * as pulumi from '@pulumi/pulumi';
import * as aws from '@pulumi/aws';

class Pet extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    super('rnd:index/pet:Pet', name, args, opts);
  }
}

// Taken over: id-b
const b = new aws.s3.Bucket('b', {});

// Taken over: id-p
const p = new Pet('p', { length: 2 });
`);
  });

  test('declare providers that came with the import, of a class of their own where the SDK has none', () => {
    const provider = entry('north', { type: 'pulumi:providers:pkg', parent: undefined as never, id: 'p1' });
    const thing = entry('x', { provider: makeProviderReference(provider.urn, 'p1') });
    const source = code([thing, provider], { sdk: 'pulumi', versions: new Map([[thing.urn, '1.0.0']]) });
    expect(source).toContain('class PkgProvider extends pulumi.ProviderResource {');
    expect(source).toContain("const north = new PkgProvider('north', {});");
    expect(source).toContain("const x = new Thing('x', {}, { provider: north, version: '1.0.0' });");
  });

  test('say what would be inherited otherwise', () => {
    const outer = entry('outer', { type: 'a:b:Group', custom: false, protect: true });
    const source = code([
      outer,
      entry('open', { parent: outer.urn }),
      entry('closed', { parent: outer.urn, protect: true }),
    ]);
    expect(source).toContain("'open', {}, { parent: outer, protect: false }");
    expect(source).toContain("'closed', {}, { parent: outer }");
  });

  test('name what is declared elsewhere as the user does', () => {
    const parent = urnOf('outer', 'a:b:C');
    const source = code([entry('x', { parent }), entry('y', { parent: urnOf('other', 'a:b:C') })], {
      names: new Map([[parent, 'mine']]),
    });
    expect(source).toContain('{ parent: mine }');
    expect(source).toContain('{ parent: other }');
    expect(source).toContain(`// mine: ${parent}, declared elsewhere`);
  });

  test('never use one name for two things', () => {
    const names = ['secret', 'class', 'a b', 'a-b', 'CustomResource', '1', 'pulumi', 'é', ''];
    const declared = run(code(names.map((name) => entry(name))));
    expect(declared.map(({ name }) => name)).toEqual(names);
  });

  test.each(['cairn', 'pulumi'] as const)('declare exactly what is in state (%s)', (sdk) => {
    const resource = fc.record({
      name: oddText,
      value: oddValue,
      protect: fc.boolean(),
      child: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(resource, { selector: ({ name }) => name, maxLength: 5 }), (list) => {
        const entries: ResourceEntry[] = [];
        for (const { name, value, protect, child } of list) {
          const parent = child ? (entries.at(-1)?.urn ?? ROOT) : ROOT;
          entries.push(entry(name, { parent, protect, inputs: propertyMap({ value }) }));
        }
        const declared = run(code([...entries].reverse(), { sdk }));
        const byName = new Map(declared.map((each) => [each.name, each]));
        expect(declared).toHaveLength(list.length);
        for (const { name, value, protect } of list) {
          expect(byName.get(name)).toMatchObject({ type: 'pkg:index:Thing', name });
          expect(byName.get(name)?.inputs).toEqual({ value: plain(value) });
          expect(byName.get(name)?.protect).toBe(protect);
        }
      }),
      { numRuns: 50 },
    );
  });
});
