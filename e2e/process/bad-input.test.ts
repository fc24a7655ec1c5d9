import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apart } from '../support/apart.js';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function stackWith(files: Record<string, string>): Promise<Sandbox> {
  const box = sandbox(files);
  boxes.push(box);
  giveStack(box);
  return box;
}

/** Expects one clear error: its code, the names in it, no stack trace of ours, and the exit code. */
function expectError(end: Finished, code: string, exit: number, ...parts: (string | RegExp)[]): void {
  const where = `${end.text}\n(exit ${end.code})`;
  expect(where).toContain(`error[${code}]`);
  for (const part of parts) expect(where).toMatch(part);
  expect(where).not.toMatch(/CAIRN-INTERNAL|at .*packages\/(cli|engine|sdk)\//);
  expect(end.code).toBe(exit);
}

const checkpointOf = (box: Sandbox): string => path.join(box.state, '.pulumi', 'stacks', 'shop', 'dev.json');
const up = ['up', '--yes', '--skip-preview'];

describe('the command line', () => {
  test.each([
    [['upp'], /unknown command 'upp'/, /Did you mean up\?/],
    [['up', '--skip-previw'], /unknown option '--skip-previw'/, /Did you mean --skip-preview\?/],
    [['up', '--parallel', 'x'], /--parallel: it takes a whole number/, /"x"/],
  ])('cairn %j', async (words, ...parts) => {
    const box = sandbox({ 'index.ts': '' });
    boxes.push(box);
    expectError(await box.cairn(words), 'CAIRN-USAGE', 2, ...parts);
  });

  test('a command that needs an answer names the flag that gives it', async () => {
    const box = await stackWith({ 'index.ts': '' });
    expectError(await box.cairn(['up']), 'CAIRN-NEEDS-CONFIRMATION', 2, /--yes/);
  });
});

describe('files and stacks', () => {
  test('no project file', async () => {
    const box = sandbox({ 'package.json': '{}' }, { projectFile: false });
    boxes.push(box);
    expectError(await box.cairn(['up', '--yes']), 'CAIRN-PROJECT-MISSING', 2, /Cairn\.yaml/, /cairn new/);
  });

  test('a YAML error names file and line', async () => {
    const box = sandbox({ 'Cairn.yaml': 'name: shop\nruntime: [nodejs\n' });
    boxes.push(box);
    expectError(await box.cairn(['up', '--yes']), 'CAIRN-PROJECT-INVALID', 2, /Cairn\.yaml:\d+:\d+/);
  });

  test('an unknown stack', async () => {
    const box = await stackWith({ 'index.ts': '' });
    expectError(
      await box.cairn([...up, '--stack', 'prod']),
      'CAIRN-STACK-NOT-FOUND',
      6,
      /prod/,
      /cairn stack init prod/,
    );
  });

  test('a wrong passphrase', async () => {
    const box = await stackWith({ 'index.ts': '' });
    expectOk(await box.cairn(['config', 'set', '--secret', 'a'], { input: 'b' }));
    expectError(
      await box.cairn(up, { env: { CAIRN_CONFIG_PASSPHRASE: 'other' } }),
      'CAIRN-PASSPHRASE-WRONG',
      3,
      /CAIRN_CONFIG_PASSPHRASE/,
    );
  });
});

describe('programs', () => {
  test.each<[string, string, string, number, RegExp[]]>([
    [
      'throws',
      `throw new Error('no luck today');`,
      'CAIRN-PROGRAM-FAILED',
      1,
      [/no luck today/, /index\.ts:1/],
    ],
    [
      'rejects',
      `Promise.reject(new Error('rejected softly'));`,
      'CAIRN-PROGRAM-FAILED',
      1,
      [/rejected softly/, /index\.ts:1/],
    ],
    ['calls process.exit', `process.exit(3);`, 'CAIRN-PROGRAM-FAILED', 1, [/exit/, /3/]],
    ['ends as if it had said why', `process.exit(32);`, 'CAIRN-PROGRAM-FAILED', 1, [/reported nothing/]],
    ['does not parse', `const = 1;`, 'CAIRN-PROGRAM-LOAD', 1, [/index\.ts:1:/]],
    [
      'imports what is not there',
      `import 'nowhere-to-be-found';`,
      'CAIRN-PROGRAM-FAILED',
      1,
      [/nowhere-to-be-found/],
    ],
    [
      'registers one name twice',
      `import { RandomPet } from '@cairn/provider-random';\nnew RandomPet('a', {});\nnew RandomPet('a', {});`,
      'CAIRN-RESOURCE-DUPLICATE',
      4,
      [/::a/],
    ],
    [
      'makes resources wait for each other',
      `import { RandomPet, RandomString } from '@cairn/provider-random';
import { output } from '@cairn/sdk';
let b: RandomPet;
const a = new RandomPet('a', { prefix: output(new Promise<string>((resolve) => setImmediate(() => b.result.apply(resolve)))) });
b = new RandomPet('b', { prefix: a.result });`,
      'CAIRN-RESOURCE-CYCLE',
      4,
      [/\ba\b/, /\bb\b/],
    ],
    [
      'asks for a provider nobody has',
      `import { CustomResource } from '@cairn/sdk';\nnew CustomResource('nosuch:index:Thing', 'x', {});`,
      'CAIRN-PLUGIN-NOT-FOUND',
      1,
      [/nosuch/, /install/],
    ],
    [
      'gives inputs the provider refuses',
      `import { RandomPet } from '@cairn/provider-random';\nnew RandomPet('a', { length: 'many' as unknown as number });`,
      'CAIRN-RESOURCE-CHECK',
      4,
      [/length/],
    ],
  ])('a program that %s', async (_what, source, code, exit, parts) => {
    const box = await stackWith({ 'index.ts': source });
    expectError(await box.cairn(up), code, exit, ...parts);
    expectOk(await box.cairn(['stack', 'export']));
  });

  test('a tsconfig that is not JSON is named with its line before the program starts', async () => {
    const box = await stackWith({ 'index.ts': `console.log('started');`, 'tsconfig.json': '{\n  "a": ]\n}' });
    const end = await box.cairn(up);
    expectError(end, 'CAIRN-PROGRAM-LOAD', 1, /tsconfig\.json/, /line 2/);
    expect(end.text).not.toContain('started');
  });

  test('a program that never ends is interrupted, and killed when it does not listen', async () => {
    const box = await stackWith({
      'index.ts': `console.log('still here');\nprocess.on('SIGINT', () => {});\nsetInterval(() => {}, 1000);`,
    });
    const running = box.start(up);
    await running.shown('still here');
    running.process.kill('SIGINT');
    await running.shown(/interrupt/i);
    await apart();
    running.process.kill('SIGINT');
    const end = await running.finished;
    expect(end.code).toBe(8);
    expectOk(await box.cairn(['stack', 'export']));
  });

  test('what was created before a failure is in the state', async () => {
    const box = await stackWith({
      'index.ts': `import { LocalCommand, LocalFile } from '@cairn/provider-local';
const file = new LocalFile('kept', { path: 'kept.txt', content: 'x' });
new LocalCommand('broken', { create: 'echo trouble >&2; exit 7' }, { dependsOn: [file] });`,
    });
    expectError(await box.cairn(up), 'CAIRN-RESOURCE-FAILED', 4, /broken/, /trouble/, /7/);
    const document = expectOk(await box.cairn(['stack', 'export'])).stdout;
    expect(document).toContain('::kept"');
    expect(document).not.toContain('::broken"');
  });

  test('a property of 20 MiB goes through', async () => {
    const box = await stackWith({
      'index.ts': `import { LocalFile } from '@cairn/provider-local';
new LocalFile('big', { path: 'big.txt', content: 'x'.repeat(20 * 1024 * 1024) });`,
    });
    expectOk(await box.cairn(up));
    expect(readFileSync(path.join(box.directory, 'big.txt'), 'utf8')).toHaveLength(20 * 1024 * 1024);
  });
});

describe('plugins', () => {
  const program = `import { CustomResource } from '@cairn/sdk';\nnew CustomResource('bad:index:Thing', 'x', {});`;
  const withPlugin = (script: string): Record<string, string> => ({
    'Cairn.yaml':
      'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: bad\n      path: plugin\n',
    'index.ts': program,
    'plugin/pulumi-resource-bad': `#!${process.execPath}\n${script}\n`,
  });
  test.each<[string, string, string, RegExp[]]>([
    [
      'dies at once',
      `process.stderr.write('no licence\\n'); process.exit(3);`,
      'CAIRN-PLUGIN-START',
      [/bad/, /no licence/, /3/],
    ],
    [
      'prints junk',
      `console.log('hello world'); setInterval(() => {}, 1000);`,
      'CAIRN-PLUGIN-START',
      [/bad/, /port/],
    ],
    [
      'never becomes ready',
      `console.log('1'); setInterval(() => {}, 1000);`,
      'CAIRN-PLUGIN-START',
      [/bad/, /did not answer its first call within 10 s/],
    ],
  ])(
    'a plugin that %s',
    async (_what, script, code, parts) => {
      const box = await stackWith(withPlugin(script));
      chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-bad'), 0o755);
      expectError(await box.cairn(up), code, 1, ...parts);
    },
    40_000,
  );
});

describe('providers that misbehave once they run', () => {
  /** A provider that answers everything, except for `overrides` (source of an object literal). */
  const provider = (overrides: string): string => `
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const load = (name) => import(pathToFileURL(createRequire(__filename).resolve(name)).href);
(async () => {
  const { providerService } = await load('@cairn/wire/provider-server');
  const { startServer } = await load('@cairn/wire/server');
  const can = { acceptSecrets: true, acceptResources: true, acceptOutputs: false, supportsPreview: true, supportsAutonaming: false };
  const same = { changes: 'none', replaceKeys: [], changedKeys: [], stableKeys: [], detailedDiff: undefined, deleteBeforeReplace: false };
  const provider = {
    handshake: async () => can,
    getPluginInfo: async () => ({ version: '1.0.0' }),
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    configure: async () => can,
    check: async ({ news }) => ({ inputs: news, failures: [] }),
    diff: async () => same,
    create: async ({ inputs }) => ({ id: 'made', outputs: inputs, refreshBeforeUpdate: false }),
    delete: async () => undefined,
    cancel: async () => undefined,
    close: async () => undefined,
    ...(${overrides}),
  };
  const server = await startServer({ services: [providerService(provider)] });
  console.log(server.address.split(':').pop());
})();`;
  const program = `import { CustomResource } from '@cairn/sdk';\nnew CustomResource('bad:index:Thing', 'x', { size: 1 });`;
  test.each<[string, string, string, number, RegExp[]]>([
    [
      'dies in the middle of a create',
      `{ create: () => { process.stderr.write('out of memory\n'); process.exit(9); } }`,
      'CAIRN-PLUGIN-DIED',
      4,
      [/bad/, /9/, /out of memory/],
    ],
    [
      'gives no id',
      `{ create: async () => ({ id: '', outputs: {}, refreshBeforeUpdate: false }) }`,
      'CAIRN-PROVIDER-ANSWER',
      4,
      [/bad/, /id/],
    ],
    [
      'refuses an input',
      `{ check: async ({ news }) => ({ inputs: news, failures: [{ property: 'size', reason: 'too small' }] }) }`,
      'CAIRN-RESOURCE-CHECK',
      4,
      [/size/, /too small/],
    ],
    [
      'fails a create',
      `{ create: async () => { throw new Error('quota exceeded'); } }`,
      'CAIRN-RESOURCE-FAILED',
      4,
      [/quota exceeded/, /::x/],
    ],
  ])('a provider that %s', async (_what, overrides, code, exit, parts) => {
    const box = await stackWith({
      'Cairn.yaml':
        'name: shop\nruntime: nodejs\nmain: index.ts\nplugins:\n  providers:\n    - name: bad\n      path: plugin\n',
      'index.ts': program,
      'plugin/package.json': '{}',
      'plugin/pulumi-resource-bad': `#!${process.execPath}\n${provider(overrides.replaceAll('\n', '\\n'))}\n`,
    });
    chmodSync(path.join(box.directory, 'plugin', 'pulumi-resource-bad'), 0o755);
    expectError(await box.cairn(up), code, exit, ...parts);
    const document = expectOk(await box.cairn(['stack', 'export'])).stdout;
    expect(
      JSON.parse(document)
        .deployment.resources.map((resource: { urn: string }) => resource.urn)
        .join(),
    ).not.toContain('::x');
  });
});

describe('state that cannot be used is refused and left alone', () => {
  const pet = `import { RandomPet } from '@cairn/provider-random';\nnew RandomPet('a', {});`;
  test.each<[string, (text: string) => string, string]>([
    ['truncated', (text) => text.slice(0, text.length / 2), 'CAIRN-STATE-CORRUPT'],
    ['not JSON', () => 'hello', 'CAIRN-STATE-CORRUPT'],
    ['of a newer version', (text) => text.replace('"version":3', '"version":9'), 'CAIRN-STATE-TOO-NEW'],
    [
      'edited by hand: a parent that is gone',
      (text) => text.replace(/"parent":"[^"]+"/, '"parent":"urn:pulumi:dev::shop::a:b:C::gone"'),
      'CAIRN-STATE-INTEGRITY',
    ],
  ])('a checkpoint that is %s', async (_what, damage, code) => {
    const box = await stackWith({ 'index.ts': pet });
    expectOk(await box.cairn(up));
    const file = checkpointOf(box);
    const damaged = damage(readFileSync(file, 'utf8'));
    writeFileSync(file, damaged);
    expectError(await box.cairn(up), code, 1, /dev/);
    expect(readFileSync(file, 'utf8')).toBe(damaged);
  });

  const asRoot = process.getuid?.() === 0;
  (asRoot ? test.skip : test)('a read-only backend (skipped as root, who may write anywhere)', async () => {
    const box = await stackWith({ 'index.ts': pet });
    for (const folder of ['stacks', 'locks']) chmodSync(path.join(box.state, '.pulumi', folder), 0o555);
    expectError(await box.cairn(up), 'CAIRN-STORE-DENIED', 1, /permission|writ/);
  });
});

test('a second operation on a locked stack is told who holds it', async () => {
  const box = await stackWith({
    'index.ts': `console.log('first is in');\nsetInterval(() => {}, 1000);`,
  });
  const first = box.start(up);
  await first.shown('first is in');
  expectError(await box.cairn(up), 'CAIRN-STATE-LOCKED', 1, /lock/, new RegExp(String(first.process.pid)));
  first.process.kill('SIGINT');
  first.process.kill('SIGINT');
  await first.finished;
  expect(readdirSync(path.join(box.state, '.pulumi')).length).toBeGreaterThan(0);
});
