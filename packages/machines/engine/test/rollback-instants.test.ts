import { checkIntegrity, encodeSnapshot, newManifest } from '@cairn/state';
import { CUT_SCENARIOS, cutScenario, startLine, stoppedAt } from '@cairn/testkit/cut';
import type { CutScenario } from '@cairn/testkit/cut';
import { sealing } from '@cairn/testkit/cut';
import { stackBefore } from '@cairn/testkit/cut';

const TYPE = 'pkgA:m:typA';

/** `kept` remains the same object, and refers to the one that the operation makes. */
const refersToNew: CutScenario = {
  title: 'what stays refers to what is taken away again',
  before: [async ({ resource }) => void (await resource(TYPE, 'kept'))],
  program: async ({ resource }) => {
    const { urn } = await resource(TYPE, 'made');
    await resource(TYPE, 'kept', {}, { dependencies: [urn] });
    await resource(TYPE, 'bad', { broken: 'fail' }, { dependencies: [urn] });
  },
  policy: { onError: 'rollback' },
};

test('while an operation is rolled back, what stays never refers to what is gone already [REC-4]', async () => {
  const { snapshot, world } = await stackBefore(refersToNew, 'nothing');
  const { line, outcome, watch } = await startLine(refersToNew, snapshot, world);
  expect(outcome.result.summary.result).toBe('rolled-back');
  expect(line.snapshot.resources.find(({ id }) => id === 'id-1')?.dependencies).toEqual([]);
  const broken = watch.instants.map((instant) => {
    const { snapshot: left } = stoppedAt(line, instant);
    const deployment = encodeSnapshot(left, newManifest(new Date(0), 'v1.0.0'), sealing);
    return checkIntegrity(deployment, 'read').failure?.summary;
  });
  expect(broken.filter((summary) => summary !== undefined)).toEqual([]);
});

/** `a` stays because `b` does, which cannot be deleted. */
const neededByKept: CutScenario = {
  title: 'what stays needs another one',
  program: async ({ resource }) => {
    const { urn } = await resource(TYPE, 'a');
    const b = await resource(TYPE, 'b', {}, { dependencies: [urn] });
    await resource(TYPE, 'c', { broken: 'fail' }, { dependencies: [b.urn] });
  },
  scripts: { b: { delete: 'fail' } },
  policy: { onError: 'rollback' },
};

test('a resume keeps what an earlier change has made and a resource needs that it cannot delete [REC-9]', async () => {
  const { runs, faults } = await cutScenario(neededByKept, { helps: ['tokens'], every: 1, again: 0 });
  expect(runs).toBeGreaterThan(20);
  // Only the rollback itself cannot end well.
  expect(faults.filter(({ how }) => how === 'resume')).toEqual([]);
  expect(faults.flatMap(({ faults: lines }) => lines).filter((line) => /throws/.test(line))).toEqual([]);
});

/** Instants at which a process dies, and how many of the operations that continue it die as well. */
test.each([
  ['another name and another value', 'tokens', 4, 0],
  ['what was replaced contains another one', 'tokens', 14, 2],
  ['what a broken component and a whole one use stays, what two broken ones use goes', 'tokens', 39, 1],
  ['what a broken component and a whole one use stays, what two broken ones use goes', 'tokens', 42, 1],
  ['undone: a replacement, delete first', 'nothing', 29, 1],
] as const)(
  'a rollback deletes what it should, and only once: %s; helped by %s at %d [REC-1] [REC-4] [REC-11]',
  async (title, help, from, again) => {
    const scenario = CUT_SCENARIOS.find((each) => each.title === title);
    const { runs, faults } = await cutScenario(scenario as CutScenario, {
      ...{ helps: [help], every: 1000, from, again },
    });
    expect([runs > 1, faults]).toEqual([true, []]);
  },
);
