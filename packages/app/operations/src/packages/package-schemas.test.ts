import { schemasOfPackage } from './package-schemas.js';

const asked: string[] = [];
const loader = schemasOfPackage({
  ...{ name: 'shop', schema: '"of shop"', base: { name: 'maker' } },
  schemaOf: async (name, version) => {
    asked.push(`${name}@${version}`);
    if (name === 'lost') throw new Error('there is no plugin lost');
    return `"of ${name}"`;
  },
});
const request = { version: '', downloadUrl: '', parameterization: undefined };

test.each([
  ['the package itself', 'shop', '"of shop"'],
  ['the plugin that it is made of', 'maker', '"of shop"'],
  ['a package that it refers to', 'random', '"of random"'],
])('a generator is told the schema of %s', async (_, name, schema) => {
  expect(await loader.getSchema({ ...request, package: name })).toBe(schema);
});

test('plugins of other packages are asked once for each version', async () => {
  asked.length = 0;
  for (const version of ['1.0.0', '1.0.0', '2.0.0'])
    await loader.getSchema({ ...request, package: 'tls', version });
  expect(asked).toEqual(['tls@1.0.0', 'tls@2.0.0']);
});

test('what cannot be had is said, with why', async () => {
  await expect(loader.getSchema({ ...request, package: 'lost' })).rejects.toThrow(
    'no schema of lost: there is no plugin lost',
  );
  const parameterization = { name: 'net', version: '1.0.0', value: new Uint8Array() };
  await expect(loader.getSchema({ ...request, package: 'maker2', parameterization })).rejects.toThrow(
    'no schema of net, made of maker2',
  );
});
