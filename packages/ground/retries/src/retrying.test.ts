import { delayAfter, retrying } from './retrying.js';
import type { Passing, RetryBudget, RetryLimits, RetryRules } from './retrying.js';
import { retryAfterMs } from './retry-after.js';

const LIMITS: RetryLimits = { attempts: 4, firstMs: 100, mostMs: 500, askedMostMs: 3000, totalMs: 7000 };

class Passes extends Error {
  constructor(readonly passing: Passing = {}) {
    super('it may pass');
  }
}

/** Returns rules whose pauses take no time and are recorded. */
function rules(budget?: RetryBudget): RetryRules & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    limits: LIMITS,
    budget,
    passing: (thrown) => (thrown instanceof Passes ? thrown.passing : undefined),
    ports: {
      random: () => 0.5,
      now: () => slept.reduce((sum, ms) => sum + ms, 0),
      sleep: async (ms) => void slept.push(ms),
    },
  };
}

/** Fails with each of the given failures in turn, then returns the number of failures that it received. */
function failing(...failures: readonly Error[]) {
  return async (before: readonly unknown[]): Promise<number> => {
    const failure = failures[before.length];
    if (failure !== undefined) throw failure;
    expect(before).toEqual(failures);
    return before.length;
  };
}

test.each([
  [1, undefined, 50],
  [2, undefined, 100],
  [3, undefined, 200],
  [4, undefined, 250],
  [9, undefined, 250],
  [1, 0, 50],
  [1, 2000, 2000],
  [1, 600_000, 3000],
])('after attempt %d, asked for %s ms: %d ms', (failed, asked, ms) => {
  expect(delayAfter(failed, asked, LIMITS, () => 0.5)).toBe(ms);
});

const passes = (afterMs?: number) => new Passes({ afterMs });
const RUNS: [string, Error[], number | string, number[]][] = [
  ['at once', [], 0, []],
  ['after failures that pass', [passes(), passes(2000), passes()], 3, [50, 2000, 200]],
  ['a failure that does not pass', [new Error('no')], 'no', []],
  ['one that does not pass after one that does', [passes(), new Error('no')], 'no', [50]],
  ['too many attempts', [passes(), passes(), passes(), passes()], 'it may pass', [50, 100, 200]],
  ['too long in all', [passes(3000), passes(3000), passes(3000)], 'it may pass', [3000, 3000]],
];

test.each(RUNS)('%s', async (_title, failures, expected, slept) => {
  const world = rules();
  const end = await retrying(world, failing(...failures)).catch((thrown: Error) => thrown.message);
  expect([end, world.slept]).toEqual([expected, slept]);
});

test('a budget is asked before each repetition, and told of each success', async () => {
  const told: string[] = [];
  let left = 12;
  const budget: RetryBudget = {
    pay: (price) => {
      told.push(`pay ${price}`);
      left -= price;
      return left >= 0;
    },
    earn: (paid) => void told.push(`earn ${paid}`),
  };
  const dear = new Passes({ price: 5 });
  expect(await retrying(rules(budget), failing(dear, dear))).toBe(2);
  expect(await retrying(rules(budget), failing())).toBe(0);
  await expect(retrying(rules(budget), failing(dear, dear))).rejects.toBe(dear);
  expect(told).toEqual(['pay 5', 'pay 5', 'earn 5', 'earn 0', 'pay 5']);
});

test.each([
  [undefined, undefined],
  [null, undefined],
  ['', undefined],
  [' ', undefined],
  ['soon', undefined],
  ['2', 2000],
  [' 2 ', 2000],
  ['0.5', 500],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
])('Retry-After: %s is %s', (header, expected) => {
  expect(retryAfterMs(header, 10_000)).toBe(expected);
});
