import { nextSignerFrom, publishedSigners, signerAt } from './signers.js';
import type { Signer } from './signers.js';

const DAY = 86_400;

const signer = (id: string, from: number): Signer => ({
  ...{ id, from, publicKey: {} },
  sealed: { key: { master: '', sealed: '' }, text: '' },
});
const a = signer('a', 0);
const b = signer('b', 30 * DAY);

// Keys, time in seconds; the key that signs, those published, and the time from which a new one has to sign.
test.each<[string, Signer[], number, string | undefined, string, number | undefined]>([
  ['no key', [], 5, undefined, '', 5],
  ['a key whose clock is ahead', [a], -5, 'a', 'a', undefined],
  ['a young key', [a], 29 * DAY - 1, 'a', 'a', undefined],
  ['a key that ends in a day', [a], 29 * DAY, 'a', 'a', 30 * DAY],
  ['a key that should have ended', [a], 90 * DAY, 'a', 'a', 91 * DAY],
  ['a key with a successor', [b, a], 30 * DAY - 1, 'a', 'a b', undefined],
  ['a successor that signs', [b, a], 30 * DAY, 'b', 'a b', undefined],
  ['tokens of the former key', [b, a], 30 * DAY + 4199, 'b', 'a b', undefined],
  ['no more tokens of the former key', [b, a], 30 * DAY + 4200, 'b', 'b', undefined],
])('%s', (_case, signers, now, signs, published, next) => {
  expect(signerAt(signers, now)?.id).toBe(signs);
  expect(publishedSigners(signers, now).map(({ id }) => id)).toEqual(published.split(' ').filter(Boolean));
  expect(nextSignerFrom(signers, now)).toBe(next);
});
