import { UNKNOWN, propertyMap } from '@cairn/values';
import { factsOf, named } from '../../test/facts.js';
import { compareDigests, goalDigest } from './goal-digest.js';
import type { Goal } from './goal.js';

const key = Buffer.alloc(32, 1);
const provider = 'urn:pulumi:s::p::pulumi:providers:a::own::id' as Goal['provider'];
const { goal } = factsOf({ goal: { provider, parent: named('parent') } });
/** Digest of the same goal by a version before the present form. */
const EARLIER = 'x.y';

const others: [string, Partial<Goal>][] = [
  ['inputs', { inputs: propertyMap({ k: 3 }) }],
  ['parent', { parent: undefined }],
  ['type', { type: 'a:b:d' }],
  ['kind', { custom: false }],
  ['protect', { protect: true }],
  ['idempotencyKey', { idempotencyKey: 'once' }],
  ['deleteBeforeReplace', { deleteBeforeReplace: false }],
  ['importId', { importId: 'i' }],
  ['customTimeouts', { customTimeouts: { create: 1, update: 0, delete: 0, read: 0 } }],
  ['ignoreChanges', { ignoreChanges: ['k'] }],
  ['dependencies', { dependencies: [named('a')] }],
  ['propertyDependencies', { propertyDependencies: { k: [named('a')] } }],
  ['deletedWith', { deletedWith: named('a') }],
  ['hideDiffs', { hideDiffs: [['k']] }],
  ['replacementTrigger', { replacementTrigger: { a: 1 } }],
  ['resourceHooks', { resourceHooks: { 'before-create': ['h'] } }],
  ['extensionRef', { extensionRef: 'e' }],
];

describe.each([
  ['in the present form', undefined],
  ['in the earlier form', EARLIER],
])('the digest of a goal, %s', (_title, like) => {
  const digestOf = (more: Partial<Goal>): string => goalDigest({ ...goal, ...more }, key, like) ?? '';
  const compared = (more: Partial<Goal>) => compareDigests(digestOf({}), digestOf(more));

  test.each(others)('changes with: %s', (_name, more) => expect(compared(more)).toBe('other'));

  test('has the provider apart', () => expect(compared({ provider: undefined })).toBe('provider'));

  test.each<[string, Partial<Goal>]>([
    ['places and names', { sourcePosition: 'x:1', aliases: [named('old')], lateInputs: ['k'], gates: [] }],
    [
      'blank values of its own',
      { ignoreChanges: [], hideDiffs: [], customTimeouts: { ...goal.customTimeouts } },
    ],
  ])('does not change with: %s', (_name, more) => expect(compared(more)).toBe('same'));

  test('ignores the order of dependencies and keys', () => {
    const [a, b] = [named('a'), named('b')];
    const one = digestOf({ dependencies: [a, b], inputs: propertyMap({ x: 1, y: 2 }) });
    expect(digestOf({ dependencies: [b, a], inputs: propertyMap({ y: 2, x: 1 }) })).toBe(one);
  });

  test('depends on the key', () =>
    expect(goalDigest(goal, Buffer.alloc(32, 2), like)).not.toBe(digestOf({})));

  test('is missing where a value is not known', () => {
    expect(goalDigest({ ...goal, inputs: propertyMap({ k: UNKNOWN }) }, key, like)).toBeUndefined();
  });
});

test('a digest of an earlier version is compared in its form', () => {
  const earlier = goalDigest(goal, key, EARLIER) ?? '';
  // As version 0.1.0 has made it.
  expect(earlier).toBe('doOdghK7CwLwJh4tqUxxqg.ccwi-nVKo73JLsW7io48kw');
  expect(compareDigests(earlier, goalDigest(goal, key, earlier) ?? '')).toBe('same');
  const present = goalDigest(goal, key) ?? '';
  expect(present).toMatch(/^2:[\w-]{21}\.[\w-]{22}$/);
  expect(compareDigests(present, goalDigest(goal, key, present) ?? '')).toBe('same');
});
