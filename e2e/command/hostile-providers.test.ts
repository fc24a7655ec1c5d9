import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** A plugin that does one thing wrong, which a variable names. */
const PLUGIN = `#!/usr/bin/env node
(async () => {
  const fault = process.env.FAULT;
  if (fault === 'ends at once') { console.error('no licence was found'); process.exit(3); }
  if (fault === 'says no port') { console.log('hello'); return setInterval(() => {}, 1000); }
  if (fault === 'says the port of nobody') { console.log('1'); return setInterval(() => {}, 1000); }
  if (fault === 'says a port too high') { console.log('99999'); return setInterval(() => {}, 1000); }
  const { providerService } = await import('@cairn/wire/provider-server');
  const { startServer } = await import('@cairn/wire/server');
  const { UNKNOWN } = await import('@cairn/values');
  const { InputPropertiesError, MissingConfigError } = await import('@cairn/wire');
  const { Unknown } = await import('@cairn/values');
  const can = { acceptSecrets: true, acceptResources: true, acceptOutputs: true, supportsPreview: false, supportsAutonaming: false };
  const fails = (call, work) => async (request) => {
    if (fault === call + ' throws') throw new Error('the ' + call + ' went wrong');
    if (fault === call + ' dies') { console.error('out of memory in ' + call); process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}); }
    return work(request);
  };
  const provider = {
    handshake: fails('handshake', async () => can),
    getPluginInfo: fails('info', async () => ({ version: '1.0.0' })),
    parameterize: fails('parameterize', async ({ parameters: { name, version } }) => ({ name: fault === 'becomes another' ? 'stranger' : name, version })),
    checkConfig: fails('settings', async ({ news }) => ({ inputs: fault === 'settings changes its version' ? { ...news, version: '9.9.9' } : news, failures: fault === 'settings refused' ? [{ property: 'region', reason: 'is required' }] : [] })),
    diffConfig: async () => ({ changes: 'none', replaceKeys: [], changedKeys: [], stableKeys: [], detailedDiff: undefined, deleteBeforeReplace: false }),
    configure: fails('configure', async () => {
      if (fault !== 'configure misses') return can;
      const missing = [{ name: 'region', description: 'Where it all is.' }, { name: 'odd:token', description: 'Who asks.' }];
      throw new MissingConfigError(missing, 'incomplete');
    }),
    check: fails('check', async ({ news }) => ({ inputs: fault === 'check leaves open' ? { name: UNKNOWN } : fault === 'check answers nothing' ? undefined : news, failures: fault === 'check refuses' ? [{ property: 'name', reason: 'is taken' }] : [] })),
    diff: fails('diff', async () => ({ changes: 'some', replaceKeys: [], changedKeys: ['name'], stableKeys: [], detailedDiff: undefined, deleteBeforeReplace: false })),
    create: fails('create', async ({ inputs }) => {
      const outputs = {
        'create answers what nobody knows': { ...inputs, key: new Unknown() },
        'create answers what nobody knows inside': { ...inputs, deep: { list: [1, new Unknown()] } },
        'create answers an unknown kind of value': { ...inputs, key: { '4dabf18193072939515e22adb298388d': 'no kind', value: 1 } },
      };
      if (fault === 'writes without end') for (let line = 0; line < 20000; line += 1) console.log('noise '.repeat(50));
      return { id: fault === 'no id' ? '' : 'made', outputs: outputs[fault] ?? inputs, refreshBeforeUpdate: false };
    }),
    invoke: fails('function', async () => ({ result: {}, failures: fault === 'function refuses' ? [{ property: 'of', reason: 'is too long' }] : [] })),
    update: fails('update', async ({ news }) => ({ outputs: news, refreshBeforeUpdate: false })),
    delete: fails('delete', async () => undefined),
    cancel: fault === 'ignores everything' ? () => new Promise(() => {}) : async () => undefined,
    close: async () => undefined,
  };
  if (fault === 'ignores everything') process.on('SIGINT', () => {});
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();
`;

const program = (name: string): string => `
import { CustomResource } from '@cairn/sdk';
import { RandomPet } from '@cairn/provider-random';
new RandomPet('pet', { length: 1 });
new CustomResource('odd:index:Host', 'web', { name: '${name}' }, { version: '1.0.0' });
`;

