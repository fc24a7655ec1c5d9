import { cairnError } from '@cairn/diagnostics';
import {
  base64Crypter,
  blindingCrypter,
  blindingStateCrypter,
  errorCatchingCrypter,
  lockedCrypter,
  noManagerCrypter,
  nopCrypter,
} from './plain-crypters.js';

describe('plain crypters [SEC-6]', () => {
  test.each([
    ['nop', nopCrypter, 'a', 'a', 'a'],
    ['blinding', blindingCrypter, 'a', '[secret]', '[secret]'],
    ['blinding for state', blindingStateCrypter, '"a"', '"[secret]"', '"[secret]"'],
    ['base64', base64Crypter, 'ä"', 'w6Qi', 'ä"'],
  ])('%s', (_, crypter, plaintext, ciphertext, back) => {
    expect(crypter.encrypt(plaintext)).toBe(ciphertext);
    expect(crypter.decrypt(ciphertext)).toBe(back);
  });

  test('base64 refuses what is not base64', () => {
    expect(() => base64Crypter.decrypt('w6Q*')).toThrow('not base64');
  });

  test('error-catching: what cannot be decrypted becomes an empty map, and nothing can be encrypted', () => {
    const crypter = errorCatchingCrypter(base64Crypter);
    expect([crypter.decrypt('w6Qi'), crypter.decrypt('w6Q*')]).toEqual(['ä"', '{}']);
    expect(errorCatchingCrypter(noManagerCrypter, 'gone').decrypt('w6Qi')).toBe('gone');
    expect(() => crypter.encrypt('a')).toThrow('for reading only');
    const broken = { ...nopCrypter, decrypt: () => JSON.parse('{') as string };
    expect(() => errorCatchingCrypter(broken).decrypt('a')).toThrow(SyntaxError);
  });

  test.each([
    ['locked', lockedCrypter(() => cairnError('CAIRN-PASSPHRASE-WRONG', 'locked!')), 'locked!'],
    ['no manager', noManagerCrypter, 'does not name a secrets manager'],
  ])('%s fails at each use', (_, crypter, message) => {
    expect(() => crypter.encrypt('a')).toThrow(message);
    expect(() => crypter.decrypt('a')).toThrow(message);
  });
});
