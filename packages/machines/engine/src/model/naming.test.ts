import fc from 'fast-check';
import { isOwedNaming, namesCollide, proposedName } from './naming.js';
import type { Alphabet, NamePart, NamingRule } from './naming.js';

const seed = (byte: number) => new Uint8Array(32).fill(byte);
const random = (alphabet: Alphabet, length: number): NamePart => ({ t: 'random', alphabet, length });
const pattern = (enforce: boolean, ...parts: readonly NamePart[]): NamingRule => ({
  t: 'pattern',
  parts,
  enforce,
});
const text = (value: string): NamePart => ({ t: 'text', text: value });
const name: NamePart = { t: 'name' };

test.each<[string, NamingRule, RegExp, string]>([
  ['verbatim', { t: 'verbatim' }, /^db$/, 'enforce'],
  ['disabled', { t: 'disabled' }, /^$/, 'disable'],
  ['hex', pattern(false, name, text('-'), random('hex', 8)), /^db-[0-9a-f]{8}$/, 'propose'],
  ['alphanum', pattern(true, random('alphanum', 40)), /^[a-z0-9]{40}$/, 'enforce'],
  ['string', pattern(false, random('string', 40)), /^[a-z]{40}$/, 'propose'],
  ['num', pattern(false, random('num', 40)), /^\d{40}$/, 'propose'],
  [
    'uuid',
    pattern(false, { t: 'uuid' }),
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    'propose',
  ],
])('%s [REG-15]', (_title, rule, shape, mode) => {
  const proposal = proposedName(rule, 'db', seed(1));
  expect(proposal).toEqual({ proposedName: expect.stringMatching(shape) as string, mode });
});

test('the seed alone decides: the same name again, other names for other seeds and other parts [REG-15]', () => {
  const rule = pattern(false, random('hex', 16), text('-'), random('hex', 16));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const first = proposedName(rule, 'db', bytes);
      expect(proposedName(rule, 'other', bytes)).toEqual(first);
      const [left, right] = first.proposedName.split('-');
      expect(left).not.toBe(right);
    }),
  );
  expect(proposedName(rule, 'db', seed(1))).not.toEqual(proposedName(rule, 'db', seed(2)));
});

test.each<[string, NamingRule, { readonly collide: boolean; readonly owed: boolean }]>([
  ['verbatim', { t: 'verbatim' }, { collide: true, owed: true }],
  ['disabled', { t: 'disabled' }, { collide: false, owed: false }],
  ['fixed pattern', pattern(false, name, text('-x')), { collide: true, owed: false }],
  ['random pattern', pattern(false, name, random('num', 2)), { collide: false, owed: false }],
  ['enforced pattern', pattern(true, name, { t: 'uuid' }), { collide: false, owed: true }],
])('consequences of %s [REG-15]', (_title, rule, { collide, owed }) => {
  expect(namesCollide({ rule, specific: false })).toBe(collide);
  expect(isOwedNaming({ rule, specific: false })).toBe(owed);
  expect(isOwedNaming({ rule, specific: true })).toBe(true);
});

test('nothing said, nothing collides', () => expect(namesCollide(undefined)).toBe(false));
