import type { Claim } from './claims.js';
import { EVERYTHING, findConflict } from './claims.js';

const own = (key: string): Claim => ({ key, mode: 'exclusive' });
const shared = (key: string): Claim => ({ key, mode: 'shared' });

test.each([
  ['different keys', [own('a')], [own('b')], undefined],
  ['the same key', [own('a')], [own('b'), own('a')], 'a'],
  ['one of them shared', [shared('a')], [own('a')], 'a'],
  ['both shared', [shared('a')], [shared('a')], undefined],
  ['CH-217 one holds everything', [own(EVERYTHING)], [own('a')], 'a'],
  ['CH-218 one wants everything', [own('a')], [own(EVERYTHING)], EVERYTHING],
])('%s', (_title, held, wanted, key) => {
  const conflict = findConflict([{ changeId: '1', changeKind: 'up', claims: held }], wanted);
  expect(conflict).toEqual(key === undefined ? undefined : { changeId: '1', changeKind: 'up', key });
});

test('nothing held, nothing in the way', () => {
  expect(findConflict([], [own(EVERYTHING)])).toBeUndefined();
});
