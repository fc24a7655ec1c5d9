import { makeUrn } from '@cairn/addresses';
import { Asset, ResourceReference, UNKNOWN, secret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { valueKey } from './value-key.js';

const urn = makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name: 'res' });

test.each<[string, PropertyValue, string]>([
  ['null', null, 'null'],
  ['true', true, 'true'],
  ['a text that looks like another value', 'true', '"true"'],
  ['a number', 1.5, '1.5'],
  ['no number', Number.NaN, 'NaN'],
  ['a list', [1, null, 'a'], '[1,null,"a"]'],
  ['an object, by sorted keys', { b: 1, a: [true] }, '{"a":[true],"b":1}'],
  ['a secret, as its value', secret({ a: secret('x') }), '{"a":"x"}'],
  ['a resource, by its URN', new ResourceReference({ urn, id: 'i' }), `<${urn}>`],
  ['a file, by its kind', new Asset({ path: 'a.txt' }), '<asset>'],
  ['what is not known, by its kind', UNKNOWN, '<unknown>'],
])('the key of %s', (_title, value, key) => {
  expect(valueKey(value)).toBe(key);
});
