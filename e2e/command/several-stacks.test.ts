import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/** Several stacks in one command [CLI-16]. */

const program = `
import { existsSync } from 'node:fs';
import { StackReference, getStack } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
const stack = getStack();
if (stack === 'a-net' && existsSync('broken')) throw new Error('the net is broken');
new LocalFile('page', { path: stack + '.txt', content: stack });
export const seen =
  stack === 'a-app' ? new StackReference('organization/shop/a-net').getOutput('seen') : stack;
`;

let box: Sandbox;
beforeAll(async () => {
  box = sandbox({ 'index.ts': program });
  for (const stack of ['a-net', 'a-app', 'b'])
    expectOk(await box.cairn(['stack', 'init', stack, '--no-select']));
});
afterAll(() => box.remove());

/** Returns the order in which stacks are worked on, and their results. */
function said(text: string): readonly string[] {
  return [...text.matchAll(/^Stack (\S+) \(\d of \d\)$|^ {4}(\S+) +(done|failed|not tried)/gm)].map(
    ([, stack, name, what]) => stack ?? `${name} ${what}`,
  );
}

test('stacks come by name, and once they are there, after those whose outputs they refer to', async () => {
  const first = expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--stacks', 'a-*']));
  expect(said(first.stdout)).toEqual(['a-app', 'a-net', 'a-app done', 'a-net done']);
  const second = expectOk(await box.cairn(['up', '--yes', '--stacks', 'a-*', '--stacks', 'b']));
  expect(said(second.stdout)).toEqual(['a-net', 'a-app', 'b', 'a-net done', 'a-app done', 'b done']);
  expect(expectOk(await box.cairn(['stack', 'output', 'seen', '-s', 'a-app'])).stdout.trim()).toBe('a-net');
});

test('the first failure ends it; --continue-on-error goes on with what does not need it', async () => {
  box.write('broken', '');
  const stopped = await box.cairn(['preview', '--stacks', '*']);
  expect([stopped.code, said(stopped.stdout)]).toEqual([
    1,
    ['a-net', 'a-net failed', 'a-app not tried', 'b not tried'],
  ]);
  const on = await box.cairn(['preview', '--stacks', '*', '--continue-on-error']);
  expect([on.code, said(on.stdout)]).toEqual([
    1,
    ['a-net', 'b', 'a-net failed', 'a-app not tried', 'b done'],
  ]);
});

test('a destroy goes the other way around; what is about one stack is refused', async () => {
  const gone = expectOk(await box.cairn(['destroy', '--yes', '--skip-preview', '--stacks', 'a-*']));
  expect(said(gone.stdout)).toEqual(['a-app', 'a-net', 'a-app done', 'a-net done']);
  for (const [words, text] of [
    [['--stacks', 'b', '--stack', 'b'], '--stack and --stacks cannot be given together'],
    [['--stacks', 'c*'], 'matches c*'],
  ] as const) {
    const refused = await box.cairn(['up', '--yes', ...words]);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(text)]);
  }
});
