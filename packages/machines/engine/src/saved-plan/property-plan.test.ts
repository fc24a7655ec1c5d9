import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { meets, propertyPlan, propertyViolation } from './property-plan.js';

type Properties = Record<string, PropertyValue | undefined>;

/** Plans the change from `olds` to `planned`; the update then goes from `now` to `news` [PLAN-6] [PLAN-7]. */
test.each<[string, Properties, Properties, Properties, Properties, string | undefined]>([
  ['nothing planned, nothing done', { a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }, undefined],
  ['an addition as planned', {}, { a: 1 }, {}, { a: 1 }, undefined],
  ['another value added', {}, { a: 1 }, {}, { a: 2 }, '++a[{1}!={2}]'],
  ['an unplanned addition', {}, {}, {}, { a: 2 }, '=+a[{2}]'],
  ['an unplanned change', { a: 1 }, { a: 1 }, { a: 1 }, { a: 2 }, '=~a[{2}]'],
  ['an unplanned removal', { a: 1 }, { a: 1 }, { a: 1 }, {}, '=-a'],
  ['an addition that does not come', {}, { a: 1 }, {}, {}, '+-a[{1}]'],
  ['an addition of something unknown that does not come', {}, { a: UNKNOWN }, {}, {}, undefined],
  ['an addition of a secret unknown that does not come', {}, { a: secret(UNKNOWN) }, {}, {}, undefined],
  ['an addition that is there already', {}, { a: 1 }, { a: 1 }, { a: 1 }, undefined],
  ['an addition that is there otherwise', {}, { a: 1 }, { a: 2 }, { a: 2 }, '+=a[{1}!={2}]'],
  ['an addition as a change', {}, { a: 1 }, { a: 2 }, { a: 1 }, undefined],
  ['an addition as another change', {}, { a: 1 }, { a: 2 }, { a: 3 }, '+~a[{1}!={3}]'],
  ['a change as planned', { a: 1 }, { a: 2 }, { a: 1 }, { a: 2 }, undefined],
  ['another change', { a: 1 }, { a: 2 }, { a: 1 }, { a: 3 }, '~~a[{2}!={3}]'],
  ['a change that was made already', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }, undefined],
  ['a change that is not made', { a: 1 }, { a: 2 }, { a: 1 }, { a: 1 }, '~=a[{2}!={1}]'],
  ['a change of what somebody took away', { a: 1 }, { a: 2 }, {}, { a: 2 }, '~+a[{2}!={2}]'],
  ['a removal instead of a change', { a: 1 }, { a: 2 }, { a: 1 }, {}, '~-a[{2}]'],
  ['a removal instead of an unknown change', { a: 1 }, { a: UNKNOWN }, { a: 1 }, {}, undefined],
  ['a removal as planned', { a: 1 }, {}, { a: 1 }, {}, undefined],
  ['a removal that was made already', { a: 1 }, {}, {}, {}, undefined],
  ['a removal that is not made', { a: 1 }, {}, { a: 1 }, { a: 1 }, '-=a[{1}]'],
  ['a removal that became a change', { a: 1 }, {}, { a: 1 }, { a: 'b' }, '-~a[{b}]'],
  ['a removal that became an addition', { a: 1 }, {}, {}, { a: true }, '-+a[{true}]'],
  ['a secret is not shown', {}, { a: secret('x') }, {}, { a: 'y' }, '++a[{[secret]}!={y}]'],
  ['entries are sorted', {}, {}, {}, { b: null, a: 0.5 }, '=+a[{0.5}], =+b[{<nil>}]'],
])('%s', (_title, olds, planned, now, news, expected) => {
  const plan = propertyPlan(map(olds), map(planned));
  const found = propertyViolation(plan, map(now), map(news));
  expect(found).toBe(expected === undefined ? undefined : `properties changed: ${expected}`);
});

test.each<[PropertyValue, PropertyValue, boolean]>([
  [UNKNOWN, 'anything', true],
  [secret(UNKNOWN), 'anything', true],
  [secret('a'), secret('a'), true],
  [secret('a'), 'a', false],
  [[UNKNOWN, 24], ['a', 24], true],
  [[UNKNOWN, 24], [null, 24], true],
  [[UNKNOWN, 24], [24], false],
  [{ a: 1, b: UNKNOWN }, { a: 1 }, true],
  [{ a: 1, b: UNKNOWN }, { a: 1, b: [] }, true],
  [{ a: 1, b: UNKNOWN }, { b: 1 }, false],
  [{ a: 1 }, { a: 1, c: 2 }, false],
  [{ a: { b: UNKNOWN } }, {}, false],
  ['known', UNKNOWN, false],
])('planned %j, then %j: %s', (planned, value, expected) => {
  expect(meets(planned, value)).toBe(expected);
});

function map(properties: Properties): PropertyMap {
  return propertyMap(properties);
}
