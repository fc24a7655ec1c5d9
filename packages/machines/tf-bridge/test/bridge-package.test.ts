import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { propertyMap, secret, UNKNOWN } from '@cairn/values';
import { createBridge, parameterBytes, readParameter } from '../src/index.js';
import { Bridged } from './bridged.js';

const map = propertyMap;
const args = (...given: string[]) => ({ parameters: { kind: 'args', args: given } }) as const;

function directory(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'bridge-'));
  writeFileSync(path.join(made, 'terraform-provider-boxes_v1.4.0'), '', { mode: 0o755 });
  writeFileSync(path.join(made, 'terraform-provider-plain'), '', { mode: 0o755 });
  writeFileSync(
    path.join(made, 'mapping.json'),
    '{"resources":{"boxes_box":{"token":"boxes:index/crate:Crate"}}}',
  );
  return made;
}

test('a path becomes a package of its name and version; names and versions can be given [TFB-1]', async () => {
  const bridge = createBridge({ cwd: directory(), env: {} });
  const asked = (...given: string[]) => bridge.parameterize(args(...given));
  expect(await asked('./terraform-provider-boxes_v1.4.0')).toEqual({ name: 'boxes', version: '1.4.0' });
  expect(await asked('./terraform-provider-plain')).toEqual({ name: 'plain', version: '0.0.0' });
  expect(await asked('./terraform-provider-plain', '2.0.0', '--name', 'crates')).toEqual({
    name: 'crates',
    version: '2.0.0',
  });
});

test('a path counts from the folder of the project, wherever the program is [TFB-1]', async () => {
  const [project, elsewhere] = [directory(), mkdtempSync(path.join(tmpdir(), 'bridge-'))];
  const asked = async (rootDirectory: string, programDirectory: string) => {
    const bridge = createBridge({ cwd: '/', env: {} });
    await bridge.handshake({ engineAddress: '', rootDirectory, programDirectory });
    return bridge.parameterize(args('./terraform-provider-plain'));
  };
  expect(await asked(project, elsewhere)).toEqual({ name: 'plain', version: '0.0.0' });
  await expect(asked(elsewhere, project)).rejects.toThrow(/terraform-provider-plain/);
});

test.each([
  [[], 'the provider is missing'],
  [['a', '1', 'b'], 'b is unexpected'],
  [['./x', '--nme', 'x'], 'there is no option --nme'],
  [['./x', '--name'], '--name needs a value'],
  [['./x', '--mapping', 'nowhere.json'], 'cannot read the mapping'],
  [['./nowhere'], 'nothing is there'],
  [['a/b/c/d'], 'a/b/c/d'],
])('parameters %j are refused: %s [TFB-1]', async (given, why) => {
  const bridge = createBridge({ cwd: directory(), env: {} });
  const error = await bridge.parameterize(args(...given)).catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error) + String(error)).toContain(why);
});

test('a parameter carries all that makes the package, and reads back [TFB-1]', () => {
  const parameter = {
    source: 'registry.opentofu.org/acme/boxes',
    path: undefined,
    version: '1.2.3',
    name: 'crates',
    include: ['boxes_*'],
    exclude: ['boxes_lid'],
    mapping: '{"resources":{}}',
  };
  expect(readParameter(parameterBytes(parameter))).toEqual(parameter);
  expect(() => readParameter(Buffer.from('{"name":"x"}'))).toThrow(/not exactly one provider/);
  expect(() => readParameter(Buffer.from('{'))).toThrow(/is not JSON/);
});

test.each([
  [
    { remote: { url: 'registry.opentofu.org/acme/boxes', version: '1.2.3' }, includes: ['boxes_box'] },
    { source: 'registry.opentofu.org/acme/boxes', version: '1.2.3', include: ['boxes_box'] },
  ],
  [{ local: { path: './terraform-provider-boxes' } }, { path: './terraform-provider-boxes' }],
])('parameters of the other plugin of this name are read: %j [TFB-1]', (given, expected) => {
  const bytes = Buffer.from(JSON.stringify(given));
  expect(readParameter(bytes, 'boxes')).toEqual({ name: 'boxes', ...expected });
  expect(() => readParameter(bytes)).toThrow(/has no name/);
  const both = { remote: { url: 'a/b', version: '1.0.0' }, local: { path: './x' } };
  expect(() => readParameter(Buffer.from(JSON.stringify(both)), 'boxes')).toThrow(/not exactly one provider/);
});

test('the schema of the package carries its parameter; without one there is nothing to ask [TFB-1]', async () => {
  const boxes = await Bridged.start();
  const schema = JSON.parse(await boxes.bridge.getSchema({ version: 0 })) as {
    readonly name: string;
    readonly resources: object;
    readonly parameterization: { readonly baseProvider: object; readonly parameter: string };
  };
  expect(schema.name).toBe('boxes');
  expect(Object.keys(schema.resources)).toEqual([
    'boxes:index/box:Box',
    'boxes:index/lid:Lid',
    'boxes:index/shelf:Shelf',
  ]);
  const { baseProvider, parameter } = schema.parameterization;
  expect(baseProvider).toMatchObject({ name: 'terraform-provider' });
  expect(readParameter(Buffer.from(parameter, 'base64'))).toMatchObject({
    source: 'acme/boxes',
    name: 'boxes',
  });
  const none = createBridge({ cwd: '/', env: {} });
  await expect(none.invoke({ token: 'x:index:y', args: map({}), preview: false })).rejects.toThrow(
    /needs the Terraform provider as a parameter/,
  );
});

