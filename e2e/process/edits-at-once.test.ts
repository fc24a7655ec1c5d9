import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Commands that change the same file at the same time lose nothing of each other [CFG-15]. */

let box: Sandbox;
beforeEach(() => {
  box = sandbox({ 'index.ts': '' });
  giveStack(box);
});
afterEach(() => box.remove());

const NUMBERS = [1, 2, 3, 4, 5, 6];

test('`config set`, plain and secret, and `config rm`', async () => {
  expectOk(await box.cairn(['config', 'set', 'old', 'x']));
  const commands = [
    ...NUMBERS.map((each) => [
      'config',
      'set',
      `key${each}`,
      `${each}`,
      ...(each % 2 === 0 ? ['--secret'] : []),
    ]),
    ['config', 'rm', 'old'],
  ];
  for (const ended of await Promise.all(commands.map((words) => box.process(words)))) expectOk(ended);
  const shown = expectOk(await box.cairn(['config', '--json', '--show-secrets'])).stdout;
  const values = Object.entries(JSON.parse(shown) as Record<string, { value: string }>);
  expect(Object.fromEntries(values.map(([key, { value }]) => [key.split(':')[1], value]))).toEqual(
    Object.fromEntries(NUMBERS.map((each) => [`key${each}`, `${each}`])),
  );
  expect(readdirSync(box.directory).filter((name) => name.includes('tmp'))).toEqual([]);
});

test('`login` to several backends keeps every account', async () => {
  const folders = NUMBERS.slice(0, 4).map((each) => path.join(box.home, `store${each}`));
  for (const folder of folders) mkdirSync(folder);
  const urls = folders.map((folder) => `file://${folder}`);
  const made = urls.map((url) => box.process(['login', url], { env: { CAIRN_BACKEND_URL: undefined } }));
  for (const ended of await Promise.all(made)) expectOk(ended);
  const { accounts } = JSON.parse(
    readFileSync(path.join(box.home, '.cairn', 'credentials.json'), 'utf8'),
  ) as {
    accounts: Record<string, unknown>;
  };
  expect(Object.keys(accounts)).toEqual(expect.arrayContaining(urls));
});
