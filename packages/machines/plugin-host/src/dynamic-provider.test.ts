import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asUrn } from '@cairn/addresses';
import { isCairnError } from '@cairn/diagnostics';
import { propertyMap } from '@cairn/values';
import { createPluginHost } from './index.js';
import type { PluginHost, PluginMessage } from './index.js';

const SDK = resolve(__dirname, '../../../../node_modules/@pulumi/pulumi');
const type = 'pulumi-nodejs:dynamic:Resource';
const urn = asUrn(`urn:pulumi:dev::proj::${type}::one`);

let root: string;
let host: PluginHost;
let messages: PluginMessage[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-dynamic-')));
  messages = [];
  host = createPluginHost({
    rootDirectory: root,
    programDirectory: root,
    project: 'proj',
    engineAddress: '127.0.0.1:1',
    config: { 'pulumi-nodejs:key': 'value', 'proj:other': 'x' },
    runtimeOptions: {},
    projectPlugins: [],
    projectPackages: {},
    packageRoots: [],
    bundledDirectories: [],
    environment: {
      PATH: process.env['PATH'],
      CAIRN_HOME: join(root, 'home'),
      PULUMI_HOME: join(root, 'home'),
    },
    languageHost: () => undefined,
    onMessage: (message) => messages.push(message),
  });
});
afterEach(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});

const load = () =>
  host.load({
    package: 'pulumi-nodejs',
    version: undefined,
    downloadUrl: undefined,
    checksums: {},
    parameterization: undefined,
    envVarMappings: {},
    neededBy: urn,
  });

/** Dynamic provider as the SDK serialises it. */
const SERIALISED = `exports.handler = () => ({
  create: async (inputs) => {
    console.log('making one in ' + process.cwd());
    return { id: 'made', outs: { size: inputs.size, env: [process.env.PULUMI_CONFIG, process.env.PULUMI_NODEJS_PROJECT] } };
  },
});`;

test("the provider of the program's own SDK creates with the serialised code, in the program's directory [PROV-19]", async () => {
  await mkdir(join(root, 'node_modules', '@pulumi'), { recursive: true });
  await symlink(SDK, join(root, 'node_modules', '@pulumi', 'pulumi'));
  const provider = await load();
  await provider.configure({ urn, name: 'one', type, id: 'x', inputs: propertyMap({}) });
  const made = await provider.create({
    urn,
    name: 'one',
    type,
    inputs: propertyMap({ size: 3, __provider: SERIALISED }),
    timeoutSeconds: 0,
    preview: false,
  });
  expect(made).toMatchObject({ id: 'made', outputs: { size: 3, env: ['{"key":"value"}', 'proj'] } });
  await provider.close();
  expect(messages).toContainEqual(
    expect.objectContaining({ severity: 'info', text: `making one in ${root}` }),
  );
  expect(messages.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a program without the SDK is told what to install', async () => {
  const error: unknown = await load().catch((thrown: unknown) => thrown);
  expect(isCairnError(error) && error.diagnostics[0]).toMatchObject({
    code: 'CAIRN-PLUGIN-NOT-FOUND',
    urn,
    hint: `Run \`npm install\` in ${root}.`,
  });
});
