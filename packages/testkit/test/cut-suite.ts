import { HELPS, cutScenario } from '../src/cut/index.js';
import type { CutFault, CutScenario } from '../src/cut/index.js';

/**
 * How many of the instants of a run are tried here; `npm run cuts` tries them all, the continuous integration every
 * third.
 */
const EVERY = Number(process.env['CAIRN_CUTS_EVERY'] ?? 12);

/** Operations that go on are stopped themselves once in so many. */
const AGAIN = 11;

/**
 * Stops every scenario, with providers that help in every way: at every so many instants, beginning with another one
 * for each of them. Says how many cuts there were. `instants`: how many there are at least, of all scenarios and ways
 * of helping.
 */
export function cutSuite(area: string, scenarios: readonly CutScenario[], instants: number): void {
  let cuts = 0;
  let runs = 0;
  describe(`${area}, stopped and gone on with`, () => {
    test.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', async (_, scenario) => {
      const faults: CutFault[] = [];
      for (const [index, help] of HELPS.entries()) {
        const report = await cutScenario(scenario, {
          helps: [help],
          every: EVERY,
          from: (index * 3) % EVERY,
          again: AGAIN,
        });
        cuts += report.cuts;
        runs += report.runs;
        faults.push(...report.faults);
      }
      expect(faults.slice(0, 2)).toEqual([]);
    });

    test('so many were tried', () => {
      process.stderr.write(`${area}: ${cuts} cuts, ${runs} operations went on\n`);
      expect(cuts).toBeGreaterThanOrEqual(Math.floor(instants / EVERY));
    });
  });
}
