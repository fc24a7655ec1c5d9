import { asProviderReference, makeUrn } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import type { FieldKind } from '../document/entry-fields.js';
import { resourceEntry } from '../snapshot/resource-entry.js';
import type { ResourceEntry } from '../snapshot/resource-entry.js';
import type { SerializedResource } from '../document/serialized.js';
import { renamedReferences, changedReferences, withChangedReferences } from './change-references.js';
import { referenceList, references, refersToAny } from './references.js';
import type { Referring } from './references.js';

const named = (name: string): Urn => makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name });
const A = named('a');
const B = named('b');
const PROVIDER = makeUrn({ project: 'p', stack: 's', type: 'pulumi:providers:a', name: 'a' });
const ofProvider = (urn: string) => asProviderReference(`${urn}::1`);
const renamed = (urn: Urn) => makeUrn({ project: 'p', stack: 'other', type: 'a:b:c', name: urn.slice(-1) });

/**
 * Fields of an entry, the references they make, the rest once all of those are removed, and the result once everything
 * is renamed.
 */
const rows: [string, Partial<ResourceEntry>, readonly string[], Partial<Referring>, Partial<Referring>][] = [
  ['nothing', {}, [], {}, {}],
  ['a parent', { parent: A }, [`parent ${A}`], {}, { parent: renamed(A) }],
  [
    'dependencies',
    { dependencies: [B, A] },
    [`dependency ${B}`, `dependency ${A}`],
    {},
    { dependencies: [renamed(B), renamed(A)] },
  ],
  [
    'dependencies of properties',
    { propertyDependencies: { y: [A], x: [], w: [B, A] } },
    [`property-dependency ${A} y`, `property-dependency ${B} w`, `property-dependency ${A} w`],
    { propertyDependencies: { y: [], x: [], w: [] } },
    { propertyDependencies: { y: [renamed(A)], x: [], w: [renamed(B), renamed(A)] } },
  ],
  ['what it is deleted with', { deletedWith: A }, [`deleted-with ${A}`], {}, { deletedWith: renamed(A) }],
  [
    'what it is replaced with',
    { replaceWith: [A] },
    [`replace-with ${A}`],
    {},
    { replaceWith: [renamed(A)] },
  ],
  ['the resource that it is a view of', { viewOf: A }, [], { viewOf: A }, { viewOf: renamed(A) }],
  [
    'the view that a provider reports: its parent orders it',
    { viewOf: A, parent: A },
    [`parent ${A}`],
    { viewOf: A },
    { viewOf: renamed(A), parent: renamed(A) },
  ],
  ['an alias', { aliases: [A] }, [], {}, {}],
];

const REFERENCES = ENTRY_FIELD_LIST.filter(({ reference }) => reference !== undefined);
const FIELDS = [...REFERENCES.map(({ key }) => key as keyof Referring), 'viewOf'] as const;

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && Object.keys(value as object).length === 0);
/** Returns the fields with references, without empty ones. */
const held = (of: Referring) =>
  Object.fromEntries(FIELDS.flatMap((field) => (isEmpty(of[field]) ? [] : [[field, of[field]]])));
const listed = (of: Referring) =>
  referenceList(of).map(({ kind, urn, key, reference }) =>
    [kind, urn, key ?? reference].filter((part) => part !== undefined).join(' '),
  );

test.each(REFERENCES.map((field) => [field.key, field] as const))(
  'the references of field %s are listed, renamed and removed',
  (key, { kind, reference }) => {
    const values: Partial<Record<FieldKind, unknown>> = {
      urn: A,
      urns: [A],
      urnLists: { p: [A] },
      reference: `${A}::1`,
    };
    const of: Referring<Urn> = { [key]: values[kind] };
    expect(referenceList(of).map((each) => [each.kind, each.urn])).toEqual([[reference, A]]);
    expect([...references(renamedReferences(of, renamed) ?? {})]).toEqual([renamed(A)]);
    const removed = { ...of, ...changedReferences(of, () => undefined) };
    expect([...references(removed)]).toEqual(reference === 'provider' ? [A] : []);
  },
);

