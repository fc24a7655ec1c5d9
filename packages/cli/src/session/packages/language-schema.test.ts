import { languageSchema } from './language-schema.js';

test.each([
  ['no version, and the plugin has one', '{"name": "shop"}', '1.2.0', '{"name":"shop","version":"1.2.0"}'],
  ['an empty version', '{"name": "shop", "version": ""}', '1.2.0', '{"name":"shop","version":"1.2.0"}'],
  ['no version, and neither has the plugin', '{"name": "shop"}', '', '{"name": "shop"}'],
  ['a version', '{"name": "shop", "version": "2.0.0"}', '1.2.0', '{"name": "shop", "version": "2.0.0"}'],
])('a schema with %s', (_, schema, version, given) => {
  expect(languageSchema(schema, 'shop', version)).toEqual({ schema: given, folder: 'shop' });
});

test('the folder of a package with a namespace', () => {
  const schema = '{"name": "shop", "namespace": "acme", "version": "1.0.0"}';
  expect(languageSchema(schema, 'shop', '')).toEqual({ schema, folder: 'acme-shop' });
});
