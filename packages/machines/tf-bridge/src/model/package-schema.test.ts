import { namedMap, SchemaError } from '@cairn/tfplugin';
import type { Attribute, Block, NestedBlock, Schema, TfType } from '@cairn/tfplugin';
import { readMapping } from './mapping.js';
import { bridgedPackageSchema } from './package-schema.js';
import { providerModel } from './provider-model.js';
import type { ModelOptions, ProviderSchemas } from './provider-model.js';

const flags = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false };
const attribute = (type: TfType, more: object = {}): Attribute => ({ ...flags, type, ...more }) as Attribute;
const required = { required: true, optional: false };
const computed = { computed: true, optional: false };

const block = (attributes: Record<string, Attribute>, blocks: Record<string, NestedBlock> = {}): Block => ({
  attributes: namedMap(Object.entries(attributes)),
  blocks: namedMap(Object.entries(blocks)),
});
const nested = (inner: Block, more: Partial<NestedBlock> = {}): NestedBlock => ({
  ...{ nesting: 'list', block: inner, minItems: 0, maxItems: 0 },
  ...more,
});

const box: Schema = {
  version: 1,
  block: {
    ...block(
      {
        id: attribute('string', computed),
        name: attribute('string', { ...required, description: 'Its name.' }),
        pin: attribute('string', { sensitive: true }),
        secret_wo: attribute('string', { writeOnly: true }),
        colour: attribute('string', { deprecated: true, deprecationMessage: 'Use paint.' }),
        extra: attribute('dynamic'),
        grid: attribute({ kind: 'list', element: { kind: 'list', element: 'number' } }),
      },
      {
        wall: nested(block({ side: attribute('string', required), area: attribute('number', computed) }), {
          minItems: 1,
        }),
        door: nested(block({ width: attribute('number', { computed: true }) }), { maxItems: 1 }),
        part: nested(block({ made: attribute('bool', computed) }), { nesting: 'set' }),
      },
    ),
    description: 'A box.',
  },
};

const table = <T>(of: Record<string, T>) => ({ names: Object.keys(of), get: (name: string) => of[name] });

const schemas: ProviderSchemas = {
  provider: {
    version: 0,
    block: block({ region: attribute('string', required), version: attribute('string') }),
  },
  resources: {
    names: ['acme_box', 'acme_broken'],
    get: (name) => {
      if (name === 'acme_broken') throw new SchemaError('root: a name occurs twice');
      return box;
    },
  },
  dataSources: table({
    acme_box: {
      version: 0,
      block: block({ id: attribute('string', required), size: attribute('number', computed) }),
    },
  }),
  ephemeralResources: table({
    acme_pass: {
      version: 0,
      block: block({ owner: attribute('string'), word: attribute('string', computed) }),
    },
  }),
  functions: table({
    join_all: {
      parameters: [
        {
          name: 'first_part',
          type: 'string' as const,
          allowNull: false,
          allowUnknown: false,
          description: '',
        },
      ],
      variadic: {
        name: 'more',
        type: 'string' as const,
        allowNull: true,
        allowUnknown: false,
        description: 'The rest.',
      },
      returns: 'string' as const,
      ...{ summary: 'Joins.', description: 'All of them.', deprecationMessage: '' },
    },
  }),
  unused: { listResources: ['acme_box'], actions: [], stateStores: ['acme_bucket'] },
};

const made = (options: Partial<ModelOptions> = {}) =>
  JSON.parse(
    bridgedPackageSchema(providerModel(schemas, { name: 'acme', version: '1.2.3', ...options }), {
      base: { name: 'terraform-provider', version: '0.1.0' },
      parameter: Buffer.from('{"name":"acme"}'),
      source: 'example.com/acme/acme',
    }),
  ) as Record<string, Record<string, Record<string, unknown>>>;

