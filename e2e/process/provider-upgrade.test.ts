import { chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, written } from '../support/pipes.js';

/**
 * A provider as a plugin process. It adds a line to a file for each object it makes, and waits for ever in the middle
 * while `go.txt` is missing.
 */
const plugin = (version: string, directory: string): string => `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { defineProvider, defineResource, s } from '@cairn/provider-sdk';
import { main } from '@cairn/provider-sdk/plugin';
const brick = defineResource({
  inputs: { name: s.string() },
  outputs: { name: s.string() },
  create: async ({ name }) => {
    process.chdir(${JSON.stringify(directory)});
    if (name === 'slow' && !existsSync('go.txt')) {
      writeFileSync('ready.pipe', 'ready');
      await new Promise(() => {});
    }
    appendFileSync('made.txt', name + ' by ${version}\\n');
    return { id: name, outputs: { name } };
  },
  read: async (id) => ({ id, inputs: { name: id }, outputs: { name: id } }),
  delete: async ({ id }) => {
    process.chdir(${JSON.stringify(directory)});
    appendFileSync('made.txt', id + ' deleted by ${version}\\n');
  },
});
await main(defineProvider({ name: 'tower', version: '${version}', resources: { 'index:Brick': brick } }));
`;

const program = (version: string): string => `
import { CustomResource } from '@cairn/sdk';
const brick = (name, dependsOn) => new CustomResource('tower:index:Brick', name, { name }, { version: '${version}', dependsOn });
brick('last', [brick('slow', [brick('first', [])])]);
`;

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

const folderOf = (version: string): string => `../home/.cairn/plugins/resource-tower-v${version}`;

function install(box: Sandbox, version: string): void {
  const executable = `${folderOf(version)}/pulumi-resource-tower`;
  box.write(
    executable,
    `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} "$(dirname "$0")/plugin.mjs" "$@"\n`,
  );
  chmodSync(path.join(box.directory, executable), 0o755);
  box.write(`${folderOf(version)}/plugin.mjs`, plugin(version, box.directory));
}

function uninstall(box: Sandbox, version: string): void {
  rmSync(path.join(box.directory, folderOf(version)), { recursive: true });
}

/** Runs an update with version 1.0.0 that is killed while it makes `slow`, and answers that it was not made. */
async function killed(): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': program('1.0.0') });
  boxes.push(box);
  install(box, '1.0.0');
  giveStack(box);
  makePipes(box, 'ready.pipe');
  const running = box.start(['up', '--yes', '--skip-preview']);
  await written(box, 'ready.pipe', running);
  running.process.kill('SIGKILL');
  await running.finished;
  box.write('go.txt', '');
  return box;
}

const made = (box: Sandbox): string => readFileSync(path.join(box.directory, 'made.txt'), 'utf8');

test('a provider that was upgraded between crash and resume is told with both versions, and goes on', async () => {
  const box = await killed();
  install(box, '2.0.0');
  box.write('index.ts', program('2.0.0'));
  expectOk(await box.cairn(['change', 'resolve', '1/4', '--not-created']));
  const { text } = expectOk(await box.cairn(['resume']));
  expect(text).toContain('the provider "tower" now has version 2.0.0; operation 1 began with version 1.0.0');
  expect(text).toContain('The operation continues with version 2.0.0, which does the remaining steps');
  expect(made(box)).toBe('first by 1.0.0\nslow by 2.0.0\nlast by 2.0.0\n');
  uninstall(box, '1.0.0');
  expectOk(await box.cairn(['preview', '--expect-no-changes']));
});

test('a provider that is gone is named with the version that is needed; installed again, it can take everything back', async () => {
  const box = await killed();
  uninstall(box, '1.0.0');
  const resume = await box.cairn(['resume']);
  expect(resume.code).toBe(1);
  expect(resume.text).toMatch(
    /cannot find the provider plugin tower 1\.0\.0[^]*hint: Run `cairn plugin install resource tower 1\.0\.0`/,
  );
  expect(resume.text).toMatch(/cairn change resolve [0-9a-f]{8} --created ID/);
  expect(made(box)).toBe('first by 1.0.0\n');
  install(box, '1.0.0');
  expectOk(await box.cairn(['change', 'resolve', '1/4', '--not-created']));
  expectOk(await box.cairn(['rollback', '--yes', '--skip-preview']));
  expect(made(box)).toBe('first by 1.0.0\nfirst deleted by 1.0.0\n');
});
