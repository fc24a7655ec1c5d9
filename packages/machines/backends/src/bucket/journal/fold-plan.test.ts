import { planOf, plansIn, sealedOf, stampAfter } from './fold-plan.js';
import type { ClosedFold, FoldMember } from './fold-plan.js';
import type { FoldFile, FoldPlan } from './journal-files.js';

const NOW = '1900000000000000007';
const end = { result: 'succeeded', ended: '2030-01-01T00:00:00Z' } as const;
const written = { base: 'sha256-a', checkpoint: 'sha256-b', stamp: NOW };

test.each([
  ['there is none', undefined, NOW],
  ['it is earlier', '1800000000000000000', NOW],
  ['it is the present', NOW, '1900000000000000008'],
  ['the clock went back', '1900000000000000100', '1900000000000000101'],
  ['it is no number', 'x', NOW],
  ['it has too many digits', '9'.repeat(31), NOW],
])('the stamp of a fold follows the last one where %s', (_case, last, stamp) => {
  expect(String(stampAfter(last === undefined ? undefined : { stamp: last }, NOW))).toBe(stamp);
});

test('an announcement names the folds that it replaces, the newest first', () => {
  const member = { history: undefined, end } as FoldMember;
  const first: FoldFile = planOf('lock-1', member, written);
  expect(first).toEqual({ lock: 'lock-1', ...written, end });
  const seen = { content: first, version: '1' } as unknown as FoldMember['seen'];
  const again: FoldFile = planOf('lock-2', { ...member, seen }, { ...written, stamp: '2', same: true });
  expect(again.lock).toBe('lock-2');
  expect(plansIn(again).map(({ stamp, same }) => [stamp, same])).toEqual([
    ['2', true],
    [NOW, undefined],
  ]);
  expect(plansIn(again).every((plan) => !('lock' in plan) && !('earlier' in plan))).toBe(true);
});

test('a closed journal tells its fold, and what saves a look', () => {
  const plan: FoldPlan = { ...written, end };
  const closed = { end } as ClosedFold;
  const least = { lock: 'lock', ...end, checkpoint: 'sha256-b', stamp: NOW };
  expect(sealedOf('lock', closed, plan)).toEqual(least);
  expect(Object.keys(sealedOf('lock', closed, plan))).not.toContain('same');
  const more = { outline: { ends: 1 }, began: { lock: 'lock' }, records: '' };
  const known = { ...closed, ...more } as unknown as ClosedFold;
  expect(sealedOf('lock', known, { ...plan, same: true })).toEqual({ ...least, ...more, same: true });
});
