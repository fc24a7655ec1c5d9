import fc from 'fast-check';
import { symmetricCrypter } from './symmetric.js';

const key = Buffer.from('7e700703e28b164e816cb939612c938b8dcf8f8a5237d02824cea3fb656b3a8b', 'hex');
const countingNonce = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, i) => i);

describe('symmetric crypter [SEC-2]', () => {
  // This is the key of the first vector of the passphrase manager, with the nonce 00..0b.
  test.each([
    ['config form', 'v1:AAECAwQFBgcICQoL:f7bPAZLBJje5vjnq4ZjgF4mAxD3wYtU=', 'hunter2'],
    ['state form', 'v1:AAECAwQFBgcICQoL:NavUG4PWZsteWVu+MNEiNY26YntmCNmX1g==', '"hunter2"'],
    [
      'JSON object',
      'v1:AAECAwQFBgcICQoL:bOHAV83oJdUIlOyTG8TMks4r99WdQcZ+CeAT1voZEY3z3Don4Q7X',
      '{"a":[1,true,null,"x"]}',
    ],
    ['empty text', 'v1:AAECAwQFBgcICQoL:Dro074Ql7iqR759pOjCVWQ==', ''],
  ])('vector: %s', (_, ciphertext, plaintext) => {
    expect(symmetricCrypter(key).decrypt(ciphertext)).toBe(plaintext);
    expect(symmetricCrypter(key, countingNonce).encrypt(plaintext)).toBe(ciphertext);
  });

  test('any text comes back, and never twice as the same ciphertext', () => {
    const crypter = symmetricCrypter(key);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const first = crypter.encrypt(text);
        const second = crypter.encrypt(text);
        expect(second).not.toBe(first);
        expect([crypter.decrypt(first), crypter.decrypt(second)]).toEqual([text, text]);
      }),
    );
  });

  test('any altered character of the nonce or the ciphertext is noticed', () => {
    const crypter = symmetricCrypter(key, countingNonce);
    const good = crypter.encrypt('hunter2!'); // 8 + 16 bytes: base64 without padding bits, which carry nothing
    for (let at = 3; at < good.length; at++) {
      if (good[at] === ':' || good[at] === '=') continue;
      const altered = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
      expect(() => crypter.decrypt(altered)).toThrow('cannot decrypt a secret');
    }
  });

  test.each([
    ['', 'form v1:nonce:ciphertext'],
    ['v1:AAECAwQFBgcICQoL', 'form v1:nonce:ciphertext'],
    ['v1:AAECAwQFBgcICQoL:Dro074Ql7iqR759pOjCVWQ==:', 'form v1:nonce:ciphertext'],
    ['v2:AAECAwQFBgcICQoL:Dro074Ql7iqR759pOjCVWQ==', 'version is not v1'],
    ['v1:AAECAwQFBgc=:Dro074Ql7iqR759pOjCVWQ==', 'nonce is not 12 bytes'],
    ['v1:AAECAwQFBgcICQo*:Dro074Ql7iqR759pOjCVWQ==', 'nonce is not 12 bytes'],
    ['v1:AAECAwQFBgcICQoL:Dro074Ql7iqR759pOjCVWQ', 'cut off or not base64'],
    ['v1:AAECAwQFBgcICQoL:Dro0', 'cut off or not base64'],
    ['v1:AAECAwQFBgcICQoL:', 'cut off or not base64'],
  ])('%j is refused: %s', (ciphertext, reason) => {
    expect(() => symmetricCrypter(key).decrypt(ciphertext)).toThrow(reason);
  });

  test('another key is noticed, and the error shows neither text', () => {
    const ciphertext = symmetricCrypter(key).encrypt('hunter2');
    let message = '';
    try {
      symmetricCrypter(Buffer.alloc(32)).decrypt(ciphertext);
    } catch (thrown) {
      message = JSON.stringify(thrown) + String(thrown);
    }
    expect(message).toContain('another key');
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain(ciphertext);
  });

  test('a key of another length is a bug', () => {
    expect(() => symmetricCrypter(Buffer.alloc(16))).toThrow('32 bytes');
  });
});
