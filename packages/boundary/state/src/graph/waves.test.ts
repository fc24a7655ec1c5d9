import { asProviderReference, makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { resourceEntry } from '../snapshot/resource-entry.js';
import type { ResourceEntry, ResourceEntrySpec } from '../snapshot/resource-entry.js';
import fc from 'fast-check';
import { deleteWaves } from './waves.js';

const urn = (name: string): Urn => makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name });
const entry = (name: string, rest: Partial<ResourceEntrySpec> = {}): ResourceEntry =>
  resourceEntry({ urn: urn(name), type: 'a:b:c', custom: true, id: name, ...rest });
const names = (waves: readonly (readonly ResourceEntry[])[]) =>
  waves.map((wave) => wave.map((each) => each.urn.split('::').at(-1)).join(' '));

const rows: [string, readonly ResourceEntry[], readonly string[], readonly string[]][] = [
  ['independent entries go together', [entry('a'), entry('b')], ['a', 'b'], ['a b']],
  ['dependents first', [entry('a'), entry('b', { dependencies: [urn('a')] })], ['a', 'b'], ['b', 'a']],
  [
    'an entry that stays passes the order on',
    [entry('a'), entry('x', { parent: urn('a') }), entry('b', { deletedWith: urn('x') })],
    ['a', 'b'],
    ['b', 'a'],
  ],
  [
    'a diamond is three waves',
    [
      entry('a'),
      entry('b', { dependencies: [urn('a')] }),
      entry('c', { propertyDependencies: { k: [urn('a')] } }),
      entry('d', { replaceWith: [urn('b'), urn('c')] }),
    ],
    ['a', 'b', 'c', 'd'],
    ['d', 'b c', 'a'],
  ],
  [
    'every copy of a URN that precedes counts',
    [entry('a'), entry('a', { delete: true }), entry('b', { dependencies: [urn('a')] })],
    ['a', 'b'],
    ['b', 'a a'],
  ],
  [
    'depending on a component is depending on its children',
    [
      entry('comp', { custom: false, id: '' }),
      entry('child', { parent: urn('comp') }),
      entry('user', { dependencies: [urn('comp')] }),
      entry('late', { parent: urn('comp') }),
    ],
    ['comp', 'child', 'user', 'late'],
    ['user late', 'child', 'comp'],
  ],
  [
    'a child that depends on its own component does not wait for its siblings',
    [
      entry('comp', { custom: false, id: '' }),
      entry('one', { parent: urn('comp') }),
      entry('two', { parent: urn('comp'), dependencies: [urn('comp')] }),
    ],
    ['comp', 'one', 'two'],
    ['one two', 'comp'],
  ],
];

test.each(rows)('%s [DEL-3]', (_name, entries, going, expected) => {
  const selected = new Set(going.map(urn));
  expect(
    names(
      deleteWaves(
        entries,
        (each) => each,
        (each) => selected.has(each.urn),
      ),
    ),
  ).toEqual(expected);
});

test('a provider goes after what it manages', () => {
  const provider = makeUrn({ project: 'p', stack: 's', type: 'pulumi:providers:a', name: 'prov' });
  const entries = [
    resourceEntry({ urn: provider, type: 'pulumi:providers:a', custom: true, id: '1' }),
    entry('a', { provider: asProviderReference(`${provider}::1`) }),
  ];
  expect(
    names(
      deleteWaves(
        entries,
        (each) => each,
        () => true,
      ),
    ),
  ).toEqual(['a', 'prov']);
});

test('random graphs: everything goes once, dependents always in an earlier wave', () => {
  const graph = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { maxLength: 20 });
  fc.assert(
    fc.property(graph, (needs) => {
      const entries = needs.map((each, index) =>
        entry(String(index), {
          dependencies: each.filter((other) => other < index).map((other) => urn(String(other))),
        }),
      );
      const waves = deleteWaves(
        entries,
        (each) => each,
        () => true,
      );
      const waveOf = new Map(waves.flatMap((wave, index) => wave.map((each) => [each.urn, index] as const)));
      expect(waves.flat()).toHaveLength(entries.length);
      for (const each of entries) {
        for (const needed of each.dependencies) {
          expect(waveOf.get(each.urn)).toBeLessThan(waveOf.get(needed) ?? -1);
        }
      }
    }),
  );
});
