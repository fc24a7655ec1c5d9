import { nopCrypter } from '@cairn/crypters';
import { jest } from '@jest/globals';
import { urnName } from '@cairn/addresses';
import { checkIntegrity, encodeSnapshot, newManifest } from '@cairn/state';
import { fuzz, runCase, sampleCases, snapshotOf } from '@cairn/testkit/fuzz';
import type { CaseStart, FuzzCase } from '@cairn/testkit/fuzz';
import { SnapshotBuilder } from '@cairn/testkit';
import type { Scenario } from '@cairn/testkit';

jest.setTimeout(120_000);

/** Makes the state lose its last resource between two operations. */
const forgets: CaseStart = {
  scenario: (scenario: Scenario): Scenario => {
    const { prior } = scenario;
    return prior === undefined
      ? scenario
      : { ...scenario, prior: { ...prior, resources: prior.resources.slice(0, -1) } };
  },
};
describe('the fuzzer', () => {
  test('LT1-270 random operations on random stacks break nothing', async () => {
    const report = await fuzz({ seed: 270, runs: 50 });
    expect(report.failure?.text ?? 'well').toBe('well');
    expect(report.runs).toBe(50);
  });

  test('LT1-271 a stack that was exported is where random operations start', async () => {
    const stack = new SnapshotBuilder({ project: 'shop', stack: 'live' });
    stack.provider('cloud');
    const network = stack.component('shop:index:Network', 'network');
    const disk = stack.resource('cloud:disk:Disk', 'disk', { size: 1 }, { parent: network.urn });
    stack.resource(
      'cloud:vm:Vm',
      'vm',
      { disk: 'id-disk' },
      { dependencies: [disk.urn], retainOnDelete: true },
    );
    const manifest = newManifest(new Date(0), 'v1.0.0');
    const deployment = encodeSnapshot(stack.build(), manifest, nopCrypter);
    const snapshot = snapshotOf(JSON.stringify({ version: 3, deployment }));
    expect(snapshot.resources.map((entry) => urnName(entry.urn))).toEqual([
      'default',
      'network',
      'disk',
      'vm',
    ]);

    const registered = new Set<string>();
    const report = await fuzz({
      seed: 271,
      runs: 40,
      snapshot,
      onOutcome: (_, outcome) => outcome.names.forEach((name) => registered.add(name)),
    });
    expect(report.failure?.text ?? 'well').toBe('well');
    expect([...registered]).toEqual(expect.arrayContaining(['shop-live', 'disk', 'vm', 'network']));
  });

  test('finds a planted fault, shrinks it, and prints it as a test', async () => {
    const { failure } = await fuzz({ seed: 1, runs: 100, ...forgets });
    expect(failure?.finding.fault).toMatch(/is an orphan/);
    const sizes = failure?.found.operations.map(({ program }) => program.length) ?? [];
    expect(Math.max(...sizes, failure?.found.prior.length ?? 0)).toBeLessThanOrEqual(2);
    expect(failure?.text).toMatch(/^test\('.*is an orphan/);
    expect(failure?.text).toContain('await runScenario({');
  });

  test('the same seed gives the same cases', () => {
    expect(sampleCases(7, 20)).toEqual(sampleCases(7, 20));
    expect(sampleCases(7, 20)).not.toEqual(sampleCases(8, 20));
  });

  test('every prior snapshot it makes is one that a stack may have', async () => {
    const faults: string[] = [];
    for (const { prior } of sampleCases(9, 80)) {
      const before: FuzzCase = { prior, operations: [] };
      await runCase(before, {
        onOutcome: ({ kind }, { result }) => void (kind === 'up' && result.summary),
        scenario: (scenario) => {
          const deployment = encodeSnapshot(
            scenario.prior ?? { resources: [], pendingOperations: [], secretsProvider: undefined },
            newManifest(new Date(0), 'v1.0.0'),
            nopCrypter,
          );
          const { failure } = checkIntegrity(deployment, 'read');
          if (failure !== undefined) faults.push(failure.summary);
          return scenario;
        },
      });
    }
    expect(faults).toEqual([]);
  });
});
