import { masterKeyOf } from '../crypto/master-key.js';
import { stackKeys } from '../crypto/stack-keys.js';
import { makeSetupSecret, setupSecretEnd } from './setup-secret.js';

const UNTIL = 1_798_761_600_000;

/** Keys of one process; those of others with the same letter have the same master key. */
const keysOf = (letter: string) => stackKeys(masterKeyOf(letter.repeat(64), 'a test', {}));

test('another process with the same master key recognises the secret and its end', async () => {
  const secret = await makeSetupSecret(keysOf('a'), UNTIL);
  expect(secret).toMatch(/^setup-[\w-]+$/);
  expect(await setupSecretEnd(keysOf('a'), secret)).toBe(UNTIL);
});

test('each secret is another one', async () => {
  expect(await makeSetupSecret(keysOf('a'), UNTIL)).not.toBe(await makeSetupSecret(keysOf('a'), UNTIL));
});

test('a process with another master key does not', async () => {
  expect(await setupSecretEnd(keysOf('b'), await makeSetupSecret(keysOf('a'), UNTIL))).toBeUndefined();
});

test('no altered, shortened or invented secret is recognised', async () => {
  const secret = await makeSetupSecret(keysOf('a'), UNTIL);
  const bytes = Buffer.from(secret.slice('setup-'.length), 'base64url');
  const altered = Array.from(bytes, (byte, at) => {
    const other = Buffer.from(bytes);
    other[at] = byte ^ 1;
    return other;
  });
  const shortened = Array.from(bytes, (_, length) => bytes.subarray(0, length));
  for (const other of [...altered, ...shortened])
    expect(await setupSecretEnd(keysOf('a'), `setup-${other.toString('base64url')}`)).toBeUndefined();
  for (const other of ['', 'setup-', 'wrong', secret.slice('setup-'.length)])
    expect(await setupSecretEnd(keysOf('a'), other)).toBeUndefined();
});
