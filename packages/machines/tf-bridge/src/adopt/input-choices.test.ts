import type { Attribute, Block, NestedBlock, TfType } from '@cairn/tfplugin';
import { propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { makeShape } from '../model/make-shape.js';
import { inputChoices } from './input-choices.js';

type Flag = 'required' | 'optional' | 'computed' | 'sensitive' | 'deprecated';

const attribute = (type: TfType, ...flags: Flag[]): Attribute => ({
  type,
  ...{ required: false, optional: false, computed: false, sensitive: false, writeOnly: false },
  ...Object.fromEntries(flags.map((flag) => [flag, true])),
});
const rule: NestedBlock = {
  ...{ nesting: 'list', minItems: 0, maxItems: 0 },
  block: {
    attributes: new Map([
      ['port', attribute('number', 'required')],
      ['found', attribute('string', 'computed')],
    ]),
    blocks: new Map(),
  },
};
const block: Block = {
  attributes: new Map([
    ['id', attribute('string', 'optional', 'computed')],
    ['size', attribute('number', 'required')],
    ['note', attribute('string', 'optional')],
    ['tags', attribute({ kind: 'map', element: 'string' }, 'optional')],
    ['zone', attribute('string', 'optional', 'computed')],
    ['open', attribute('bool', 'optional', 'computed')],
    ['old', attribute('bool', 'optional', 'computed', 'deprecated')],
    ['key', attribute('string', 'optional', 'sensitive')],
    ['made', attribute('string', 'computed')],
  ]),
  blocks: new Map([['rule', rule]]),
};
const shape = makeShape(block, { of: 't', fields: new Map(), reserved: new Map(), hasId: true });
const choices = (reported: object) => inputChoices(shape, propertyMap(reported as never));
const lean = { id: 'i', size: 0, made: 'm' };

test.each<[string, object, readonly object[]]>([
  ['what must be said is said, also when it is zero; what cannot is not', lean, [{ size: 0 }]],
  [
    'what the provider chooses itself is left out last',
    { ...lean, zone: 'a', open: true },
    [{ size: 0, zone: 'a', open: true }, { size: 0 }],
  ],
  [
    'what is zero is left out before',
    { ...lean, zone: 'a', open: false, note: '' },
    [{ size: 0, zone: 'a', open: false, note: '' }, { size: 0, zone: 'a' }, { size: 0 }],
  ],
  [
    'collections without anything are nothing at first, and blocks never',
    { ...lean, tags: {}, rules: [] },
    [{ size: 0 }, { size: 0, tags: {} }],
  ],
  ['what is deprecated is left to the provider where it can choose', { ...lean, old: true }, [{ size: 0 }]],
  ['secrets stay secret', { ...lean, key: secret('k') }, [{ size: 0, key: secret('k') }]],
  [
    'blocks are taken without what is found out',
    { ...lean, rules: [{ port: 1, found: 'x' }] },
    [{ size: 0, rules: [{ port: 1 }] }],
  ],
])('%s [TFF-7]', (_what, reported, expected) => {
  expect(choices(reported)).toEqual(expected as readonly PropertyMap[]);
});
