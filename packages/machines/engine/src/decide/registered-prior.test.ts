import { makeProviderReference } from '@cairn/addresses';
import { entryOf, factsOf, named } from '../../test/facts.js';
import type { GivenFacts } from '../../test/facts.js';
import { isBelowItself, registeredPrior } from './registered-prior.js';

const P = named('old', 'pulumi:providers:a');
const Q = named('new', 'pulumi:providers:a');
const prior = makeProviderReference(P, '1');
const present = makeProviderReference(Q, '2');
const providers = (more: Parameters<typeof entryOf>[1] = {}) => [
  entryOf('old', { urn: P, type: 'pulumi:providers:a', id: '1' }),
  entryOf('new', { urn: Q, type: 'pulumi:providers:a', id: '2', ...more }),
];
const moved: GivenFacts = { goal: { provider: present }, prior: { provider: prior }, others: providers() };

/** Registrations with their provider, and the provider that then manages the object. */
const rows: [string, GivenFacts, string | undefined][] = [
  ['none is named: the one that it has', { ...moved, goal: {} }, prior],
  ['the same', { ...moved, goal: { provider: prior } }, prior],
  ['another: it is asked', moved, 'ask'],
  ['another, which takes it as it is', { ...moved, answers: { providerReplaces: false } }, present],
  ['another, which would need a new object', { ...moved, answers: { providerReplaces: true } }, prior],
  [
    'a component has none that could be asked',
    { ...moved, prior: { provider: prior, custom: false } },
    prior,
  ],
  ['nor has a provider', { ...moved, goal: { provider: present, type: 'pulumi:providers:b' } }, prior],
  [
    'the one that is named was left out of the run',
    { ...moved, noted: [{ t: 'left-out', urn: Q, parent: undefined }] },
    prior,
  ],
  [
    'the one that is named needs the resource',
    { ...moved, others: providers({ dependencies: [named('res')] }) },
    prior,
  ],
  [
    'it needs the resource by its former name',
    { ...moved, oldUrn: named('former'), others: providers({ dependencies: [named('former')] }) },
    prior,
  ],
  ['it had none', { ...moved, prior: { provider: undefined } }, present],
];

test.each(rows)('the provider of what stays: %s', (_title, given, expected) => {
  const facts = factsOf(given);
  const kept = registeredPrior(facts, facts.prior as NonNullable<typeof facts.prior>);
  expect(kept.t === 'ask' ? 'ask' : kept.entry.provider).toBe(expected);
  if (kept.t === 'ask')
    expect(kept.question).toEqual({ t: 'provider-change', urn: named('res'), from: prior, to: present });
});

const renamed: GivenFacts = { prior: {}, oldUrn: named('former') };
const above = named('above');
const top = named('top');

const names: [string, GivenFacts, { urn: string; parent?: string; aliases: string[] }][] = [
  ['its own', { prior: { parent: above } }, { urn: named('res'), parent: above, aliases: [] }],
  ['a new one', renamed, { urn: named('res'), aliases: [named('former')] }],
  [
    'a new one below a parent',
    { ...renamed, goal: { parent: above } },
    { urn: named('res'), parent: above, aliases: [named('former')] },
  ],
  [
    'its parent was left out, and stands in the state',
    {
      ...renamed,
      goal: { parent: above },
      others: [entryOf('above')],
      noted: [{ t: 'left-out', urn: above, parent: top }],
    },
    { urn: named('res'), parent: above, aliases: [named('former')] },
  ],
  [
    'its parent was left out and is not in the state: the one above it',
    { ...renamed, goal: { parent: above }, noted: [{ t: 'left-out', urn: above, parent: top }] },
    { urn: named('res'), parent: top, aliases: [named('former')] },
  ],
];

test.each(names)('the name of what stays: %s', (_title, given, expected) => {
  const facts = factsOf(given);
  const kept = registeredPrior(facts, facts.prior as NonNullable<typeof facts.prior>);
  expect(
    kept.t === 'kept' && { urn: kept.entry.urn, parent: kept.entry.parent, aliases: kept.entry.aliases },
  ).toEqual({
    parent: undefined,
    ...expected,
  });
});

test.each<[string, GivenFacts, boolean]>([
  [
    'the parent needs it',
    { ...renamed, goal: { parent: above }, others: [entryOf('above', { dependencies: [named('former')] })] },
    true,
  ],
  [
    'the parent needs what needs it',
    {
      ...renamed,
      goal: { parent: above },
      others: [entryOf('above', { dependencies: [top] }), entryOf('top', { deletedWith: named('res') })],
    },
    true,
  ],
  ['the parent does not', { ...renamed, goal: { parent: above }, others: [entryOf('above')] }, false],
  ['it has no parent', renamed, false],
  [
    'it keeps its name',
    { prior: {}, goal: { parent: above }, others: [entryOf('above', { dependencies: [named('res')] })] },
    false,
  ],
  [
    'it is new',
    { goal: { parent: above }, others: [entryOf('above', { dependencies: [named('res')] })] },
    false,
  ],
])('whether the name puts it below something that depends on it: %s', (_title, given, expected) => {
  expect(isBelowItself(factsOf(given))).toBe(expected);
});
