import type { Urn } from '@cairn/addresses';
import { GROUND, OUTSIDE, ResourceUse } from './resource-use.js';

/** `A.a` is in component A, `s` outside components, `stack` is the ground. `A.a>s`: A.a refers to s. In order. */
const USES: readonly (readonly [title: string, uses: string, domains: Readonly<Record<string, string>>])[] = [
  ['used by nobody', 'A.a>', { 'A.a': 'A' }],
  ['used within its component', 'A.b>A.a', { 'A.a': 'A', 'A.b': 'A' }],
  ['used by another component', 'B.b>A.a', { 'A.a': 'A B', 'B.b': 'B' }],
  ['outside, used by one component', 'A.a>s', { s: '- A' }],
  ['outside, used by two components', 'A.a>s B.b>s', { s: 'A B' }],
  ['outside, used by two components and from outside', 'A.a>s B.b>s x>s', { s: '- A B', x: '-' }],
  ['outside, used from outside first', 'x>s A.a>s B.b>s', { s: '- A B' }],
  ['what it is built on goes with it', 's>t A.a>s B.b>s', { s: 'A B', t: 'A B' }],
  ['what it is built on has a user of its own', 's>t x>t A.a>s B.b>s', { s: 'A B', t: '- A B' }],
  ['components one in the other', 'B.b>A.a C.c>B.b', { 'A.a': 'A B C', 'B.b': 'B C', 'C.c': 'C' }],
  ['the component of what is used', 'A.a>A B.b>A.a', { A: 'A B', 'A.a': 'A B' }],
  ['from outside', 'x>A.a', { 'A.a': 'A -', x: '-' }],
  ['the ground belongs to nobody', 'A.a>stack B.b>stack', { stack: GROUND }],
  ['used twice', 'A.a>s A.b>s', { s: '- A' }],
];

test.each(USES)('%s', (_, text, expected) => {
  const use = new ResourceUse(ownDomain);
  for (const each of text.split(' ')) {
    const [user = '', ...used] = each.split('>');
    use.registered(
      user as Urn,
      used.filter((name) => name !== '').map((name) => name as Urn),
    );
  }
  const found = Object.keys(expected).map((name) => [
    name,
    use
      .domains(name as Urn)
      .map((domain) => domain || '-')
      .join(' '),
  ]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('a long chain is no deep recursion, and what has changed is told once', () => {
  const use = new ResourceUse(ownDomain);
  for (let at = 1; at < 20_000; at += 1) use.registered(`s${at}` as Urn, [`s${at - 1}` as Urn]);
  expect(use.registered('A.a' as Urn, ['s19999' as Urn])).toHaveLength(20_000);
  expect(use.registered('A.b' as Urn, ['s19999' as Urn])).toEqual([]);
  expect(use.registered('B.b' as Urn, ['s19999' as Urn])).toHaveLength(20_000);
  expect(use.domains('s0' as Urn)).toEqual(['A', 'B']);
});

function ownDomain(urn: string): string {
  if (urn === 'stack') return GROUND;
  const [component, inside] = urn.split('.');
  return inside !== undefined || /^[A-Z]$/.test(urn) ? (component ?? OUTSIDE) : OUTSIDE;
}
