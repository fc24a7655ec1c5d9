import { isNewNotice, runOfNotice } from './notices.js';

const at = (hour: number): string => `2030-01-01T0${hour}:00:00.000Z`;
const notice = {
  ...{ type: 'run-waits', key: 'shop/dev 1', occurrences: 2 },
  ...{ 'first-occurred': at(1), 'last-repeated': at(3) },
};

test.each([
  ['that no person has seen is new', undefined, true],
  ['that was seen since is not new', { by: 'ann', at: at(4) }, false],
  ['that was repeated after a person saw it is new', { by: 'ann', at: at(2) }, true],
])('a notice %s', (_title, acknowledged, expected) => {
  expect(isNewNotice({ ...notice, ...(acknowledged && { acknowledged }) })).toBe(expected);
});

test('a notice about a stack names the run of its data', () => {
  const name = { org: 'acme', project: 'shop', stack: 'dev' };
  expect(runOfNotice({ key: 'acme/shop/dev', 'last-data': { run: '4' } })).toEqual({ name, number: 4 });
});

test.each([
  ['acme/shop/dev 12', { name: { org: 'acme', project: 'shop', stack: 'dev' }, number: 12 }],
  ['acme/shop/dev', undefined],
  ['acme/shop/dev dev', undefined],
  ['acme/shop/dev 0', undefined],
  ['runner-1', undefined],
])('the key %j names the run %j', (key, run) => {
  expect(runOfNotice({ key })).toEqual(run);
});