describe('what an entry refers to', () => {
  describe.each(rows)('%s', (_title, fields, refers, without, after) => {
    const entry = resourceEntry({ urn: named('own'), type: 'a:b:c', custom: true, ...fields });
    const stored = { urn: named('own'), type: 'a:b:c', custom: true, ...fields } as SerializedResource;

    test('is the same for an entry in memory and for a stored one', () => {
      expect(listed(entry)).toEqual(refers);
      expect(listed(stored)).toEqual(refers);
      expect([...references<Urn>(entry)]).toEqual([...new Set(referenceList(entry).map(({ urn }) => urn))]);
    });

    test('goes, one by one, when it is not there', () => {
      const changed = changedReferences<Urn>(entry, () => undefined);
      expect(held({ ...entry, ...changed })).toEqual(without);
      expect(
        held(
          withChangedReferences(
            stored,
            changedReferences(stored, () => undefined),
          ),
        ),
      ).toEqual(without);
    });

    test('is renamed', () => {
      expect(held({ ...entry, ...renamedReferences(entry, renamed) })).toEqual(after);
      expect(renamedReferences(entry, (urn: Urn) => urn)).toBeUndefined();
    });
  });

  test('a provider is referred to by its URN; the reference is never taken out, and keeps its id when renamed', () => {
    const entry = resourceEntry({ urn: A, type: 'a:b:c', custom: true, provider: ofProvider(PROVIDER) });
    expect(listed(entry)).toEqual([`provider ${PROVIDER} ${PROVIDER}::1`]);
    expect(changedReferences<Urn>(entry, () => undefined)).toBeUndefined();
    expect(renamedReferences<Urn>(entry, () => B)).toEqual({ provider: `${B}::1` });
  });

  test('the order is the one in which kinds are listed, and empty texts of a file are nothing', () => {
    const stored = {
      replaceWith: ['r', ''],
      deletedWith: 'w',
      propertyDependencies: { k: ['k', ''], none: null },
      dependencies: ['d', ''],
      parent: 'p',
      provider: 'v::1',
    };
    expect(listed(stored).map((each) => each.split(' ')[0])).toEqual([
      'provider',
      'parent',
      'dependency',
      'property-dependency',
      'deleted-with',
      'replace-with',
    ]);
    expect(listed({ provider: '', parent: '', deletedWith: '', dependencies: [''] })).toEqual([]);
  });

  test.each([
    [new Set([A]), undefined, true],
    [new Set([B]), undefined, false],
    [new Set([A]), 'parent', false],
    [new Set([A]), 'dependency', true],
  ] as const)('one of the URNs, in one of the ways that count: row %#', (urns, only, expected) => {
    const entry = resourceEntry({ urn: B, type: 'a:b:c', custom: true, dependencies: [A] });
    expect(refersToAny<Urn>(entry, urns, only && ((kind) => kind === only))).toBe(expected);
  });
});

describe('changing references', () => {
  test.each([
    ['stay', { gone: [], empty: [], none: null, left: [A] }],
    ['go', { left: [A] }],
  ] as const)('keys of properties that have no dependency left: %s', (emptyKeys, expected) => {
    const of = { propertyDependencies: { gone: [B], empty: [], none: null, left: [A, B] } };
    expect(
      changedReferences<string>(of, (urn) => (urn === A ? urn : undefined), emptyKeys)?.propertyDependencies,
    ).toEqual(expected);
  });

  test('lists in which nothing changes are the very same', () => {
    const of = { dependencies: [A], propertyDependencies: { x: [A], y: [B] } };
    const changed = changedReferences<Urn>(of, (urn) => (urn === B ? undefined : urn));
    expect(Object.keys(changed ?? {})).toEqual(['propertyDependencies']);
    expect(changed?.propertyDependencies?.['x']).toBe(of.propertyDependencies.x);
  });

  test('a property may be called like something that every object has', () => {
    const lists = Object.fromEntries([['__proto__', [A]]]);
    const changed = changedReferences<Urn>({ propertyDependencies: lists }, () => B);
    expect(Object.entries(changed?.propertyDependencies ?? {})).toEqual([['__proto__', [B]]]);
  });
});
