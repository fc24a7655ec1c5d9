import { emptyMap, propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import {
  Decimal,
  Dynamic,
  conform,
  decode,
  encode,
  impliedType,
  record,
  typeJson,
  UNKNOWN_VALUE,
} from '@cairn/tfplugin';
import type { Attribute, TfRecord, TfValue } from '@cairn/tfplugin';
import { defineResource, s } from '@cairn/provider-sdk';
import { sampleProvider } from '@cairn/testkit/sample';
import { TerraformProvider } from './index.js';
import { attributeNames, resourceNames, snakeCase, terraformTypeName } from './names.js';
import { servedResource } from './resource-schema.js';
import { fromTf, fromTfObject, toTf, toTfObject } from './values.js';

describe('names [TFS-1]', () => {
  it.each([
    ['label', 'label'],
    ['minUpper', 'min_upper'],
    ['privateKeyPEM', 'private_key_pem'],
    ['HTTPServer', 'http_server'],
    ['base64Url', 'base64_url'],
    ['b64', 'b64'],
    ['already_so', 'already_so'],
    ['with-hyphen', 'with_hyphen'],
  ])('%s is served as %s', (property, attribute) => {
    expect(snakeCase(property)).toBe(attribute);
    const names = attributeNames([property]);
    expect(names.attributes.get(property)).toBe(attribute);
    expect(names.properties.get(attribute)).toBe(property);
  });

  it('a name that is taken or belongs to the language gets a number, whatever the order', () => {
    const one = resourceNames(['aB', 'a_b', 'count', 'id']);
    expect([...one.attributes]).toEqual([
      ['aB', 'a_b'],
      ['a_b', 'a_b_2'],
      ['count', 'count_2'],
      ['id', 'id_2'],
    ]);
    expect([...resourceNames(['id', 'count', 'a_b', 'aB']).attributes]).toEqual([...one.attributes]);
  });

  it.each([
    ['boxes', 'index:BigBox', 'boxes_big_box'],
    ['cairn-random', 'index:String', 'cairn-random_string'],
    ['boxes', 'storage:Bucket', 'boxes_storage_bucket'],
  ])('type %s:%s is %s', (name, token, type) => expect(terraformTypeName(name, token)).toBe(type));
});

const flagged = ({ required, optional, computed, sensitive }: Attribute): string =>
  [required && 'required', optional && 'optional', computed && 'computed', sensitive && 'sensitive']
    .filter((flag) => flag !== false)
    .join(' ');

describe('schemas [TFS-2]', () => {
  const provider = new TerraformProvider(sampleProvider({ boxes: new Map() }));
  const box = provider.resources.get('sample_box');
  const attributes = box?.served.schema.block.attributes ?? new Map<string, Attribute>();

  it.each([
    ['id', 'computed'],
    ['label', 'required'],
    ['size', 'optional computed'],
    ['kind', 'optional computed'],
    ['login', 'optional sensitive'],
    ['serial', 'computed'],
    ['greeting', 'computed sensitive'],
    ['key', 'computed sensitive'],
  ])('attribute %s is %s', (name, flags) => expect(flagged(attributes.get(name) as Attribute)).toBe(flags));

  it('says which texts a property takes', () => {
    expect(attributes.get('kind')?.description).toBe('One of "open", "shut".');
  });

  it('has attributes within attributes for protocol 6, blocks for protocol 5, and the same values', () => {
    const parts = attributes.get('parts');
    expect(parts?.nested?.nesting).toBe('list');
    expect(flagged(parts?.nested?.attributes.get('name') as Attribute)).toBe('required');
    const older = new TerraformProvider(sampleProvider({ boxes: new Map() }), { protocol: 5 });
    const { block } = older.resources.get('sample_box')?.served.schema ?? {};
    expect(block?.attributes.has('parts')).toBe(false);
    expect(block?.blocks.get('parts')).toMatchObject({ nesting: 'list', minItems: 0, maxItems: 0 });
    expect(block && typeJson(impliedType(block))).toBe(box && typeJson(box.served.type));
  });

  it('has a data source per function, with arguments and answers', () => {
    const { block } = provider.dataSources.get('sample_lookup')?.served.schema ?? {};
    const flags = [...(block?.attributes ?? [])].map(([name, each]) => [name, flagged(each)]);
    expect(flags).toEqual([
      ['id', 'required'],
      ['label', 'computed'],
      ['login', 'computed sensitive'],
      ['region', 'computed'],
    ]);
  });

  it('refuses two types with one name', () => {
    const one = defineResource({ inputs: {}, outputs: {}, create: async () => ({ id: '1', outputs: {} }) });
    const resources = { 'index:BigBox': one, 'index:Big_Box': one };
    expect(() => new TerraformProvider({ name: 'boxes', version: '1.0.0', resources })).toThrow(RangeError);
  });
});

const kinds = {
  text: s.string().optional(),
  flag: s.boolean().optional(),
  count: s.number().optional(),
  anything: s.any().optional(),
  free: s.map(s.any()).optional(),
  list: s.array(s.string()).optional(),
  set: s.set(s.integer()).optional(),
  map: s.map(s.number()).optional(),
  deep: s.array(s.array(s.object({ innerName: s.string(), more: s.string().optional() }))).optional(),
  one: s.object({ innerName: s.string(), level: s.integer().optional() }).optional(),
  many: s.array(s.object({ innerName: s.string().optional() })).optional(),
  byKey: s.map(s.object({ innerName: s.string() })).optional(),
  loose: s.set(s.object({ innerName: s.string() })).optional(),
};

describe('values', () => {
  const { fields, type } = servedResource(
    defineResource({ inputs: kinds, outputs: {}, create: async () => ({ id: '1', outputs: {} }) }),
    6,
  );
  const rows: readonly [string, PropertyValue, TfValue][] = [
    ['text', 'a', 'a'],
    ['text', 'e\u0301', '\u00e9'],
    ['flag', false, false],
    ['count', 0.1, new Decimal('0.1')],
    ['count', 0.5, 0.5],
    ['count', 1e21, 10n ** 21n],
    ['anything', 'a', new Dynamic('string', 'a')],
    ['anything', [1, null], new Dynamic({ kind: 'tuple', elements: ['number', 'dynamic'] }, [1, null])],
    ['list', [], []],
    ['list', ['b', 'a'], ['b', 'a']],
    ['set', [3, 1, 3], [1, 3]],
    [
      'map',
      propertyMap({ b: 1, a: 2 }),
      record([
        ['a', 2],
        ['b', 1],
      ]),
    ],
    ['map', emptyMap, record([])],
    [
      'deep',
      [[propertyMap({ innerName: 'x' })]],
      [
        [
          record([
            ['inner_name', 'x'],
            ['more', null],
          ]),
        ],
      ],
    ],
    [
      'one',
      propertyMap({ innerName: 'x' }),
      record([
        ['inner_name', 'x'],
        ['level', null],
      ]),
    ],
    ['many', [propertyMap({})], [record([['inner_name', null]])]],
    [
      'byKey',
      propertyMap({ k_1: propertyMap({ innerName: 'x' }) }),
      record([['k_1', record([['inner_name', 'x']])]]),
    ],
    ['loose', [propertyMap({ innerName: 'x' })], [record([['inner_name', 'x']])]],
  ];

  it.each(rows)('%s %j is served as the value of its type', (property, given, served) => {
    const field = [...fields.values()].find((each) => each.property === property);
    if (field === undefined) throw new Error(`no field for ${property}`);
    expect(toTf(field, given)).toEqual(served);
    const object = toTfObject(fields, propertyMap({ [property]: given }));
    const whole = record([...Object.entries(object), ['id', null]]);
    expect(conform(type, whole)).toEqual([]);
    const sent = decode(type, encode(type, whole)) as TfRecord;
    // The sent value comes back, except for texts in composed form and sets in their own order.
    const back = fromTfObject(fields, sent);
    expect(Object.keys(back)).toEqual([property]);
    expect(toTf(field, back[property])).toEqual(served);
  });

  it('keeps null, empty and unknown apart', () => {
    const field = fields.get('list');
    if (field === undefined) throw new Error('no field list');
    expect(toTf(field, undefined)).toBeNull();
    expect(fromTf(field, null)).toBeUndefined();
    expect(fromTf(field, [])).toEqual([]);
    expect(fromTf(field, UNKNOWN_VALUE)).toBeDefined();
    expect(toTf(field, fromTf(field, UNKNOWN_VALUE))).toBe(UNKNOWN_VALUE);
  });
});
