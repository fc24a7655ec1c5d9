import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cairnCommand, expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { recordStart } from '../support/start-record.js';

/** Under Cairn's runner the SDK is one script, whichever way the code of a program asks for it. */

const sdk = path.join(cairnCommand, '../../../../authors/sdk');

let box: Sandbox;
afterEach(() => box.remove());

async function preview(program: string, files: Record<string, string> = {}): Promise<Finished> {
  box = sandbox({ 'index.ts': program, ...files });
  giveStack(box);
  return expectOk(await box.cairn(['preview']));
}

test('import, require, packages and all entries of the SDK give the same classes', async () => {
  await preview(
    `
    import assert from 'node:assert';
    import { createRequire } from 'node:module';
    import * as cairn from '@cairn/sdk';
    import { deployment } from '@cairn/sdk/runtime';
    import { testProgram } from '@cairn/sdk/testing';
    import * as packages from '@cairn/sdk/packages';
    import * as policy from '@cairn/sdk/policy';
    import { made } from 'esm-package';
    import cts from './required.cts';
    const require = createRequire(import.meta.url);
    for (const other of [await import('@cairn/sdk'), require('@cairn/sdk'), cts.required, require('cjs-package')])
      assert.deepStrictEqual(
        [other.Resource === cairn.Resource, other.all === cairn.all, Object.keys(other).sort()],
        [true, true, Object.keys(cairn).sort()],
      );
    assert.strictEqual(require('@cairn/sdk/packages'), packages);
    assert.ok(made instanceof cairn.ComponentResource);
    assert.ok(cairn.isOutput(made.urn));
    assert.strictEqual(deployment().settings.project, 'shop');
    assert.strictEqual(typeof policy.policyPack, 'function');
    assert.strictEqual(typeof testProgram, 'function');
    `,
    {
      'required.cts': `import sdk = require('@cairn/sdk'); export const required = sdk;`,
      'node_modules/esm-package/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/esm-package/index.js': `import { ComponentResource } from '@cairn/sdk'; export const made = new ComponentResource('a:b:C', 'c');`,
      'node_modules/cjs-package/index.js': `module.exports = require('@cairn/sdk');`,
    },
  );
});

test('threads and processes of a program can use the SDK', async () => {
  const { stdout } = await preview(
    `
    import { fork } from 'node:child_process';
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    const file = new URL('./other.mjs', import.meta.url);
    const [said] = await once(new Worker(file), 'message');
    const [sent] = await once(fork(file), 'message');
    export const answers = [said, sent];
    `,
    {
      'other.mjs': `
        import { parentPort } from 'node:worker_threads';
        import { concat } from '@cairn/sdk';
        if (parentPort === null) process.send(typeof concat);
        else parentPort.postMessage(typeof concat);
      `,
    },
  );
  expect(stdout).toMatch(/\["function","function"\]|"function"[^]*"function"/);
});

/** Gives the box an SDK of its own: a copy of the built one, with a package.json that is altered. */
function installSdk(alter: (exports: Record<string, Record<string, string> | string>) => void): string {
  const copy = path.join(box.directory, 'node_modules', '@cairn', 'sdk');
  cpSync(path.join(sdk, 'dist'), path.join(copy, 'dist'), { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(sdk, 'package.json'), 'utf8')) as {
    exports: Record<string, Record<string, string> | string>;
  };
  alter(manifest.exports);
  writeFileSync(path.join(copy, 'package.json'), JSON.stringify(manifest));
  return copy;
}

test.each([
  ['has no script', true],
  ['is another copy', false],
])('an SDK of the project that %s runs its programs', async (_why, isWithout) => {
  box = sandbox({ 'index.ts': `import { getStack } from '@cairn/sdk'; export const stack = getStack();` });
  giveStack(box);
  const copy = installSdk((entries) => {
    if (!isWithout) return;
    delete entries['./program'];
    for (const entry of Object.values(entries)) if (typeof entry !== 'string') delete entry['cairn-program'];
  });
  if (isWithout)
    for (const part of ['packs', 'packed']) rmSync(path.join(copy, 'dist', part), { recursive: true });
  const run = await recordStart(box, ['preview']);
  expect(expectOk(run).stdout).toContain('stack: "dev"');
  const files = Object.keys(run.program?.files ?? {}).filter((file) => /sdk.(dist|src)/.test(file));
  expect(files.filter((file) => !file.startsWith(copy))).toEqual([]);
  expect(files).toContain(path.join(copy, 'dist', isWithout ? 'run.js' : 'program.cjs'));
});
