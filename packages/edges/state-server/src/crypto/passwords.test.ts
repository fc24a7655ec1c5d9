import { scryptSync } from 'node:crypto';
import { Refusal } from '../domain/refusal.js';
import { PasswordDigests } from './passwords.js';

const CHEAP = { ln: 4, r: 8, p: 1 };
const RIGHT = 'correct horse battery';

test('a digest names its cost, and is that of scrypt', async () => {
  const digest = await new PasswordDigests().make(RIGHT);
  const [, , cost, salt = '', key = ''] = digest.split('$');
  expect(cost).toBe('ln=17,r=8,p=1');
  const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
  expect(Buffer.from(key, 'base64')).toEqual(scryptSync(RIGHT, Buffer.from(salt, 'base64'), 32, options));
});

test('a password matches its own digest alone, however it was typed', async () => {
  const digests = new PasswordDigests(CHEAP);
  const digest = await digests.make('Zürich fährt Å');
  // The same letters, composed in another way.
  expect(await digests.matches('Zürich fährt Å'.normalize('NFD'), digest)).toBe(true);
  expect(await digests.matches('Zürich fährt A', digest)).toBe(false);
  expect(await digests.make(RIGHT)).not.toBe(await digests.make(RIGHT));
});

test('a digest of another cost matches, and counts as old', async () => {
  const old = await new PasswordDigests({ ln: 3, r: 8, p: 1 }).make(RIGHT);
  const digests = new PasswordDigests(CHEAP);
  expect([await digests.matches(RIGHT, old), digests.isOld(old)]).toEqual([true, true]);
  expect(digests.isOld(await digests.make(RIGHT))).toBe(false);
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['another algorithm', '$argon2id$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0$'],
  ['more memory than there is', `$scrypt$ln=40,r=8,p=1$${'s'.repeat(22)}$${'k'.repeat(43)}`],
  ['no cost', `$scrypt$ln=0,r=8,p=1$${'s'.repeat(22)}$${'k'.repeat(43)}`],
  ['a cut one', `$scrypt$ln=4,r=8,p=1$${'s'.repeat(22)}$${'k'.repeat(20)}`],
])('with %s nothing matches, after the work of a right digest', async (_name, stored) => {
  const costs: unknown[] = [];
  const digests = new PasswordDigests(CHEAP, async (_password, _salt, cost) => {
    costs.push(cost);
    return Buffer.alloc(32);
  });
  expect(await digests.matches(RIGHT, stored)).toBe(false);
  expect(costs).toEqual([CHEAP]);
});

test('two digests are computed at a time, some wait, and more are refused', async () => {
  let running = 0;
  let most = 0;
  const ends: (() => void)[] = [];
  const digests = new PasswordDigests(CHEAP, async () => {
    most = Math.max(most, (running += 1));
    await new Promise<void>((resolve) => void ends.push(resolve));
    running -= 1;
    return Buffer.alloc(32);
  });
  const made = Array.from({ length: 34 }, () => digests.make(RIGHT));
  await expect(digests.make(RIGHT)).rejects.toMatchObject({ status: 503, retryAfter: 1 });
  await expect(digests.make(RIGHT)).rejects.toThrow(Refusal);
  for (let done = 0; done < made.length; done += 1) {
    while (ends.length === 0) await new Promise(setImmediate);
    ends.shift()?.();
  }
  expect((await Promise.all(made)).length).toBe(34);
  expect(most).toBe(2);
});
