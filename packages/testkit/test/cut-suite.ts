import { HELPS, cutScenario } from '../src/cut/index.js';
import type { CutFault, CutScenario } from '../src/cut/index.js';

/** How many of the instants of a run are tried here; `npm run cuts` tries them all. */
const EVERY = Number(process.env['CAIRN_CUTS_EVERY'] ?? 3);

/** Operations that go on are stopped themselves once in so many. */
const AGAIN = 11;

/**
 * Stops every scenario, with providers that help in every way: at every third instant, beginning with another one for each
 * of them. Says how many cuts there were, which must be `atLeast` so many.
 */
export function cutSuite(area: string, scenarios: readonly CutScenario[], atLeast: number): void {
  let cuts = 0;
  let runs = 0;
  describe(`${area}, stopped and gone on with`, () => {
    test.each(scenarios.map((scenario) => [scenario.title, scenario] as const))('%s', async (_, scenario) => {
      const faults: CutFault[] = [];
      for (const [index, help] of HELPS.entries()) {
        const report = await cutScenario(scenario, {
          helps: [help],
          every: EVERY,
          from: index % EVERY,
          again: AGAIN,
        });
        cuts += report.cuts;
        runs += report.runs;
        faults.push(...report.faults);
      }
      expect(faults.slice(0, 2)).toEqual([]);
    });

    test(`there were at least ${atLeast} cuts`, () => {
      process.stderr.write(`${area}: ${cuts} cuts, ${runs} operations went on\n`);
      expect(cuts).toBeGreaterThanOrEqual(EVERY === 3 ? atLeast : 0);
    });
  });
}
