import { checkIntegrity, encodeSnapshot, newManifest } from '@cairn/state';
import { CUT_SCENARIOS, startLine, stoppedAt } from '@cairn/testkit/cut';
import { sealing } from '@cairn/testkit/cut';
import { stackBefore } from '@cairn/testkit/cut';
import { secretFaults } from '@cairn/testkit/cut';

/** Remains of a process that dies at any instant, before another one continues its operation. */
describe.each(CUT_SCENARIOS.map((scenario) => ({ title: scenario.title, scenario })))(
  '$title',
  ({ scenario }) => {
    test('at every instant there is a state that can be read, and no secret can', async () => {
      const { snapshot, world } = await stackBefore(scenario, 'nothing');
      const { line, watch } = await startLine(scenario, snapshot, world);
      expect(watch.instants.length).toBeGreaterThan(3);
      for (const instant of watch.instants) {
        const deployment = encodeSnapshot(
          stoppedAt(line, instant).snapshot,
          newManifest(new Date(0), 'v1.0.0'),
          sealing,
        );
        expect(checkIntegrity(deployment, 'read').failure).toBeUndefined();
      }
      expect(secretFaults(line.changes.flatMap(({ records }) => records))).toEqual([]);
    });
  },
);

test('there are at least 60 scenarios, each with a title of its own', () => {
  const titles = CUT_SCENARIOS.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.length).toBeGreaterThanOrEqual(60);
});