let box: Sandbox;
beforeEach(async () => {
  box = sandbox({
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: odd\n      path: plugin\n',
    'index.ts': program('one'),
    'plugin/package.json': '{}',
    'plugin/pulumi-resource-odd': PLUGIN,
  });
  chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-odd'), 0o755);
  giveStack(box);
});
afterEach(() => box.remove());

const up = (fault: string) => box.cairn(['up', '--yes', '--skip-preview'], { env: { FAULT: fault } });
const processes = (): readonly string[] =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(box.directory));

interface Deployment {
  readonly resources?: readonly { readonly urn: string; readonly inputs?: object }[];
  readonly pending_operations?: readonly {
    readonly type: string;
    readonly resource: { readonly urn: string };
  }[];
}
const stored = async (): Promise<Deployment> =>
  (JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout) as { deployment: Deployment })
    .deployment;
const web = ({ resources = [] }: Deployment) => resources.find(({ urn }) => urn.endsWith('::web'));

test.each([
  ['ends at once', /cannot start the provider plugin odd[^]*exit code 3[^]*no licence was found/],
  ['says no port', /cannot start the provider plugin odd[^]*it wrote "hello" where its port was expected/],
  ['says a port too high', /cannot start the provider plugin odd[^]*"99999"/],
  ['handshake throws', /cannot start the provider plugin odd[^]*the handshake went wrong/],
  ['handshake dies', /plugin odd[^]*out of memory in handshake/],
  ['info throws', /cannot start the provider plugin odd[^]*the info went wrong/],
  ['settings throws', /odd[^]*the settings went wrong/],
  ['settings refused', /odd[^]*region[^]*is required/],
  ['configure throws', /odd[^]*the configure went wrong/],
  [
    'configure misses',
    /index\.ts:5:1  [^]*missing required configuration key "region": Where it all is\.\n[^]*config set odd:region <value>[^]*missing required configuration key "odd:token": Who asks\.\n[^]*config set odd:token <value>/,
  ],
  [
    'settings changes its version',
    /index\.ts:5:1  [^]*provider default_1_0_0 attempted to change version from 1\.0\.0 to 9\.9\.9/,
  ],
  [
    'check leaves open',
    /index\.ts:5:1  [^]*provider "odd" returned an invalid answer to check of odd:index:Host: "name" is not known/,
  ],
  [
    'check answers nothing',
    /index\.ts:5:1  [^]*provider "odd" returned an invalid answer to check of odd:index:Host/,
  ],
  ['check throws', /odd:index:Host[^]*the check went wrong/],
  ['check refuses', /odd:index:Host[^]*name[^]*is taken/],
  ['check dies', /odd[^]*out of memory in check/],
  ['no id', /odd[^]*it has no id/],
  ['says the port of nobody', /cannot start the provider plugin odd/],
  [
    'create answers what nobody knows',
    /index\.ts:5:1  [^]*provider "odd" returned an invalid answer to create of odd:index:Host: property key: the value is not known yet[^]*::web\n/,
  ],
  [
    'create answers what nobody knows inside',
    /provider "odd" returned an invalid answer to create of odd:index:Host: property deep\.list\[1\]: the value is not known yet[^]*::web\n/,
  ],
  ['create answers an unknown kind of value', /odd[^]*key/],
])('a provider of which %s: named, nothing of it stored, no process left', async (fault, message) => {
  const { code, text } = await up(fault);
  expect(code).not.toBe(0);
  expect(text).toMatch(message);
  expect(text).not.toContain('internal error');
  expect(processes()).toEqual([]);
  expect(web(await stored())).toBeUndefined();
});

test.each([
  ['create', 'one', ['creating']],
  ['update', 'two', ['updating']],
  ['delete', undefined, ['deleting']],
])(
  'a provider that dies in its %s leaves the step in doubt, and the object as it was',
  async (call, name, pending) => {
    if (call !== 'create') expectOk(await up(''));
    const before = web(await stored());
    box.write('index.ts', name === undefined ? 'export {};' : program(name));
    const { code, text } = await up(`${call} dies`);
    expect(code).not.toBe(0);
    expect(text).toMatch(new RegExp(`odd[^]*out of memory in ${call}`));
    expect(processes()).toEqual([]);
    const after = await stored();
    expect(web(after)?.inputs).toEqual(before?.inputs);
    expect(after.pending_operations?.map(({ type }) => type)).toEqual(pending);
  },
);

