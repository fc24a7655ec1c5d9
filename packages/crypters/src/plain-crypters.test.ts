import { cairnError } from '@cairn/diagnostics';
import {
  base64Crypter,
  blindingCrypter,
  blindingStateCrypter,
  lockedCrypter,
  noManagerCrypter,
  nopCrypter,
} from './plain-crypters.js';

describe('plain crypters (state.md 6.5)', () => {
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

  test.each([
    ['locked', lockedCrypter(() => cairnError('CAIRN-PASSPHRASE-WRONG', 'locked!')), 'locked!'],
    ['no manager', noManagerCrypter, 'names no secrets manager'],
  ])('%s fails at each use', (_, crypter, message) => {
    expect(() => crypter.encrypt('a')).toThrow(message);
    expect(() => crypter.decrypt('a')).toThrow(message);
  });
});
