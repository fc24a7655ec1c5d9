import { joinUrn } from '@cairn/addresses';
import { checkIntegrity, emptyDeployment } from '@cairn/state';
import type { SerializedDeployment, SerializedResource } from '@cairn/state';
import fc from 'fast-check';
import { mergeStates } from './merge-states.js';

const urn = (name: string): string => joinUrn('dev', 'shop', 'test:index:Thing', name);

function entry(name: string, more: Partial<SerializedResource> = {}): SerializedResource {
  return { urn: urn(name), type: 'test:index:Thing', custom: false, ...more };
}

const state = (...resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  resources,
});
const names = ({ resources }: SerializedDeployment): string =>
  resources.map((each) => each.urn.split('::').at(-1) + (each.delete === true ? '!' : '')).join(' ');

const A = entry('a');
const B = entry('b', { dependencies: [urn('a')] });
const C = entry('c');
const A2 = entry('a', { outputs: { v: 2 } });
const C2 = entry('c', { outputs: { v: 2 } });

describe.each([
  ['in one order', false],
  ['in the other order', true],
])('%s', (_title, turned) => {
  test.each<readonly [string, SerializedDeployment, SerializedDeployment, SerializedDeployment, string]>([
    ['each adds something', state(A), state(entry('x'), A), state(entry('y'), A), 'a x y'],
    ['one updates, one deletes', state(A, B, C), state(A2, B, C), state(A, B), 'a b'],
    [
      'both brought the same entry forward',
      state(A, C),
      state(A, entry('x', { parent: urn('a') }), C),
      state(A, entry('y', { parent: urn('a') }), C),
      'a c x y',
    ],
    ['one did nothing', state(A, B), state(A, B), state(A2, B), 'a b'],
    [
      'one replaced, the old object is left',
      state(A, B, C),
      state(A2, { ...A, delete: true }, B, C),
      state(A, B, C2),
      'a a! b c',
    ],
    ['both deleted', state(A, B, C), state(A, B), state(A, C), 'a'],
  ])('%s', (_row, base, one, two, expected) => {
    const merged = mergeStates(base, turned ? [two, one] : [one, two]);
    expect(names(merged).split(' ').sort().join(' ')).toBe(expected);
    expect(checkIntegrity(merged, 'write').failure).toBeUndefined();
  });

  test('what two did to different keys of the same outputs is in the state', () => {
    const root = entry('r', { outputs: { a: 1, b: 1, c: 1 } });
    const one = state(entry('r', { outputs: { a: 2, b: 1, c: 1 } }));
    const two = state(entry('r', { outputs: { a: 1, b: 2, d: 3 }, protect: true }));
    const merged = mergeStates(state(root), turned ? [two, one] : [one, two]);
    expect(merged.resources).toEqual([entry('r', { outputs: { a: 2, b: 2, d: 3 }, protect: true })]);
  });

  test('pending steps of both are kept, and one that was settled is gone', () => {
    const pending = (name: string) => ({ type: 'creating' as const, resource: entry(name) });
    const base = { ...state(A), pendingOperations: [pending('x'), pending('y')] };
    const one = { ...base, pendingOperations: [pending('z'), pending('x')] };
    const merged = mergeStates(base, turned ? [base, one] : [one, base]);
    expect(merged.pendingOperations).toEqual([pending('z'), pending('x')]);
  });
});

test('of two values for one thing the later counts', () => {
  const merged = mergeStates(state(A), [state(A2), state(entry('a', { outputs: { v: 3 } }))]);
  expect(merged.resources).toEqual([entry('a', { outputs: { v: 3 } })]);
});

/** Work of an operation on its own part of the stack: for each of its names, nothing, update, delete or add. */
type Work = 'keep' | 'update' | 'delete' | 'add';

function work(
  base: readonly SerializedResource[],
  part: ReadonlyMap<string, Work>,
  mark: string,
): readonly SerializedResource[] {
  const fresh: SerializedResource[] = [];
  const rest: SerializedResource[] = [];
  for (const resource of base) {
    const what = part.get(resource.urn);
    if (what === 'delete') continue;
    if (what === 'update') rest.push({ ...resource, outputs: { by: mark } });
    else rest.push(resource);
  }
  for (const [target, what] of part)
    if (what === 'add') fresh.push({ urn: `${target}-${mark}`, type: 'test:index:Thing', custom: false });
  return [...fresh, ...rest];
}

/** Deletes only resources to which no other one refers, so that each operation alone leaves a consistent state. */
function lawful(
  base: readonly SerializedResource[],
  part: ReadonlyMap<string, Work>,
): ReadonlyMap<string, Work> {
  const needed = new Set(base.flatMap((resource) => resource.dependencies ?? []));
  return new Map(
    [...part].map(([name, what]) => [name, what === 'delete' && needed.has(name) ? 'keep' : what]),
  );
}

test('operations on disjoint parts come to the same as one after the other, in any order, and the state is in order', () => {
  const graph = fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { minLength: 1, maxLength: 12 });
  const works = fc.array(fc.constantFrom<Work>('keep', 'update', 'delete', 'add'), {
    minLength: 12,
    maxLength: 12,
  });
  const owners = fc.array(fc.nat(2), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(graph, works, owners, (edges, whats, owner) => {
      const base = edges.map((needs, index) =>
        entry(`n${index}`, {
          dependencies: [...new Set(needs.map((n) => n % (index + 1)))]
            .filter((n) => n < index)
            .map((n) => urn(`n${n}`)),
        }),
      );
      const parts = [0, 1, 2].map((who) =>
        lawful(
          base,
          new Map(
            base.flatMap((each, index) =>
              owner[index] === who ? [[each.urn, whats[index] as Work] as const] : [],
            ),
          ),
        ),
      );
      const results = parts.map((part, who) => state(...work(base, part, `op${who}`)));
      const after = parts.reduce<readonly SerializedResource[]>(
        (soFar, part, who) => work(soFar, part, `op${who}`),
        base,
      );
      const asSet = (resources: readonly SerializedResource[]): readonly string[] =>
        resources.map((each) => JSON.stringify(each)).sort();
      for (const turned of [results, results.toReversed()]) {
        const merged = mergeStates(state(...base), turned);
        expect(asSet(merged.resources)).toEqual(asSet(after));
        expect(checkIntegrity(merged, 'write').failure).toBeUndefined();
      }
    }),
    { numRuns: 300 },
  );
});
