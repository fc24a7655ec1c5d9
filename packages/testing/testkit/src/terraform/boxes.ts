import { isRecord, record } from '@cairn/tfplugin';
import type { TerraformDefinition } from './definition.js';
import type { SchemaText } from '@cairn/tfplugin/notation';
import { DirectoryStore } from './object-store.js';
import { ScriptedTerraformProvider } from './scripted-provider.js';
import type { Crash, ProviderCode, ScriptedProviderOptions } from './scripted-provider.js';

const ids: SchemaText = { id: ['C', 'string', 'Identifies the object.'] };

const wall: SchemaText = {
  side: ['R', 'string'],
  height: ['O', 'number'],
  area: ['C', 'number', 'What the wall covers.'],
};

/**
 * The provider `boxes`, which uses every feature of schemas. Its objects are files in the directory of its
 * configuration.
 */
const boxesDefinition: TerraformDefinition = {
  capabilities: { planDestroy: true },
  provider: {
    directory: [
      'O',
      'string',
      'Where the objects are kept; default: the environment variable BOXES_DIRECTORY.',
    ],
    token: ['OS', 'string'],
  },
  listResources: { boxes_box: { name: ['O', 'string'] } },
  actions: { boxes_press: { box_id: ['R', 'string'] } },
  stateStores: { boxes_cellar: { directory: ['R', 'string'] } },
  resources: {
    boxes_box: {
      version: 1,
      replaceOn: ['name', 'material'],
      remade: ['revision'],
      identity: { id: 'string' },
      schema: {
        ...ids,
        name: ['R', 'string', 'Name of the box.'],
        material: ['OC', 'string', 'What it is made of.'],
        size: ['O', 'number'],
        fragile: ['O', 'bool'],
        revision: ['C', 'string', 'Differs after every change.'],
        label: ['OC', 'string'],
        pin: ['OS', 'string', 'Opens the box.'],
        key: ['CS', 'string', 'Made with the box.'],
        secret: ['OW', 'string'],
        secret_version: ['O', 'number'],
        colour: ['OD', 'string', 'Use material.'],
        tags: ['O', ['map', 'string']],
        contents: ['O', ['list', 'string']],
        handles: ['O', ['set', 'string']],
        dimensions: ['O', ['object', { depth: 'number', width: 'number' }]],
        corners: ['O', ['tuple', ['number', 'number']]],
        extra: ['O', 'dynamic'],
        lock: { block: 'single', body: { kind: ['R', 'string'], serial: ['C', 'string'] } },
        limits: { block: 'group', body: { weight: ['O', 'number'], count: ['OC', 'number'] } },
        wall: { block: 'list', body: wall },
        sticker: { block: 'set', body: { text: ['R', 'string'], number: ['C', 'number'] } },
        slot: { block: 'map', body: { holds: ['O', 'string'], position: ['C', 'number'] } },
        address: { block: 'list', max: 1, body: { city: ['R', 'string'], street: ['O', 'string'] } },
        timeouts: { block: 'single', body: { create: ['O', 'string'], delete: ['O', 'string'] } },
      },
    },
    boxes_lid: {
      replaceOn: ['box_id'],
      schema: {
        ...ids,
        box_id: ['R', 'string'],
        title: ['O', 'string'],
        weight: ['OC', 'number'],
      },
    },
  },
  dataSources: {
    boxes_count: {
      schema: { type: ['R', 'string'], number: ['C', 'number'], ids: ['C', ['list', 'string']] },
    },
  },
  ephemerals: {
    boxes_pass: {
      schema: { owner: ['R', 'string'], word: ['CS', 'string'] },
      renewAfterMs: 50,
    },
  },
  functions: {
    label: {
      parameters: [{ name: 'prefix', type: 'string' }],
      variadic: { name: 'parts', type: 'string' },
      returns: 'string',
      call: ([prefix, ...parts]) => {
        if (parts.length === 0) throw new RangeError('label needs at least one part');
        return [prefix as string, ...(parts as readonly string[])].join('-');
      },
    },
  },
};

/** Nested attributes, which protocol 5 does not have. */
const shelf: NonNullable<TerraformDefinition['resources']> = {
  boxes_shelf: {
    replaceOn: ['place'],
    schema: {
      ...ids,
      place: ['R', 'string'],
      owner: ['O', { nested: 'single', attrs: { name: ['R', 'string'], number: ['C', 'number'] } }],
      boards: ['O', { nested: 'list', attrs: { length: ['R', 'number'], code: ['C', 'string'] } }],
      marks: ['O', { nested: 'set', attrs: { text: ['R', 'string'], at: ['OC', 'number'] } }],
      places: ['OC', { nested: 'map', attrs: { box: ['O', 'string'], free: ['C', 'bool'] } }],
    },
  },
};

/** Options of {@link boxesProvider}. */
export type BoxesOptions = Pick<
  ScriptedProviderOptions,
  'protocol' | 'rules' | 'store' | 'lacks' | 'onCall' | 'keepsObjects' | 'padding' | 'capabilities'
>;

/**
 * Creates the provider `boxes`. Without a store its objects are in the directory of its configuration or of
 * `BOXES_DIRECTORY`.
 */
export function boxesProvider(options: BoxesOptions = {}, crash?: Crash): ScriptedTerraformProvider {
  const { protocol = 6 } = options;
  const resources = { ...boxesDefinition.resources, ...(protocol === 6 && shelf) };
  const code: ProviderCode = {
    validateResourceConfig: ({ typeName, config }, standard) => {
      const size = isRecord(config) ? config['size'] : null;
      if (typeName !== 'boxes_box' || typeof size !== 'number' || size >= 0) return standard();
      const detail = 'A box cannot be smaller than nothing.';
      return { diagnostics: [{ summary: 'Invalid size', detail, attribute: ['size'] }] };
    },
    configureProvider: ({ config }) => {
      const directory = (isRecord(config) ? config['directory'] : null) ?? process.env['BOXES_DIRECTORY'];
      if (options.store === undefined && typeof directory === 'string')
        provider.store = new DirectoryStore(directory);
      return {};
    },
    readDataSource: ({ config }) => {
      const type = (isRecord(config) ? config['type'] : null) as string;
      const found = provider.store.ids(type);
      return {
        state: record([
          ['ids', Object.freeze([...found])],
          ['number', found.length],
          ['type', type],
        ]),
      };
    },
  };
  const provider = new ScriptedTerraformProvider({ ...boxesDefinition, ...options, resources, code }, crash);
  return provider;
}