test('the configuration is checked and given as values of its types; a change of it replaces nothing', async () => {
  const boxes = await Bridged.start();
  const me = {
    urn: 'urn:pulumi:s::p::pulumi:providers:boxes::x' as never,
    name: 'x',
    type: 'pulumi:providers:boxes',
  };
  const checked = await boxes.bridge.checkConfig({
    ...me,
    olds: undefined,
    news: map({ token: 't', version: '1' }),
  });
  expect(checked).toEqual({ inputs: { token: secret('t'), version: '1' }, failures: [] });
  const refused = await boxes.bridge.checkConfig({ ...me, olds: undefined, news: map({ tken: 't' }) });
  expect(refused.failures).toMatchObject([{ property: 'tken' }]);
  await boxes.bridge.configure({
    ...me,
    id: 'i',
    inputs: map({ token: secret('t'), directory: '/d', version: '1' }),
  });
  expect(boxes.scripted.requests('configureProvider').at(-1)).toMatchObject({
    terraformVersion: '1.11.4',
    config: { token: 't', directory: '/d' },
    clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
  });
  const diff = { ...me, oldInputs: map({ token: 'a' }), oldOutputs: map({}), ignoreChanges: [] };
  expect(await boxes.bridge.diffConfig({ ...diff, news: map({ token: 'b' }) })).toMatchObject({
    changes: 'some',
    replaceKeys: [],
  });
  expect(await boxes.bridge.diffConfig({ ...diff, news: map({ token: 'a' }) })).toMatchObject({
    changes: 'none',
  });
});

test('data sources and functions answer; failures name the argument [TFB-10]', async () => {
  const boxes = await Bridged.start();
  await boxes.made(map({ name: 'n' }));
  const ask = (token: string, given: object) =>
    boxes.bridge.invoke({ token: `boxes:index/${token}`, args: map(given as never), preview: false });
  expect(await ask('getCount:getCount', { type: 'boxes_box' })).toEqual({
    result: map({ ids: ['boxes_box-1'], number: 1, type: 'boxes_box' }),
    failures: [],
  });
  expect((await ask('getCount:getCount', {})).failures).toEqual([
    { property: 'type', reason: 'is required' },
  ]);
  expect((await ask('label:label', { prefix: 'a', parts: ['b', 'c'] })).result).toEqual({ result: 'a-b-c' });
  expect((await ask('label:label', { prefix: 'a' })).failures).toMatchObject([
    { reason: 'label needs at least one part' },
  ]);
  expect((await ask('label:label', { parts: ['b'] })).failures).toMatchObject([{ property: 'prefix' }]);
  expect(boxes.count('callFunction')).toBe(2);
  // A call with an unknown argument is not sent [TFC-35].
  expect((await ask('label:label', { prefix: UNKNOWN, parts: ['b'] })).result).toEqual({ result: UNKNOWN });
  expect((await ask('label:label', { prefix: null, parts: ['b'] })).failures).toEqual([
    { property: 'prefix', reason: 'the argument prefix must not be null' },
  ]);
  expect(boxes.count('callFunction')).toBe(2);
});

test('an ephemeral resource is secret, renewed while it is open, and closed at the end [TFB-10]', async () => {
  const boxes = await Bridged.start();
  const { result } = await boxes.bridge.invoke({
    token: 'boxes:index/openPass:openPass',
    args: map({ owner: 'o' }),
    preview: false,
  });
  expect(result).toMatchObject({ owner: secret('o') });
  while (!boxes.effects().includes('renew boxes_pass-1'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  await boxes.bridge.close();
  expect(boxes.effects().at(0)).toBe('open boxes_pass-1');
  expect(boxes.effects().at(-1)).toBe('close boxes_pass-1');
  expect(boxes.stops).toBe(1);
});

test.each([
  [{}, { TF_LOG_SDK: 'error', TF_LOG_PROVIDER: 'error' }],
  [
    { TF_LOG: 'off', TF_LOG_SDK: 'trace' },
    { TF_LOG_SDK: 'trace', TF_LOG_PROVIDER: 'error' },
  ],
  [{ TF_LOG: 'debug' }, { TF_LOG: 'debug', TF_LOG_SDK: undefined }],
])('with %j a provider is told how much to write: %j [TFB-11]', async (env, told) => {
  const made = directory();
  const file = path.join(made, 'environment.json');
  const script = `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env));`;
  writeFileSync(path.join(made, 'terraform-provider-plain'), script, { mode: 0o755 });
  const bridge = createBridge({ cwd: made, env });
  await bridge.parameterize(args('./terraform-provider-plain'));
  await expect(bridge.getSchema({ version: 0 })).rejects.toThrow(/cannot start the Terraform provider plain/);
  const seen = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
  for (const [name, level] of Object.entries(told)) expect(seen[name]).toBe(level);
});
