import { namedMap } from '@cairn/tfplugin';
import type { Attribute, Block, NestedBlock, TfType } from '@cairn/tfplugin';
import { makeShape } from './make-shape.js';
import type { ShapeRules } from './make-shape.js';
import { readMapping } from './mapping.js';
import { plural } from './plural.js';
import { camelCase, distinct, numbering } from './property-names.js';
import { providerModel } from './provider-model.js';
import type { ProviderSchemas } from './provider-model.js';
import { isLetter, isUnderscore, runAtEnd, runAtStart } from './runs.js';
import type { Belongs } from './runs.js';
import { typeName } from './tokens.js';

const flags = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false };
const attribute = (type: TfType, more: Partial<Attribute> = {}): Attribute =>
  ({ ...flags, type, ...more }) as Attribute;
const strings: TfType = { kind: 'list', element: 'string' };

function block(attributes: Record<string, Attribute>, blocks: Record<string, NestedBlock> = {}): Block {
  return { attributes: namedMap(Object.entries(attributes)), blocks: namedMap(Object.entries(blocks)) };
}

const nested = (
  nesting: NestedBlock['nesting'],
  maxItems = 0,
  inner = block({ a: attribute('string') }),
) => ({
  nesting,
  block: inner,
  minItems: 0,
  maxItems,
});

const rules: ShapeRules = {
  of: 'x',
  fields: new Map(),
  reserved: new Map([['id', 'resourceId']]),
  hasId: true,
};

const namesOf = (of: Block, more: Partial<ShapeRules> = {}) =>
  Object.fromEntries(
    makeShape(of, { ...rules, ...more }).parts.map((each) => [each.attribute, each.property]),
  );

const table = <T>(of: Record<string, T>) => ({ names: Object.keys(of), get: (name: string) => of[name] });

function schemas(resources: readonly string[], dataSources: readonly string[] = []): ProviderSchemas {
  const of = (names: readonly string[]) =>
    table(Object.fromEntries(names.map((name) => [name, { version: 0, block: block({}) }])));
  return {
    provider: { version: 0, block: block({}) },
    resources: of(resources),
    dataSources: of(dataSources),
    ephemeralResources: of([]),
    functions: table({}),
    unused: { listResources: [], actions: ['x_do'], stateStores: [] },
  };
}

const tokensOf = (names: readonly string[]) =>
  [...providerModel(schemas(names), { name: 'pkg', version: '1.0.0' }).resources.values()].map(
    (each) => each.token,
  );

test.each([
  ['min_upper', 'minUpper'],
  ['a__b', 'aB'],
  ['_private', '_private'],
  ['type_', 'type_'],
  ['s3_bucket', 's3Bucket'],
  ['ipv6_cidr_block', 'ipv6CidrBlock'],
  ['2fa_code', '_2faCode'],
  ['with-dash', 'withDash'],
  ['_', '_'],
])('%s is the property %s [TFN-1]', (name, property) => {
  expect(camelCase(name)).toBe(property);
});

test.each([
  ['subnet_id', 'subnet_ids'],
  ['subnet_ids', 'subnet_ids'],
  ['policy', 'policies'],
  ['key', 'keys'],
  ['address', 'addresses'],
  ['status', 'statuses'],
  ['alias', 'aliases'],
  ['uris', 'uris'],
  ['gpus', 'gpus'],
  ['axis', 'axes'],
  ['class', 'classes'],
  ['box', 'boxes'],
  ['prefix', 'prefixes'],
  ['match', 'matches'],
  ['index', 'indices'],
  ['leaf', 'leaves'],
  ['child', 'children'],
  ['children', 'children'],
  ['metadata', 'metadata'],
  ['analysis', 'analyses'],
  ['dns', 'dns'],
  ['ipv4', 'ipv4s'],
  ['cidr_block_', 'cidr_block_s'],
])('the plural of %s is %s [TFN-2]', (name, many) => {
  expect(plural(name)).toBe(many);
});

