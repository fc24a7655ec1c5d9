import { makeUrn } from '@cairn/addresses';
import { targetSet } from './target-set.js';

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
])('LT2 A1 %j names it: %s', (targets, expected) => {
  expect(targetSet(targets).names(urn)).toBe(expected);
  expect(targetSet(targets).constrained).toBe(targets.length > 0);
});
