import { makeUrn } from '@cairn/addresses';
import { Asset, propertyMap } from '@cairn/values';
import { RefusedRequest } from '../refusal.js';
import { hashedAssets } from './asset-hashes.js';

const urn = makeUrn({ stack: 's', project: 'p', type: 'a:m:T', name: 'a' });

test('inputs without assets, or with every hash, are not waited for', () => {
  expect(hashedAssets(propertyMap({ a: [1, { b: 'c' }] }), urn, '/p')).toBeUndefined();
  expect(hashedAssets(propertyMap({ a: new Asset({ path: 'x', hash: 'h' }) }), urn, '/p')).toBeUndefined();
});

test('LT2-143 a hash that was blanked is computed', async () => {
  const map = propertyMap({ a: new Asset({ text: 'hello world', hash: '' }) });
  expect(await hashedAssets(map, urn, '/p')).toMatchObject({
    a: { text: 'hello world', hash: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' },
  });
});

test('what cannot be read ends with the resource, the property and the directory', async () => {
  const map = propertyMap({ a: new Asset({ path: 'x' }) });
  const error: unknown = await hashedAssets(map, urn, '/no/where')?.catch((refused: unknown) => refused);
  expect(error instanceof RefusedRequest && error.cause.diagnostics).toEqual([
    {
      severity: 'error',
      code: 'CAIRN-RESOURCE-ASSET',
      summary: 'cannot read file "x" of property "a": there is no such file',
      urn,
      hint: `Relative paths count from the program's directory, /no/where.`,
    },
  ]);
});
