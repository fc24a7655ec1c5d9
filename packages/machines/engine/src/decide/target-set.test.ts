import { makeUrn } from '@cairn/addresses';
import { targetSet, unknownTargets } from './target-set.js';

const urn = makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name: 'name.x' });

test.each([
  [['urn:pulumi:s::p::a:b:c::name.x'], true],
  [['urn:pulumi:s::p::a:b:c::name'], false],
  [['**name.x'], true],
  [['**nameyx'], false],
  [['*name.x'], false],
  [['urn:pulumi:s::p::a:*:c::*'], true],
  [['urn:pulumi:s::p::*::name.x'], false],
  [['**b**'], true],
  [['nothing', '**'], true],
  [[], false],
])('%j names it: %s [TGT-1]', (targets, expected) => {
  expect(targetSet(targets).names(urn)).toBe(expected);
  expect(targetSet(targets).constrained).toBe(targets.length > 0);
});

test('literals that name nothing are found, globs are not asked', () => {
  const set = targetSet(['known', 'gone', 'un$known', '**nothing']);
  const { each, end } = unknownTargets(set, (urn) => String(urn) === 'known');
  expect(each.map(({ summary, hint }) => [summary, hint?.includes('quote')])).toEqual([
    ["Target 'gone' could not be found in the stack.", true],
    ["Target 'un$known' could not be found in the stack.", false],
  ]);
  expect(end.map(({ summary }) => summary)).toEqual(['one or more targets could not be found in the stack']);
  expect(unknownTargets(set, () => true)).toEqual({ each: [], end: [] });
});