test.each(['diff', 'update', 'delete'])(
  'a provider whose %s fails: the object stays as it was, and the next update goes on',
  async (call) => {
    expectOk(await up(''));
    box.write('index.ts', call === 'delete' ? 'export {};' : program('two'));
    const { code, text } = await up(`${call} throws`);
    expect(code).not.toBe(0);
    expect(text).toMatch(new RegExp(`odd:index:Host[^]*the ${call} went wrong`));
    expect(web(await stored())?.inputs).toEqual({ name: 'one' });
    expectOk(await up(''));
    expect(web(await stored())?.inputs).toEqual(call === 'delete' ? undefined : { name: 'two' });
    expect(processes()).toEqual([]);
  },
);

test('a provider that writes without end after its port is used all the same', async () => {
  const { code, text } = await up('writes without end');
  expect({ code, noise: text.includes('noise noise') }).toEqual({ code: 0, noise: false });
  expect(web(await stored())?.inputs).toEqual({ name: 'one' });
  expect(processes()).toEqual([]);
});

test.each([
  ['function throws', 'await ', /odd:index:ask[^]*the function went wrong/],
  ['function throws', '', /odd:index:ask[^]*the function went wrong/],
  ['function refuses', 'await ', /odd:index:ask[^]*of[^]*is too long/],
  ['function dies', 'await ', /odd[^]*out of memory in function/],
])(
  'a provider whose %s: the program that asks by "%sinvoke(…)" fails and names it',
  async (fault, waits, message) => {
    box.write(
      'index.ts',
      `import { invoke } from '@cairn/sdk';\n${waits}invoke('odd:index:ask', { of: 'it' });\n`,
    );
    const { code, text } = await up(fault);
    expect(code).not.toBe(0);
    expect(text).toMatch(message);
    expect(text).not.toContain('internal error');
    expect(processes()).toEqual([]);
  },
);

test.each([
  [
    'that it is to become',
    false,
    'becomes another',
    /index\.ts:3:1  [^]*the plugin odd became the package stranger instead of fan[^]*Generate the program's package for fan again/,
  ],
  [
    'that it is to be extended by',
    true,
    'becomes another',
    /index\.ts:3:1  [^]*the provider answered with the package stranger when it was extended by fan[^]*Report it to the author/,
  ],
  [
    'that it is to become',
    false,
    'parameterize throws',
    /index\.ts:3:1  [^]*cannot turn the plugin odd into the package fan[^]*the parameterize went wrong/,
  ],
  [
    'that it is to be extended by',
    true,
    'parameterize throws',
    /index\.ts:3:1  [^]*the provider cannot be extended by the package fan 2\.0\.0[^]*the parameterize went wrong/,
  ],
])(
  'a plugin that is told of the package %s (extension: %s): %s',
  async (_what, extension, fault, message) => {
    const base = { name: 'odd', version: '1.0.0', value: 'e30=', extension };
    const type = extension ? 'odd:index:Host' : 'fan:index:Host';
    box.write(
      'index.ts',
      `import { CustomResource } from '@cairn/sdk';
const options = { [Symbol.for('cairn.sdk.package')]: ${JSON.stringify({ name: 'fan', version: '2.0.0', base })} };
new CustomResource('${type}', 'web', { name: 'one' }, options as object);
`,
    );
    const { code, text } = await up(fault);
    expect(code).not.toBe(0);
    expect(text).toMatch(message);
    expect(text).not.toContain('internal error');
    expect(processes()).toEqual([]);
    expect(web(await stored())).toBeUndefined();
    expectOk(await up(''));
    expect(web(await stored())?.inputs).toEqual({ name: 'one' });
  },
);

test('a provider that ignores cancels and interrupts is ended all the same', async () => {
  const env = { FAULT: 'ignores everything', CAIRN_STOP_GRACE: '0.5' };
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env }));
  expect(processes()).toEqual([]);
});
