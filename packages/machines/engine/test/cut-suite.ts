import { HELPS, cutScenario } from '@cairn/testkit/cut';
import type { CutScenario } from '@cairn/testkit/cut';

/**
 * Interval of the instants that are tried here. `npm run cuts` tries them all, with every way in which providers help;
 * the continuous integration tries each with one or two of them.
 */
const EVERY = Number(process.env['CAIRN_CUTS_EVERY'] ?? 6);

/** Interval of the continued operations that are stopped themselves. */
const AGAIN = 11;

/**
 * Stops every scenario at instants in an interval, beginning with a different one for each. Providers help in one of
 * several ways, which alternate; `npm run cuts` tries every way with each. Reports the number of cuts. `instants`:
 * minimum number of instants over all scenarios and ways of helping.
 */
export function cutSuite(area: string, scenarios: readonly CutScenario[], instants: number): void {
  let cuts = 0;
  let runs = 0;
  describe(`${area}, stopped and gone on with`, () => {
    const cases = scenarios.map((scenario, index) => {
      const help = HELPS[index % HELPS.length] ?? 'nothing';
      return { title: scenario.title, scenario, help, from: (index * 5) % EVERY };
    });
    test.each(cases)('$title; providers help with $help', async ({ scenario, help, from }) => {
      const report = await cutScenario(scenario, { helps: [help], every: EVERY, from, again: AGAIN });
      cuts += report.cuts;
      runs += report.runs;
      expect(report.faults.slice(0, 2)).toEqual([]);
    });

    test('so many were tried', () => {
      process.stderr.write(`${area}: ${cuts} cuts, ${runs} operations went on\n`);
      expect(cuts).toBeGreaterThanOrEqual(Math.floor(instants / EVERY / HELPS.length));
    });
  });
}