describe('names of one object', () => {
  test('lists and sets are plurals, unless another attribute has the plural, or there is one at most [TFN-2]', () => {
    const of = block(
      {
        rule: attribute(strings),
        rules: attribute('string'),
        tag: attribute({ kind: 'set', element: 'string' }),
        port: attribute({ kind: 'map', element: 'string' }),
      },
      { origin: nested('list'), viewer: nested('list', 1), filter: nested('set', 1), zone: nested('map') },
    );
    expect(namesOf(of)).toEqual({
      ...{ rule: 'rule', rules: 'rules', tag: 'tags', port: 'port' },
      ...{ origin: 'origins', viewer: 'viewer', filter: 'filter', zone: 'zone' },
    });
  });

  test('names that would be equal get numbers, whatever their order [TFN-3]', () => {
    const one = { a1: attribute('string'), a_1: attribute('string'), a__1: attribute('string') };
    const other = Object.fromEntries(Object.entries(one).reverse());
    expect(namesOf(block(one))).toEqual({ a1: 'a1', a_1: 'a1_2', a__1: 'a1_3' });
    expect(namesOf(block(other))).toEqual(namesOf(block(one)));
  });

  test.each([
    ['computed text', { computed: true, optional: false }, 'id'],
    ['of an older SDK', { computed: true }, 'id'],
    ['that can be given, and is described', { computed: true, description: 'the id' }, 'resourceId'],
    ['required', { required: true, optional: false }, 'resourceId'],
    ['sensitive', { computed: true, optional: false, sensitive: true }, 'resourceId'],
  ])('an id: %s [TFN-5]', (_title, more, property) => {
    expect(namesOf(block({ id: attribute('string', more) }))).toEqual({ id: property });
  });

  test('an id that is a property gives way to one that is called so [TFN-3]', () => {
    const of = block({ id: attribute('number'), resource_id: attribute('string') });
    expect(namesOf(of)).toEqual({ id: 'resourceId_2', resource_id: 'resourceId' });
  });
});

describe('tokens', () => {
  test('the common beginning is left out [TFN-4]', () => {
    expect(tokensOf(['acme_big_box', 'acme_2fa', 'acme'])).toEqual([
      'pkg:index/acme:Acme',
      'pkg:index/twofa:Twofa',
      'pkg:index/bigBox:BigBox',
    ]);
    expect(tokensOf(['acme_box', 'other_box'])).toEqual([
      'pkg:index/acmeBox:AcmeBox',
      'pkg:index/otherBox:OtherBox',
    ]);
    expect(typeName('acme-x_y', 'acme-x')).toBe('Y');
  });

  test('names that differ in capitals only are told apart; a selection changes none [TFN-4]', () => {
    expect(tokensOf(['a_b_c', 'a_bC', 'a_bc'])).toEqual([
      'pkg:index/bC:BC',
      'pkg:index/bC2:BC2',
      'pkg:index/bc3:Bc3',
    ]);
    const { resources } = providerModel(schemas(['a_b_c', 'a_bC', 'a_bc']), {
      name: 'pkg',
      version: '1.0.0',
      include: ['a_bc'],
    });
    expect([...resources.values()].map(({ token }) => token)).toEqual(['pkg:index/bc3:Bc3']);
  });

  test('data sources are functions, and what cannot be offered is named', () => {
    const model = providerModel(schemas(['a_box'], ['a_box']), { name: 'pkg', version: '1.0.0' });
    expect(model.find('pkg:index/getBox:getBox')).toMatchObject({
      kind: 'dataSource',
      object: { type: 'a_box' },
    });
    expect(model.find('pkg:index/box:Box')).toMatchObject({ kind: 'resource' });
    expect(model.leftOut).toEqual([{ kind: 'action', type: 'x_do', token: 'pkg:index/xDo:XDo' }]);
  });
});

