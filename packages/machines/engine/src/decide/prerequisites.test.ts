import { makeProviderReference } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { entryOf, factsOf, named } from '../../test/facts.js';
import { missingReference, unregisteredPrerequisites } from './prerequisites.js';

/** Entries that must precede a copied entry in the state [TGT-7]. */

const gone = named('gone');

const references: [string, Partial<ResourceEntry>][] = [
  ['provider', { provider: makeProviderReference(named('gone', 'pulumi:providers:a'), '1') }],
  ['parent', { parent: gone }],
  ['dependency', { dependencies: [gone] }],
  ['property dependency', { propertyDependencies: { k: [gone] } }],
  ['deleted-with', { deletedWith: gone }],
  ['replace-with', { replaceWith: [gone] }],
];

test.each(references)(
  'an entry that stays and whose %s the state does not hold is an error',
  (kind, prior) => {
    const missing = missingReference(factsOf({ prior, targets: [named('other')] }));
    expect(missing).toMatchObject({
      code: 'CAIRN-STATE-INTEGRITY',
      urn: named('res'),
      hint: expect.stringContaining('up without --target'),
    });
    expect(missing?.summary).toMatch(
      new RegExp(`^${kind} urn:.*::gone of untargeted resource ${named('res')} has no old state$`),
    );
  },
);

test.each(references.slice(1))('one whose %s is there is not, and that comes first', (_kind, prior) => {
  const facts = factsOf({ prior, others: [entryOf('gone')], targets: [named('other')] });
  expect(missingReference(facts)).toBeUndefined();
  expect(unregisteredPrerequisites(facts).map(({ entry }) => entry.urn)).toEqual([gone]);
});

test('what it needs comes in the order in which one refers to the other, without pending deletes', () => {
  const facts = factsOf({
    prior: { dependencies: [named('b')], parent: named('a') },
    others: [
      entryOf('b', { dependencies: [named('c')] }),
      entryOf('c', { parent: named('a') }),
      entryOf('a'),
      entryOf('c', { delete: true }),
    ],
    targets: [named('other')],
  });
  expect(unregisteredPrerequisites(facts).map(({ entry }) => [entry.urn, entry.delete])).toEqual(
    ['a', 'c', 'b'].map((name) => [named(name), false]),
  );
});
