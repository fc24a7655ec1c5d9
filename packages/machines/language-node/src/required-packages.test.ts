import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requiredPackage, findRequiredPackages } from './required-packages.js';

test.each([
  [
    'a first-party package',
    { name: '@pulumi/aws', version: '6.1.0', pulumi: { resource: true } },
    { name: 'aws', version: '6.1.0', server: '' },
  ],
  [
    'a third-party package',
    {
      name: '@x/thing',
      version: '1.0.0',
      pulumi: { resource: true, name: 'thing', version: 'v2.0.0', server: 'https://x' },
    },
    { name: 'thing', version: '2.0.0', server: 'https://x' },
  ],
  [
    'a parameterized package',
    {
      name: '@x/p',
      version: '1.0.0',
      pulumi: {
        resource: true,
        name: 'base',
        version: '3.0.0',
        parameterization: { name: 'p', version: '4.0.0', value: 'aGk=' },
      },
    },
    {
      name: 'base',
      version: '3.0.0',
      server: '',
      parameterization: { name: 'p', version: '4.0.0', value: Buffer.from('hi') },
    },
  ],
  [
    'an extension of a package',
    {
      name: '@x/p',
      version: '4.0.0',
      pulumi: {
        ...{ resource: true, name: 'base', version: '3.0.0' },
        extensionParameterization: { name: 'p', version: '4.0.0', value: 'aGk=' },
      },
    },
    {
      ...{ name: 'base', version: '3.0.0', server: '' },
      extension: { name: 'p', version: '4.0.0', value: Buffer.from('hi') },
    },
  ],
])('%s [PRG-2]', (_, manifest, expected) => {
  expect(requiredPackage(JSON.stringify(manifest))).toEqual({
    ...{ parameterization: undefined, extension: undefined },
    ...expected,
  });
});

test.each([
  ['the SDK', '{"name":"@pulumi/pulumi","pulumi":{"comment":"x"}}'],
  ['a third-party package that does not say its name', '{"name":"@x/thing","pulumi":{"resource":true}}'],
  ['a package of no provider', '{"name":"@pulumi/aws","pulumi":{"resource":false}}'],
  ['a package that only mentions the word', '{"name":"a","keywords":["pulumi"]}'],
  ['a damaged package.json', '{"pulumi":'],
  ['something else', '["pulumi"]'],
])('%s asks for nothing [PRG-2]', (_, text) => expect(requiredPackage(text)).toBeUndefined());

test('nested, scoped, linked and hoisted packages are found once each [PRG-2]', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-required-')));
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const asks = (name: string) => `{"name":"@pulumi/${name}","version":"1.0.0","pulumi":{"resource":true}}`;
  await put('project/package.json', '{"dependencies":{"@pulumi/hoisted":"*"}}');
  await put('project/node_modules/@pulumi/scoped/package.json', asks('scoped'));
  await put('project/node_modules/a/package.json', '{}');
  await put('project/node_modules/a/node_modules/@pulumi/nested/package.json', asks('nested'));
  await put('linked/package.json', asks('linked'));
  await symlink(join(root, 'linked'), join(root, 'project/node_modules/linked'));
  await symlink(join(root, 'linked'), join(root, 'project/node_modules/again'));
  const extension = '"extensionParameterization":{"name":"more","version":"2.0.0","value":"aGk="}';
  const more = `{"name":"more","pulumi":{"resource":true,"name":"scoped","version":"1.0.0",${extension}}}`;
  await put('project/node_modules/more/package.json', more);
  await put('node_modules/@pulumi/hoisted/package.json', asks('hoisted'));
  await put('node_modules/@pulumi/stranger/package.json', asks('stranger'));
  const programDirectory = join(root, 'project');
  const found = await findRequiredPackages({
    rootDirectory: root,
    programDirectory,
    entryPoint: '.',
    options: {},
  });
  expect(found.map(({ name, extension: of }) => of?.name ?? name).sort()).toEqual([
    ...['hoisted', 'linked', 'more', 'nested', 'scoped'],
  ]);
  await rm(root, { recursive: true });
});