test('a resource: inputs, outputs, what is required, secret and deprecated [TFN-1] [TFN-2] [TFE-2]', () => {
  const resource = made()['resources']?.['acme:index/box:Box'];
  expect(resource).toMatchObject({
    description: 'A box.',
    requiredInputs: ['name', 'walls'],
    required: ['name', 'parts', 'walls'],
    inputProperties: {
      name: { type: 'string', description: 'Its name.' },
      pin: { type: 'string', secret: true },
      secretWo: { type: 'string', secret: true },
      colour: { deprecationMessage: 'Use paint.' },
      extra: { $ref: 'pulumi.json#/Any' },
      grids: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
      walls: { type: 'array', items: { $ref: '#/types/acme:index/boxWall:BoxWall' } },
      door: { $ref: '#/types/acme:index/boxDoor:BoxDoor' },
    },
    properties: { walls: { items: { $ref: '#/types/acme:index/boxWallResult:BoxWallResult' } } },
  });
  const names = (key: string) => Object.keys(resource?.[key] as object);
  expect(names('inputProperties')).not.toEqual(expect.arrayContaining(['parts']));
  expect(names('inputProperties')).not.toContain('id');
  expect(names('properties')).not.toContain('secretWo');
});

test('types: one for both sides where they have the same properties, two where not [TFN-4]', () => {
  expect(made()['types']).toEqual({
    'acme:index/boxDoor:BoxDoor': {
      type: 'object',
      properties: { width: { type: 'number' } },
      language: { nodejs: { requiredOutputs: ['width'] } },
    },
    'acme:index/boxPartResult:BoxPartResult': {
      type: 'object',
      properties: { made: { type: 'boolean' } },
      required: ['made'],
    },
    'acme:index/boxWall:BoxWall': {
      type: 'object',
      properties: { side: { type: 'string' } },
      required: ['side'],
    },
    'acme:index/boxWallResult:BoxWallResult': {
      type: 'object',
      properties: { area: { type: 'number' }, side: { type: 'string' } },
      required: ['area', 'side'],
    },
  });
});

test('functions: data sources, ephemeral resources with secret results, functions of the provider [TFN-4]', () => {
  expect(made()['functions']).toEqual({
    'acme:index/getBox:getBox': {
      inputs: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      outputs: {
        type: 'object',
        properties: { id: { type: 'string' }, size: { type: 'number' } },
        required: ['id', 'size'],
      },
    },
    'acme:index/joinAll:joinAll': {
      description: 'Joins.\n\nAll of them.',
      inputs: {
        type: 'object',
        properties: {
          firstPart: { type: 'string' },
          more: { type: 'array', items: { type: 'string' }, description: 'The rest.' },
        },
        required: ['firstPart'],
      },
      multiArgumentInputs: ['firstPart', 'more'],
      outputs: { type: 'string' },
    },
    'acme:index/openPass:openPass': {
      inputs: { type: 'object', properties: { owner: { type: 'string' } } },
      outputs: {
        type: 'object',
        properties: { owner: { type: 'string', secret: true }, word: { type: 'string', secret: true } },
        required: ['word'],
      },
    },
  });
});

test('the package: how it is made again, its configuration, and what it leaves out by name', () => {
  const { parameterization, provider, description } = made();
  expect(parameterization).toEqual({
    baseProvider: { name: 'terraform-provider', version: '0.1.0' },
    parameter: Buffer.from('{"name":"acme"}').toString('base64'),
  });
  expect(provider).toEqual({
    inputProperties: { providerVersion: { type: 'string' }, region: { type: 'string' } },
    requiredInputs: ['region'],
  });
  expect(description).toBe(
    'The Terraform provider example.com/acme/acme 1.2.3.\n\nNot offered: list resource acme_box; state store acme_bucket; ' +
      'resource acme_broken (root: a name occurs twice).',
  );
});

test('a mapping gives tokens to types too, and others make way for them [TFN-6]', () => {
  const mapping = readMapping(
    JSON.stringify({ resources: { acme_box: { fields: { wall: { type: 'acme:index/BoxDoor:BoxDoor' } } } } }),
    'm.json',
  );
  expect(Object.keys(made({ mapping })['types'] ?? {})).toEqual([
    'acme:index/BoxDoor:BoxDoor',
    'acme:index/boxDoor2:BoxDoor2',
    'acme:index/boxPartResult:BoxPartResult',
    'acme:index/boxWallResult:BoxWallResult',
  ]);
});
