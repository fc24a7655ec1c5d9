import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { record } from '@cairn/tfplugin';
import type { ProcessScript } from '@cairn/testkit/terraform';
import { build } from 'esbuild';
import { TerraformClient, startProvider } from '../src/index.js';
import type { RunningProvider } from '../src/index.js';
import { causesOf, codeOf } from './start-scripted.js';

let box: string;
const running: RunningProvider[] = [];

beforeAll(async () => {
  box = await mkdtemp(path.join(tmpdir(), 'hostile-'));
  const contents = `
    import { serveProvider } from '@cairn/testkit/terraform';
    import { readFileSync } from 'node:fs';
    await serveProvider(JSON.parse(readFileSync(process.env.HOSTILE, 'utf8')));`;
  await build({
    stdin: { contents, resolveDir: __dirname },
    ...{ outfile: path.join(box, 'provider.mjs'), bundle: true, platform: 'node', format: 'esm' },
    conditions: ['cairn-src'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  });
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.stop()));
});

afterAll(() => rm(box, { recursive: true, force: true }));

const DEFINITION: ProcessScript = {
  resources: { acme_thing: { schema: { id: ['C', 'string'], name: ['O', 'string'] } } },
};
const SUBJECT = { type: 'acme_thing', address: 'acme_thing.a' };
const config = record([
  ['id', null],
  ['name', 'a'],
]);

/** Starts a provider in a process of its own that behaves as the script says. */
async function start(script: ProcessScript): Promise<RunningProvider> {
  const file = path.join(box, 'script.json');
  await writeFile(file, JSON.stringify({ ...DEFINITION, ...script }));
  const provider = await startProvider({
    name: 'acme/thing',
    executable: process.execPath,
    args: [path.join(box, 'provider.mjs')],
    cwd: box,
    env: { ...process.env, HOSTILE: file },
    onLog: () => {},
    limits: { handshakeMs: 20_000, firstCallMs: 20_000 },
  });
  running.push(provider);
  return provider;
}

async function connected(script: ProcessScript) {
  const provider = await start(script);
  const client = await TerraformClient.connect({ name: 'acme/thing', ...provider });
  return { provider, client };
}

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([5, 6] as const)('a well-behaved provider of protocol %i makes an object', async (protocol) => {
  const { provider, client } = await connected({ protocol });
  const planned = await client.plan(SUBJECT, { config });
  const { state, failure } = await client.apply(SUBJECT, planned);
  expect(failure).toBeUndefined();
  expect(state?.value).toMatchObject({ name: 'a' });
  await provider.stop();
  expect(provider.ended()).toBe('exit code 0');
});

test('a crash during a plan is told with what it wrote, and nothing more is called', async () => {
  const rules = [{ call: 'planResourceChange', fault: 'crash', text: 'nil pointer' }] as const;
  const { client } = await connected({ rules });
  const error = await thrown(client.plan(SUBJECT, { config }));
  expect(codeOf(error)).toBe('CAIRN-PLUGIN-DIED');
  expect(String(error)).toMatch(/ended with exit code 2 during PlanResourceChange/);
  expect(causesOf(error)).toMatch(/panic: nil pointer\n[^]*goroutine 1/);
  const next = await thrown(client.plan(SUBJECT, { config }));
  expect(String(next)).toMatch(/has ended with exit code 2: .* is not called/);
});

test.each(['before', 'after'] as const)(
  'a crash %s the effect of an apply leaves it in doubt',
  async (when) => {
    const rules = [{ call: 'applyResourceChange', fault: 'crash', when }] as const;
    const { client } = await connected({ rules });
    const planned = await client.plan(SUBJECT, { config });
    const error = await thrown(client.apply(SUBJECT, planned));
    expect(error).toMatchObject({ name: 'PluginDiedError', code: 'UNKNOWN' });
  },
);

test('a call that hangs ends with its process', async () => {
  const rules = [{ call: 'planResourceChange', fault: 'hang' }] as const;
  const { provider, client } = await connected({ rules });
  const hanging = thrown(client.plan(SUBJECT, { config }));
  await provider.cancel();
  await provider.stop();
  expect(codeOf(await hanging)).toBe('CAIRN-PLUGIN-DIED');
});

test.each([
  ['garbage on stdout', { line: 'hello\n' }, /"hello" where its address was expected/],
  ['a wrong cookie', { refusesCookie: true }, /exit code 1/],
  ['a wrong version', { version: 4 }, /version 4 of the protocol; 6 and 5 are supported/],
  ['the certificate of another', { certificate: 'other' }, /cannot connect to it/],
  ['no certificate', { certificate: 'none' }, /sent no certificate/],
] as const)('%s is the reason why it has not started [TFP-8]', async (_, how, why) => {
  const error = await thrown(start({ start: how }));
  expect(codeOf(error)).toBe('CAIRN-PLUGIN-START');
  expect(causesOf(error)).toMatch(why);
});

test('a schema of 100 MB is loaded, and its types are there', async () => {
  const { client } = await connected({ padding: { types: 1000, bytes: 100 * 1024 * 1024 } });
  const { resources } = client.schema;
  expect(resources.names).toHaveLength(1001);
  const padded = resources.get(resources.names.find((name) => name !== 'acme_thing') as string);
  expect(padded?.block.attributes.size).toBeGreaterThan(0);
  expect(resources.get('acme_thing')?.block.attributes.size).toBe(2);
});

test('64 calls beside each other get their own answers', async () => {
  const { client } = await connected({});
  const made = Array.from({ length: 64 }, async (_item, at) => {
    const subject = { ...SUBJECT, address: `acme_thing.${at}` };
    const named = record([
      ['id', null],
      ['name', `n${at}`],
    ]);
    const { state } = await client.apply(subject, await client.plan(subject, { config: named }));
    return (state?.value as { readonly name?: string } | undefined)?.name;
  });
  expect(await Promise.all(made)).toEqual(Array.from({ length: 64 }, (_item, at) => `n${at}`));
});
