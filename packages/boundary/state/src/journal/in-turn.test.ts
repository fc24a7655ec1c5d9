import { inTurn } from './in-turn.js';
import { PROVIDER, ROOT, provider, root, stack, thing, urn } from '../../test/shop.js';

const before = stack(root, provider, thing('a'), thing('b', { dependencies: [urn('a')] }), thing('c'));
const urnsIn = (order: readonly number[] | undefined): readonly string[] =>
  inTurn(before, order).resources.map((each) => each.urn);

test('entries stand in the order that an operation gives them', () => {
  expect(urnsIn([0, 1, 4, 2, 3])).toEqual([ROOT, PROVIDER, urn('c'), urn('a'), urn('b')]);
  expect(inTurn(before, [0, 1, 4, 2, 3])).toEqual({ ...before, resources: expect.anything() });
});

test.each<[string, readonly number[] | undefined]>([
  ['no order', undefined],
  ['an order of fewer', [0, 1]],
  ['one twice', [0, 1, 2, 3, 3]],
  ['one that is not there', [0, 1, 2, 3, 5]],
  ['something before what it refers to', [0, 1, 3, 2, 4]],
])('%s leaves the deployment as it is', (_title, order) => {
  expect(inTurn(before, order)).toBe(before);
});

test('who is replaced with another stays behind it: writers do not check that, readers do', () => {
  const bound = stack(root, thing('a'), thing('b', { replaceWith: [urn('a')] }));
  expect(inTurn(bound, [0, 2, 1])).toBe(bound);
});
