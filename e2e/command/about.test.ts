import { chmodSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** `about`: contents of bug reports. */

const { version: VERSION } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../packages/edges/cli/package.json'), 'utf8'),
) as { readonly version: string };

let box: Sandbox;
afterEach(() => box.remove());

test('host, backend, stack, runtime, dependencies and plugins, as text and as JSON', async () => {
  box = sandbox({
    'yarn.lock': '',
    'bin/yarn': '#!/bin/sh\necho 1.22.0\n',
    'package.json': JSON.stringify({ name: 'shop', type: 'module', dependencies: { lib: '1.2.3' } }),
    'node_modules/lib/package.json': JSON.stringify({
      name: 'lib',
      version: '1.2.3',
      dependencies: { below: '4.5.6' },
      pulumi: { resource: true, name: 'shed', version: '2.0.0' },
    }),
    'node_modules/below/package.json': JSON.stringify({ name: 'below', version: '4.5.6' }),
    'index.ts': 'export const x = 1;',
  });
  chmodSync(path.join(box.directory, 'bin/yarn'), 0o755);
  const env = { PATH: [path.join(box.directory, 'bin'), process.env['PATH']].join(path.delimiter) };
  const json = async (...words: string[]) =>
    JSON.parse(expectOk(await box.cairn(['about', '--json', ...words], { env })).stdout) as Record<
      string,
      unknown
    >;
  const first = await json();
  expect(first['currentStack']).toBeNull();
  expect(first['errors']).toEqual(['Failed to get information about the current stack: No current stack']);
  giveStack(box);
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  const about = await json();
  expect(Object.keys(about)).toEqual([
    ...['plugins', 'host', 'backend', 'currentStack', 'cliAbout', 'runtime', 'dependencies', 'errors'],
  ]);
  expect(about).toMatchObject({
    plugins: [
      { name: 'nodejs', version: VERSION, kind: 'language' },
      { name: 'shed', version: '2.0.0', kind: 'resource' },
    ],
    backend: { name: hostname(), url: box.env['CAIRN_BACKEND_URL'], organizations: null },
    currentStack: {
      name: 'dev',
      fullyQualifiedName: 'organization/shop/dev',
      resources: [{ type: 'pulumi:pulumi:Stack', urn: expect.stringContaining('::shop-dev') as string }],
      pendingOps: [],
    },
    runtime: {
      ...{ executable: process.execPath, language: 'nodejs', version: process.version },
      ...{
        packagemanager: 'yarn',
        packagemanagerVersion: '1.22.0',
        typescriptVersion: expect.stringMatching(/^\d+\./) as string,
      },
    },
    dependencies: [{ name: 'lib', version: '1.2.3' }],
    errors: [],
  });
  expect((await json('--transitive'))['dependencies']).toEqual([
    { name: 'lib', version: '1.2.3' },
    { name: 'below', version: '4.5.6' },
  ]);
  const text = expectOk(await box.cairn(['about'], { env })).stdout;
  expect(text).toContain(`nodejs ${process.version} packagemanager='yarn' packagemanagerVersion='1.22.0'`);
  expect(text).toMatch(/^project +shop$/m);
  expect(text).toMatch(/^stack +dev, 1 resource$/m);
  expect(text).toMatch(/\nDependencies\n {2}lib {2}1\.2\.3\n/);
});

test('outside a project it tells what it can', async () => {
  box = sandbox({}, { projectFile: false });
  const finished = expectOk(await box.cairn(['about', '--output', 'json']));
  expect(JSON.parse(finished.stdout)).toMatchObject({
    plugins: null,
    runtime: null,
    errors: expect.arrayContaining([expect.stringContaining('Failed to read project')]) as string[],
  });
});

test('the variables that are honoured, with those that are set; secrets are not shown', async () => {
  box = sandbox({}, { projectFile: false });
  const env = { CAIRN_PARALLEL: '4', PULUMI_SKIP_CONFIRMATIONS: 'true', CAIRN_CONFIG_PASSPHRASE: 'planted' };
  const listed = expectOk(await box.cairn(['about', 'env'], { env }));
  expect(listed.stdout).toMatch(/^CAIRN_PARALLEL +"4" +The same as --parallel$/m);
  expect(listed.stdout).toMatch(/^CAIRN_SKIP_CONFIRMATIONS +"true" \(PULUMI_SKIP_CONFIRMATIONS\) +/m);
  expect(listed.stdout).toMatch(/^CAIRN_STACK +unset +/m);
  expect(listed.text).not.toContain('planted');
  const json = JSON.parse(expectOk(await box.cairn(['about', 'env', '--json'], { env })).stdout) as unknown;
  expect(json).toContainEqual({
    name: 'CAIRN_CONFIG_PASSPHRASE',
    description: expect.any(String) as string,
    setBy: 'CAIRN_CONFIG_PASSPHRASE',
    value: '[secret]',
  });
});
