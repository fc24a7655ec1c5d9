import { languageSchema } from './language-schema.js';

const WHOLE = { supportPack: true };

test.each([
  ['no version, and the plugin has one', {}, '1.2.0', { version: '1.2.0', meta: WHOLE }],
  ['an empty version', { version: '' }, '1.2.0', { version: '1.2.0', meta: WHOLE }],
  ['a version', { version: '2.0.0' }, '1.2.0', { version: '2.0.0', meta: WHOLE }],
  [
    'what it says of itself',
    { version: '2.0.0', meta: { moduleFormat: '(.*)' } },
    '',
    { version: '2.0.0', meta: { moduleFormat: '(.*)', ...WHOLE } },
  ],
  ['no version, and neither has the plugin', {}, '', {}],
])('a schema with %s', (_, has, version, given) => {
  const { schema, folder } = languageSchema(JSON.stringify({ name: 'shop', ...has }), 'shop', version);
  expect([JSON.parse(schema), folder]).toEqual([{ name: 'shop', ...given }, 'shop']);
});

test('the folder of a package with a namespace', () => {
  const schema = '{"name": "shop", "namespace": "acme"}';
  expect(languageSchema(schema, 'shop', '')).toEqual({ schema, folder: 'acme-shop' });
});
