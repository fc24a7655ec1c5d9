import { jest } from '@jest/globals';
import { fuzzCuts } from '@cairn/testkit/cut';

jest.setTimeout(300_000);

/** Number of runs; `npm run cuts -- --random N --seed S` takes others. */
const RUNS = Number(process.env['CAIRN_RANDOM_CUTS'] ?? 40);

test('random operations that are stopped at random instants lose nothing and make nothing twice', async () => {
  const { runs, failure } = await fuzzCuts({ seed: 4, runs: RUNS });
  expect(failure ?? 'well').toBe('well');
  expect(runs).toBe(RUNS);
});
