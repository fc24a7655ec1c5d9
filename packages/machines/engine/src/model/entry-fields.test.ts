import { asUrn } from '@cairn/addresses';
import { resourceEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { parsePath, propertyMap, secret } from '@cairn/values';
import { changesNothing } from './changes-nothing.js';
import { mustWrite, mustWriteAtEnd, sameEntry } from './entry-fields.js';
import type { StepKind } from './step-kinds.js';
import type { StepView } from './step-view.js';

const urn = asUrn('urn:pulumi:dev::p::a:b:C::x');
const [y, z] = ['y', 'z'].map((name) => asUrn(`urn:pulumi:dev::p::a:b:C::${name}`)) as [
  typeof urn,
  typeof urn,
];
const entry = (more: Partial<ResourceEntry> = {}): ResourceEntry =>
  resourceEntry({ urn, type: 'a:b:C', custom: true, id: 'i', ...more });
const path = (text: string) => parsePath(text);

/**
 * Pairs of entries with their difference: none, one that no file stores, or the moment when a `same` step writes it
 * [STATE-7].
 */
test.each<
  [string, Partial<ResourceEntry>, Partial<ResourceEntry>, 'same' | 'now' | 'end' | 'never' | 'unstored']
>([
  ['nothing', {}, {}, 'same'],
  ['another URN', {}, { urn: y }, 'now'],
  ['another type', {}, { type: 'a:b:D' }, 'now'],
  ['a component', {}, { custom: false }, 'now'],
  ['another object', {}, { id: 'j' }, 'never'],
  ['another parent', {}, { parent: y }, 'now'],
  ['another provider', {}, { provider: `${y}::id` as never }, 'now'],
  ['pending delete', {}, { delete: true }, 'never'],
  ['pending replacement', {}, { pendingReplacement: true }, 'never'],
  ['tainted', {}, { taint: true }, 'never'],
  ['read', {}, { external: true }, 'now'],
  ['refreshed before updates', {}, { refreshBeforeUpdate: true }, 'never'],
  ['a view', {}, { viewOf: y }, 'never'],
  ['failed to start', {}, { initErrors: ['e'] }, 'never'],
  ['found under another name', {}, { aliases: [y] }, 'unstored'],
  ['made at another time', { created: '1' }, { created: '2' }, 'never'],
  ['changed at another time', {}, { modified: '2' }, 'never'],
  ['other inputs', { inputs: propertyMap({ a: 1 }) }, { inputs: propertyMap({ a: 2 }) }, 'now'],
  ['equal inputs', { inputs: propertyMap({ a: [1] }) }, { inputs: propertyMap({ a: [1] }) }, 'same'],
  [
    'an input made secret',
    { inputs: propertyMap({ a: 1 }) },
    { inputs: propertyMap({ a: secret(1) }) },
    'now',
  ],
  ['other outputs', {}, { outputs: propertyMap({ a: 2 }) }, 'now'],
  ['protected', {}, { protect: true }, 'now'],
  ['retained', {}, { retainOnDelete: true }, 'now'],
  ['import id', {}, { importId: 'i' }, 'now'],
  ['deleted with another', { deletedWith: y }, { deletedWith: z }, 'now'],
  ['a timeout', {}, { customTimeouts: { create: 1, update: 0, delete: 0, read: 0 } }, 'now'],
  [
    'no timeouts in another object',
    {},
    { customTimeouts: { create: 0, update: 0, delete: 0, read: 0 } },
    'same',
  ],
  ['another dependency', { dependencies: [y] }, { dependencies: [z] }, 'now'],
  ['the order of dependencies', { dependencies: [y, z] }, { dependencies: [z, y] }, 'same'],
  ['a dependency in place of another', { dependencies: [y, y] }, { dependencies: [y, z] }, 'now'],
  ['the order of replaceWith', { replaceWith: [y, z] }, { replaceWith: [z, y] }, 'now'],
  ['a property with dependencies', {}, { propertyDependencies: { a: [y] } }, 'now'],
  ['a property without', {}, { propertyDependencies: { a: [] } }, 'now'],
  ['another property', { propertyDependencies: { a: [] } }, { propertyDependencies: { b: [] } }, 'now'],
  [
    'the order of properties',
    { propertyDependencies: { a: [y], b: [] } },
    { propertyDependencies: { b: [], a: [y] } },
    'same',
  ],
  ['a hook', {}, { resourceHooks: { BeforeCreate: ['h'] } }, 'now'],
  ['another extension', {}, { extensionRef: 'r' }, 'now'],
  ['a replacement trigger', {}, { replacementTrigger: 1 }, 'now'],
  ['no replacement trigger, and null', {}, { replacementTrigger: null }, 'now'],
  ['an equal trigger', { replacementTrigger: [1] }, { replacementTrigger: [1] }, 'same'],
  ['another place in the program', {}, { sourcePosition: 'project:///a.ts#1' }, 'end'],
  ['a frame', {}, { stackTrace: [{ sourcePosition: 'project:///a.ts#1' }] }, 'end'],
  [
    'an equal frame',
    { stackTrace: [{ sourcePosition: 'x' }] },
    { stackTrace: [{ sourcePosition: 'x' }] },
    'same',
  ],
  ['ignored changes', {}, { ignoreChanges: ['a'] }, 'end'],
  ['their order', { ignoreChanges: ['a', 'b'] }, { ignoreChanges: ['b', 'a'] }, 'end'],
  ['replaceOnChanges', {}, { replaceOnChanges: ['a'] }, 'end'],
  ['secret outputs', {}, { additionalSecretOutputs: ['a'] }, 'end'],
  ['hidden differences', { hideDiffs: [path('a.b')] }, { hideDiffs: [path('a.c')] }, 'end'],
  ['equal paths', { hideDiffs: [path('a.b')] }, { hideDiffs: [path('a.b')] }, 'same'],
  ['another snippet', {}, { snippetId: 'u' }, 'end'],
])('%s', (_title, before, after, difference) => {
  for (const [a, b] of [
    [entry(before), entry(after)],
    [entry(after), entry(before)],
  ] as const) {
    expect(sameEntry(a, b)).toBe(difference === 'same' || difference === 'unstored');
    expect([mustWrite(a, b), mustWriteAtEnd(a, b)]).toEqual([difference === 'now', difference === 'end']);
  }
});

test.each<[StepKind, Partial<ResourceEntry> | undefined, boolean]>([
  ['same', {}, true],
  ['same', { sourcePosition: 'project:///a.ts#1', stackTrace: [{ sourcePosition: 'x' }] }, true],
  ['same', { retainOnDelete: true }, false],
  ['same', { dependencies: [y] }, false],
  ['same', { urn: y }, false],
  ['read', {}, true],
  ['read', { outputs: propertyMap({ a: 1 }) }, false],
  ['refresh', {}, true],
  ['refresh', undefined, false],
  ['update', {}, false],
  ['delete', undefined, false],
])('a step of kind %s that leaves %j changes nothing: %s', (kind, more, nothing) => {
  const step = { kind, old: entry(), new: more && entry(more) } as StepView;
  expect(changesNothing({ t: 'step-ended', step, planning: true, elapsedMs: 0 })).toBe(nothing);
});
