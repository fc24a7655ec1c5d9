import { cachingCrypter, cachingSecretsManager } from './caching-crypter.js';
import type { Crypter } from './crypter.js';
import { base64Manager } from './open.js';
import { nopCrypter } from './plain-crypters.js';

/** Counts its calls and returns a new ciphertext each time, as the real crypters do. */
function counting(): Crypter & { encrypted: number; decrypted: number } {
  const crypter = {
    encrypted: 0,
    decrypted: 0,
    encrypt: (text: string) => `${++crypter.encrypted}:${text}`,
    decrypt: (text: string) => (crypter.decrypted++, text.slice(text.indexOf(':') + 1)),
  };
  return crypter;
}

describe('caching crypter [SEC-6]', () => {
  test('the same secret object keeps its ciphertext while its text is the same', () => {
    const caching = cachingCrypter(counting());
    const secret = {};
    expect(caching.encrypt('a', secret)).toBe('1:a');
    expect(caching.encrypt('a', secret)).toBe('1:a');
    expect(caching.encrypt('b', secret)).toBe('2:b');
    expect(caching.encrypt('a', secret)).toBe('3:a');
  });

  test('equal texts of other objects, or of none, get ciphertexts of their own', () => {
    const caching = cachingCrypter(counting());
    expect([
      caching.encrypt('a', {}),
      caching.encrypt('a', {}),
      caching.encrypt('a'),
      caching.encrypt('a'),
    ]).toEqual(['1:a', '2:a', '3:a', '4:a']);
  });

  test('each ciphertext is decrypted once, the empty text too', () => {
    const inner = counting();
    const caching = cachingCrypter(inner);
    expect([
      caching.decrypt('1:a'),
      caching.decrypt('1:a'),
      caching.decrypt('9:'),
      caching.decrypt('9:'),
    ]).toEqual(['a', 'a', '', '']);
    expect(inner.decrypted).toBe(2);
  });

  test('a failed decryption is not remembered', () => {
    let broken = true;
    const caching = cachingCrypter({
      encrypt: nopCrypter.encrypt,
      decrypt: (text) => {
        if (broken) throw new Error('locked');
        return text;
      },
    });
    expect(() => caching.decrypt('a')).toThrow('locked');
    broken = false;
    expect(caching.decrypt('a')).toBe('a');
  });

  test('a manager hands out one caching crypter, with the same type and state', async () => {
    const inner = counting();
    const manager = cachingSecretsManager({ type: 'x', state: '{ }', crypter: async () => inner }, {});
    const secret = {};
    expect((await manager.crypter()).encrypt('a', secret)).toBe(
      (await manager.crypter()).encrypt('a', secret),
    );
    expect([manager.type, manager.state]).toEqual(['x', '{ }']);
  });

  test.each([
    [{ PULUMI_DISABLE_SECRET_CACHE: 'TRUE' }, true],
    [{ CAIRN_DISABLE_SECRET_CACHE: '1' }, true],
    [{ CAIRN_DISABLE_SECRET_CACHE: '0', PULUMI_DISABLE_SECRET_CACHE: '1' }, false],
    [{ PULUMI_DISABLE_SECRET_CACHE: 'yes' }, false],
  ])('%j leaves the manager as it is: %s', (env, same) => {
    const manager = base64Manager();
    expect(cachingSecretsManager(manager, env) === manager).toBe(same);
  });
});
