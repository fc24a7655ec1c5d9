import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/**
 * Kills a process while it writes a file, between making the temporary file and renaming it: the command that continues
 * the operation leaves no temporary file behind.
 */

/** Loaded into the command; ends it like `kill -9` at the call about a temporary file that `moment.txt` names, once. */
const KILLS = `
const fs = require('node:fs');
const promises = require('node:fs/promises');
for (const name of ['open', 'rename']) {
  const call = promises[name];
  promises[name] = async (file, ...rest) => {
    const isDraft = /^\\.cairn-.*\\.tmp$/.test(require('node:path').basename(String(file)));
    const isNow = isDraft && fs.existsSync('moment.txt') && fs.readFileSync('moment.txt', 'utf8') === name;
    const kill = () => { fs.rmSync('moment.txt'); process.kill(process.pid, 'SIGKILL'); };
    if (isNow && name === 'rename') kill();
    const result = await call(file, ...rest);
    if (isNow) kill();
    return result;
  };
}
require('node:module').syncBuiltinESMExports();
`;
const program = (content: string): string => `
import { LocalDirectory, LocalFile } from '@cairn/provider-local';
const site = new LocalDirectory('site', { path: 'site' });
new LocalFile('page', { path: 'site/page.txt', content: ${JSON.stringify(content)} }, { dependsOn: site });
`;
const UP = ['up', '--yes', '--skip-preview'];

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

const site = (box: Sandbox): readonly string[] => {
  const folder = path.join(box.directory, 'site');
  return existsSync(folder) ? readdirSync(folder).sort() : ['no directory'];
};
const page = (box: Sandbox): string => readFileSync(path.join(box.directory, 'site', 'page.txt'), 'utf8');

async function killedAt(box: Sandbox, moment: string, words: readonly string[]): Promise<Finished> {
  box.write('moment.txt', moment);
  const hook = path.join(box.directory, 'kills.cjs');
  const end = await box.process(words, { env: { NODE_OPTIONS: `--require ${hook}` } });
  if (end.signal !== 'SIGKILL')
    throw new Error(`not killed at ${moment}, ended with ${end.code}:\n${end.text}`);
  return end;
}

async function fresh(): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': program('one'), 'kills.cjs': KILLS });
  boxes.push(box);
  giveStack(box);
  return box;
}

test.each(['open', 'rename'])(
  'a create that is killed after %s: resume, and destroy of its directory',
  async (moment) => {
    const box = await fresh();
    await killedAt(box, moment, UP);
    expect(site(box)).toEqual([expect.stringMatching(/^\.cairn-.*\.tmp$/)]);
    expectOk(await box.cairn(['resume']));
    expect([site(box), page(box)]).toEqual([['page.txt'], 'one']);

    box.write('index.ts', program('two'));
    await killedAt(box, moment, UP);
    expect([site(box), page(box)]).toEqual([[expect.stringMatching(/^\.cairn-/), 'page.txt'], 'one']);
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview']));
    expect(site(box)).toEqual(['no directory']);
  },
);

test('a create and an update that are killed before the renaming: rollback', async () => {
  const box = await fresh();
  await killedAt(box, 'rename', UP);
  expectOk(await box.cairn(['rollback', '--yes', '--skip-preview']));
  expect(site(box)).toEqual(['no directory']);

  expectOk(await box.cairn(UP));
  box.write('index.ts', program('two'));
  await killedAt(box, 'rename', UP);
  expectOk(await box.cairn(['rollback', '--yes', '--skip-preview']));
  expect([site(box), page(box)]).toEqual([['page.txt'], 'one']);
});