describe('mapping files [TFN-6]', () => {
  const fields = (json: object) =>
    readMapping(JSON.stringify({ resources: { a_box: { fields: json } } }), 'm.json').resources.get('a_box')
      ?.fields ?? new Map();

  test('fields get the names that it gives, others make way', () => {
    const of = block({ size: attribute('string'), sizes: attribute('string') }, { item: nested('list', 1) });
    const mapped = fields({ size: 'sizes', item: { name: 'things', maxItemsOne: false }, 'item.a': 'first' });
    expect(namesOf(of, { fields: mapped })).toEqual({ size: 'sizes', sizes: 'sizes_2', item: 'things' });
    const shape = makeShape(of, { ...rules, fields: mapped });
    expect(shape.byAttribute.get('item')?.form.t).toBe('list');
  });

  test.each([
    ['no JSON', '{', '/: '],
    ['an unknown key', '{"resorces": {}}', '/resorces: unknown key'],
    ['no token', '{"resources": {"a_box": {"token": "x"}}}', '/resources/a_box/token: expected a token'],
    ['no name', '{"config": {"fields": {"a": "b c"}}}', '/config/fields/a: expected a name of letters'],
  ])('refused: %s', (_title, text, cause) => {
    expect(() => readMapping(text, 'm.json')).toThrow(
      expect.objectContaining({
        diagnostics: [expect.objectContaining({ causes: [expect.stringContaining(cause)] })],
      }),
    );
  });

  test.each([
    ['an attribute that is not there', { nope: 'x' }, '/fields/nope: there is no such attribute'],
    ['two of one name', { size: 'x', sizes: 'x' }, '/fields/sizes: another is called x too'],
  ])('refused: %s', (_title, json, cause) => {
    const of = block({ size: attribute('string'), sizes: attribute('string') });
    expect(() => namesOf(of, { fields: fields(json) })).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ causes: [cause] })] }),
    );
  });
});

/** Returns the characters of a text, and counts the reads of them. */
function counted(text: string) {
  const seen = {
    length: text.length,
    looks: 0,
    charCodeAt: (at: number) => ((seen.looks += 1), text.charCodeAt(at)),
  };
  return seen;
}

const LONG = 200_000;
test.each<[string, string, Belongs, start: number, end: number, looks: number]>([
  // title, text, run, end of the run at the start, begin of the run at the end, looks at characters
  ['letters before a digit', `${'a'.repeat(LONG)}1`, isLetter, LONG, LONG + 1, LONG + 2],
  ['underscores before a letter', `a${'_'.repeat(LONG)}b`, isUnderscore, 0, LONG + 2, 2],
  ['nothing but underscores', '_'.repeat(LONG), isUnderscore, LONG, 0, 2 * LONG],
  ['letters and digits by turns', 'a1'.repeat(LONG / 2), isLetter, 1, LONG, 3],
  ['what stands beside letters', '@[`{', isLetter, 0, 4, 2],
])('%s: each character of a run is looked at once', (_title, text, belongs, start, end, looks) => {
  const characters = counted(text);
  expect([runAtStart(characters, belongs), runAtEnd(characters, belongs)]).toEqual([start, end]);
  expect(characters.looks).toBe(looks);
});

test.each([
  [`${'a'.repeat(LONG)}1`, `${'a'.repeat(LONG)}1s`, `${'a'.repeat(LONG)}1`],
  [`a${'_'.repeat(LONG)}b`, `a${'_'.repeat(LONG)}bs`, 'aB'],
  ['_'.repeat(LONG), `${'_'.repeat(LONG)}s`, '_'.repeat(LONG)],
])('names of 200 kB keep to the rules', (name, many, property) => {
  expect([plural(name) === many, camelCase(name) === property]).toEqual([true, true]);
});

test('names that fall together are numbered in one go [TFN-3]', () => {
  const number = numbering();
  let looks = 0;
  const taken = new Set(['a_2']);
  for (let count = 0; count < 1000; count += 1)
    taken.add(number('a', (name) => ((looks += 1), taken.has(name))));
  expect([taken.has('a_1002'), taken.size, looks]).toEqual([true, 1001, 1001]);
  const many = Array.from({ length: 3 }, (_, at) => ({
    attribute: `a${'_'.repeat(at + 1)}b`,
    names: ['aB'],
  }));
  expect([...distinct(many, new Set(['aB_2'])).values()]).toEqual(['aB', 'aB_3', 'aB_4']);
});
