import fc from 'fast-check';
import { isCairnError } from '@cairn/diagnostics';
import { checkIntegrity, integrityFaults } from '../document/integrity.js';
import { manifestMagic } from '../document/manifest.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { repairState } from './repair.js';
import { toposort } from '../graph/toposort.js';
import { PROVIDER, ROOT, provider, root, stack, thing, urn } from '../../test/shop.js';

function refusal(deployment: SerializedDeployment): readonly string[] {
  try {
    repairState(deployment);
  } catch (thrown) {
    if (isCairnError(thrown))
      return [thrown.diagnostics[0]?.summary ?? '', ...(thrown.diagnostics[0]?.causes ?? [])];
    throw thrown;
  }
  throw new Error('it was repaired');
}

describe('state repair', () => {
  test('a valid state is left as it is', () => {
    const before = stack(root, provider, thing('a'), thing('b', { dependencies: [urn('a')] }));
    expect(repairState(before)).toEqual({ deployment: before, changed: [], notes: [], faults: [] });
  });

  test('every fault is told, and what is out of order is put in order [INT-5]', () => {
    const before = stack(thing('b', { dependencies: [urn('a')] }), thing('a'), root, provider, thing('c'));
    const { deployment, faults, changed } = repairState(before);
    expect(faults.map(({ number }) => number)).toEqual([7, 8, 9, 7, 8]);
    expect(deployment.resources.map((each) => each.urn)).toEqual([
      PROVIDER,
      ROOT,
      urn('a'),
      urn('b'),
      urn('c'),
    ]);
    expect(changed.every(({ what }) => what === 'put in order')).toBe(true);
    expect(changed.map((each) => each.urn)).toContain(urn('b'));
  });

  test('what leads nowhere is taken out, in every kind of reference', () => {
    const gone = urn('gone');
    const before = stack(
      root,
      provider,
      thing('a', {
        dependencies: [gone, ROOT],
        propertyDependencies: { p: [gone], q: [ROOT, gone], r: null },
        deletedWith: gone,
        replaceWith: [gone],
      }),
    );
    const { deployment, changed } = repairState(before);
    expect(deployment.resources[2]).toEqual(
      thing('a', { dependencies: [ROOT], propertyDependencies: { p: [], q: [ROOT], r: null } }),
    );
    expect(changed).toEqual([
      {
        what: 'take out references',
        urn: urn('a'),
        why: [
          `deleted with ${JSON.stringify(gone)}`,
          `dependency ${JSON.stringify(gone)}`,
          `replaced with ${JSON.stringify(gone)}`,
          `property dependency (of "p") ${JSON.stringify(gone)}`,
          `property dependency (of "q") ${JSON.stringify(gone)}`,
        ].join(', '),
      },
    ]);
  });

  test('who loses its parent loses the type of it, and its children follow, with all that refer to them', () => {
    const child = urn('c', 'x:y:Gone$x:y:Box');
    const grandchild = urn('g', 'x:y:Gone$x:y:Box$a:b:C');
    const before: SerializedDeployment = {
      ...stack(
        root,
        provider,
        { urn: child, type: 'x:y:Box', custom: false, parent: urn('gone', 'x:y:Gone') },
        thing('g', { urn: grandchild, parent: child }),
        thing('b', { dependencies: [grandchild, child], deletedWith: child }),
      ),
      pendingOperations: [{ type: 'updating', resource: thing('g', { urn: grandchild, parent: child }) }],
    };
    const { deployment } = repairState(before);
    const box = urn('c', 'x:y:Box');
    const inBox = urn('g', 'x:y:Box$a:b:C');
    expect(deployment.resources.slice(2)).toEqual([
      { urn: box, type: 'x:y:Box', custom: false },
      thing('g', { urn: inBox, parent: box }),
      thing('b', { dependencies: [inBox, box], deletedWith: box }),
    ]);
    expect(deployment.pendingOperations[0]?.resource).toMatchObject({ urn: inBox, parent: box });
  });

  test('an entry that is there twice in the same words goes once; a manifest gets its mark', () => {
    const before = {
      ...stack(root, provider, thing('a'), thing('a')),
      manifest: { time: 't', version: 'v1', magic: 'x' },
      integrityError: { error: 'old' },
    };
    const { deployment, faults, changed } = repairState(before);
    expect(faults.map(({ rule }) => rule)).toEqual(['magic', 'duplicate']);
    expect(changed.map(({ what }) => what)).toEqual(['renew', 'delete']);
    expect(deployment).toMatchObject({ manifest: { magic: manifestMagic('v1') }, integrityError: undefined });
    expect(deployment.resources).toEqual([root, provider, thing('a')]);
  });

  test.each<[string, readonly SerializedResource[], string]>([
    [
      'two live objects under one URN',
      [root, provider, thing('a'), thing('a', { id: 'other' })],
      'duplicate resource',
    ],
    ['a provider that is not there', [root, thing('a')], 'refers to unknown provider'],
    [
      'a component with an id',
      [root, provider, thing('a', { custom: false })],
      'is not custom but has the id',
    ],
    ['no type', [root, provider, thing('a', { type: '' })], 'lacks the required "type"'],
    ['a provider reference that is none', [root, thing('a', { provider: 'x' })], 'provider reference'],
    [
      'a cycle',
      [root, provider, thing('a', { dependencies: [urn('b')] }), thing('b', { parent: urn('a') })],
      'cyclic dependencies',
    ],
    [
      'a name that another has once the parent is gone',
      [
        root,
        provider,
        thing('a'),
        thing('a', { urn: urn('a', 'x:y:Gone$a:b:C'), parent: urn('gone', 'x:y:Gone') }),
      ],
      'duplicate resource',
    ],
  ])('%s cannot be mended, and says what is left', (_title, resources, text) => {
    const told = refusal(stack(...resources)).join('\n');
    expect(told).toContain(text);
    expect(told).toMatch(/cannot be repaired|cyclic dependencies/);
  });

  test('old refer to the old and new to the new, when both are there', () => {
    const old = thing('a', { id: 'old', delete: true });
    const needsNew = thing('b', { dependencies: [urn('a')] });
    const needsOld = thing('b', { id: 'older', delete: true, dependencies: [urn('a')] });
    const sorted = toposort([needsOld, needsNew, thing('a'), old, provider, root], 'refuse');
    expect(sorted.indexOf(needsOld)).toBeGreaterThan(sorted.indexOf(old));
    expect(sorted.indexOf(needsNew)).toBeGreaterThan(
      sorted.findIndex(({ id, delete: condemned }) => id === 'id-a' && condemned !== true),
    );
    expect(sorted.map((each) => each.id ?? '')).toEqual(['p', '', 'old', 'older', 'id-a', 'id-b']);
  });

  test('a chain as long as a state needs no stack of its length', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      thing(`n${index}`, { dependencies: index === 19_999 ? [] : [urn(`n${index + 1}`)] }),
    );
    expect(toposort([...chain, provider, root], 'refuse').at(-1)?.urn).toBe(urn('n0'));
  });
});

