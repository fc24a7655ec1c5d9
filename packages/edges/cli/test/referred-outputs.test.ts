import type { Diagnostic } from '@cairn/diagnostics';
import { readUntypedDeployment } from '@cairn/state';
import { secret } from '@cairn/values';
import type { OpenStack } from '@cairn/operations/stacks';
import { referredOutputs } from '@cairn/operations';
import { cliBox } from './cli-box.js';
import type { CliBox } from './cli-box.js';

const SECRET = '1b47061264138c4ac30d75fd1eb44270';
const KEY = '4dabf18193072939515e22adb298388d';
const ROOT = {
  urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev',
  custom: false,
  type: 'pulumi:pulumi:Stack',
  outputs: { url: 'x', key: { [KEY]: SECRET, plaintext: '"hush"' } },
};

let box: CliBox;
let exported: string;
beforeAll(async () => {
  box = cliBox();
  await box.ok(['stack', 'init', 'dev']);
  const manifest = { time: '2030-01-01T00:00:00Z', magic: '', version: '' };
  box.write('state.json', JSON.stringify({ version: 3, deployment: { manifest, resources: [ROOT] } }));
  await box.ok(['stack', 'import', '--file', 'state.json', '--force']);
  exported = (await box.ok(['stack', 'export'])).stdout;
});
afterAll(() => box.remove());

async function referred(env: Readonly<Record<string, string>>) {
  const { deployment } = readUntypedDeployment(exported, 'an export');
  const backend = { readRoot: () => Promise.resolve(deployment) };
  const ports = { env: { HOME: box.directory, ...env }, interaction: {} };
  const stack = { ports, backend, id: { project: 'shop', stack: 'prod' } } as unknown as OpenStack;
  const warnings: Diagnostic[] = [];
  const found = await referredOutputs(stack, 'dev', (warning) => warnings.push(warning));
  return { ...found, warnings };
}

test('whoever has the passphrase gets the secrets', async () => {
  expect(await referred({ CAIRN_CONFIG_PASSPHRASE: 'p' })).toEqual({
    outputs: { url: 'x', key: secret('hush') },
    secretNames: ['key'],
    warnings: [],
  });
});

test.each([
  ['none', {}, 'passphrase'],
  ['a wrong one', { CAIRN_CONFIG_PASSPHRASE: 'q' }, 'incorrect passphrase'],
])('with %s, what is not secret is there, secrets are {}, and a warning says so', async (_, env, cause) => {
  const { outputs, secretNames, warnings } = await referred(env);
  expect({ outputs, secretNames }).toEqual({
    outputs: { url: 'x', key: secret({}) },
    secretNames: ['key'],
  });
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({
    severity: 'warning',
    summary: 'cannot open one secret in the outputs of stack dev: the program gets {} instead',
  });
  expect(warnings[0]?.causes?.join()).toContain(cause);
});
