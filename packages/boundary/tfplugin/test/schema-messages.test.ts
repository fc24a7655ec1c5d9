import { Schema as Schema5 } from '../src/generated/tfplugin/tfplugin5.js';
import { Schema as Schema6 } from '../src/generated/tfplugin/tfplugin6.js';
import { namedMap, schemaMessage, decodeSchema } from '../src/index.js';
import type { Attribute, Block, Schema } from '../src/index.js';
import { protocols } from '../src/protocol/protocol.js';

const flags = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false };
const text: Attribute = { type: 'string', ...flags };
const block = (attributes: Record<string, Attribute>, blocks: Block['blocks'] = new Map()): Block => ({
  attributes: namedMap(Object.entries(attributes)),
  blocks,
});

const plain: Schema = {
  version: 3,
  block: {
    ...block(
      {
        secret: {
          ...text,
          sensitive: true,
          writeOnly: true,
          description: '**what**',
          descriptionKind: 'markdown',
        },
        old: { ...text, deprecated: true, deprecationMessage: 'use the new one' },
      },
      namedMap([
        ['items', { nesting: 'list', block: block({ x: text }), minItems: 1, maxItems: 4 }],
        ['group', { nesting: 'group', block: block({ x: text }), minItems: 0, maxItems: 0 }],
      ]),
    ),
    description: 'A thing.',
    descriptionKind: 'plain',
  },
};
const nested: Schema = {
  version: 0,
  block: block({ deep: { ...flags, nested: { nesting: 'map', attributes: namedMap([['x', text]]) } } }),
};

test.each([
  ['5', plain, 5, Schema5],
  ['6', plain, 6, Schema6],
  ['6, nested attributes', nested, 6, Schema6],
] as const)('a schema goes through messages of protocol %s', (_, schema, protocol, messages) => {
  const bytes = messages.encode(schemaMessage(schema, protocol) as never).finish();
  expect(decodeSchema(messages.decode(bytes))).toEqual(schema);
});

test('protocol 5 has no nested attributes', () => {
  expect(() => schemaMessage(nested, 5)).toThrow('attribute deep: protocol 5 has no');
});

test('what has no meaning is refused with its place', () => {
  const broken = (attribute: object) =>
    decodeSchema(Schema6.fromPartial({ block: { attributes: [attribute] } }));
  expect(() => broken({ name: 'a', type: Buffer.from('"text"') })).toThrow('.a: "text" is not a type');
  expect(() => broken({ name: 'a', nestedType: { nesting: 9 } })).toThrow(
    '.a: the nesting mode 9 does not exist',
  );
});

test('a call of protocol 5 has the names and the form of protocol 5', () => {
  const { fullName, methods } = protocols[5].service;
  expect([fullName, methods.configureProvider.name]).toEqual(['tfplugin5.Provider', 'Configure']);
  const answer = { diagnostics: [], provider: schemaMessage(plain, 5) };
  const type = methods.getProviderSchema.responseType;
  const read = type.decode(type.encode(type.fromPartial(answer as never)).finish());
  expect(decodeSchema(read.provider as never)).toEqual(plain);
  const shared = Object.keys(methods);
  expect(shared).toHaveLength(28);
  expect(Object.keys(protocols[6].service.methods)).toEqual(expect.arrayContaining(shared));
});
