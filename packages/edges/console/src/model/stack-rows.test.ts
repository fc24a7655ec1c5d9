import { listShows, refreshedRows } from './stack-rows.js';

const rows = (...names: readonly string[]) =>
  names.map((stack) => ({
    ...{ org: 'organization', project: 'shop', stack, tags: {}, running: false, inDoubt: 0 },
  }));

test.each([
  ['rows of later pages stay', ['a', 'b', 'c', 'd'], ['a', 'b'], true, ['a', 'b', 'c', 'd']],
  [
    'a new row moves the end of the page, and no row is twice',
    ['a', 'c', 'd', 'e'],
    ['a', 'b'],
    true,
    ['a', 'b', 'c', 'd', 'e'],
  ],
  ['a row that is gone from the page is gone', ['a', 'b', 'c', 'd'], ['a', 'c'], true, ['a', 'c', 'd']],
  ['without more rows, the page is the list', ['a', 'b', 'c'], ['a'], false, ['a']],
  ['an empty page empties the list', ['a'], [], false, []],
] as const)('%s', (_title, before, page, hasMore, expected) => {
  const found = refreshedRows(rows(...before), rows(...page), hasMore);
  expect(found.map(({ stack }) => stack)).toEqual(expected);
});

test.each([
  ['a stack at rest', 'organization/shop/a', null, true],
  ['an operation that began after the list was read', 'organization/shop/a', 'u1', false],
  ['a stack that is not in the list', 'organization/shop/c', null, false],
])('a list shows what an event says of %s: %s, %s', (_title, stack, running, expected) => {
  expect(listShows(rows('a', 'b'), { stack, running })).toBe(expected);
});