/** A valid state: every entry refers only to earlier ones. */
const valid: fc.Arbitrary<SerializedDeployment> = fc
  .array(
    fc.record({
      parent: fc.option(fc.nat(), { nil: undefined }),
      dependencies: fc.array(fc.nat(), { maxLength: 3 }),
      byProperty: fc.array(fc.nat(), { maxLength: 2 }),
      deletedWith: fc.option(fc.nat(), { nil: undefined }),
      component: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((rows) => {
    const made: SerializedResource[] = [root, provider];
    rows.forEach((row, index) => {
      const things = made.slice(2);
      const at = (number: number): string | undefined => things[number % Math.max(things.length, 1)]?.urn;
      const some = (numbers: readonly number[]): string[] =>
        numbers
          .flatMap((number) => at(number) ?? [])
          .filter((each, place, all) => all.indexOf(each) === place);
      const parent = row.parent === undefined ? ROOT : (at(row.parent) ?? ROOT);
      const chain = parent === ROOT ? '' : `${parent.split('::')[2] ?? ''}$`;
      const deletedWith = row.deletedWith === undefined ? undefined : at(row.deletedWith);
      made.push(
        thing(`n${index}`, {
          urn: urn(`n${index}`, `${chain}a:b:C`),
          parent,
          ...(row.component ? { custom: false, id: '', provider: '' } : {}),
          dependencies: some(row.dependencies),
          propertyDependencies: { p: some(row.byProperty) },
          ...(deletedWith === undefined ? {} : { deletedWith }),
        }),
      );
    });
    return stack(...made);
  });

describe('random states', () => {
  test('what is valid stays as it is, and keeps its order when it is sorted', () => {
    fc.assert(
      fc.property(valid, (deployment) => {
        expect(integrityFaults(deployment)).toEqual([]);
        expect(repairState(deployment).deployment).toBe(deployment);
        expect(toposort(deployment.resources, 'refuse')).toEqual(deployment.resources);
      }),
      { numRuns: 60 },
    );
  });

  test('what is shuffled and has lost entries is valid afterwards, or refused and left alone', () => {
    let repaired = 0;
    fc.assert(
      fc.property(
        valid,
        fc.infiniteStream(fc.nat()),
        fc.array(fc.nat(), { maxLength: 4 }),
        (deployment, order, losses) => {
          const gone = new Set(losses.map((number) => number % deployment.resources.length));
          const left = deployment.resources
            .filter((_, index) => !gone.has(index))
            .map((resource) => ({ resource, place: order.next().value as number }))
            .sort((a, b) => a.place - b.place)
            .map(({ resource }) => resource);
          const before = stack(...left);
          let result;
          try {
            result = repairState(before);
          } catch (thrown) {
            // Only a missing provider cannot be repaired.
            if (!isCairnError(thrown)) throw thrown;
            expect(gone.has(1)).toBe(true);
            return;
          }
          repaired += 1;
          expect(checkIntegrity(result.deployment, 'read').failure).toBeUndefined();
          expect(checkIntegrity(result.deployment, 'write').failure).toBeUndefined();
          const ids = (each: SerializedDeployment) =>
            each.resources.map(({ id, urn: own }) => id || own.split('::')[3]).sort();
          expect(ids(result.deployment)).toEqual(ids(before));
          expect(repairState(result.deployment).changed).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
    expect(repaired).toBeGreaterThan(20);
  });
});
