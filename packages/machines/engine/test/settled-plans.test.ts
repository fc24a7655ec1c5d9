import type { SettledDigests } from '@cairn/engine';
import type { Snapshot } from '@cairn/state';
import { runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, Scenario } from '@cairn/testkit';
import { ScriptedWorld, patterns, priorSnapshot, randomProgram, sampleCases } from '@cairn/testkit/fuzz';
import type { FuzzCase, WantedOperation } from '@cairn/testkit/fuzz';

/** Random stacks and programs: answers from the state change no plan [DIFF-14]. */

/** A world whose providers promise that check and diff depend on their arguments alone. */
class PureWorld extends ScriptedWorld {
  protected override behaviour(): MockBehaviour {
    return { ...super.behaviour(), extras: { types: { '*': { compares: 'arguments' } } } };
  }

  /** Number of checks and diffs of resources so far. */
  get comparisons(): number {
    return this.calls.filter(({ method }) => method === 'check' || method === 'diff').length;
  }
}

const key = Buffer.alloc(32, 7);

function scenarioOf(wanted: WantedOperation, world: PureWorld, prior: Snapshot | undefined): Scenario {
  const { kind, program, scope, refresh } = wanted;
  return {
    ...{ kind, runProgram: wanted.runProgram, providers: world, program: randomProgram(program) },
    ...(prior === undefined ? {} : { prior }),
    scope: {
      refresh: refresh && kind !== 'refresh',
      targets: patterns(scope?.targets ?? []),
      targetDependents: scope?.dependents ?? false,
      excludes: patterns(scope?.excludes ?? []),
      excludeDependents: scope?.dependents ?? false,
      replace: patterns(scope?.replace ?? []),
    },
    policy: { continueOnError: wanted.continueOnError, ignoreProtect: wanted.ignoreProtect },
  };
}

/** Plans of one operation with and without digests, and the number of comparisons that each needed. */
interface Compared {
  readonly plain: readonly string[];
  readonly settled: readonly string[];
  readonly asked: readonly [plain: number, settled: number];
}

const planOf = ({ steps, complaints, result }: Outcome): readonly string[] =>
  [...steps, ...complaints, result.summary.result].sort();

/** Runs the operations of a case with digests. Each is previewed with and without them, before it and after it. */
async function* comparedPlans(wanted: FuzzCase): AsyncGenerator<Compared> {
  const world = new PureWorld();
  let prior = wanted.prior.length > 0 ? priorSnapshot(wanted.prior) : undefined;
  let known: SettledDigests = new Set();
  world.adopt(prior?.resources ?? []);
  const compare = async (scenario: Scenario): Promise<Compared> => {
    const at = world.comparisons;
    const plain = planOf(await runScenario({ ...scenario, preview: true }));
    const between = world.comparisons;
    const settled = planOf(
      await runScenario({ ...scenario, preview: true, request: { digests: { key, known } } }),
    );
    return { plain, settled, asked: [between - at, world.comparisons - between] };
  };
  for (const operation of wanted.operations) {
    // Scripts of checks and diffs break the promise.
    const scripts = Object.entries(operation.scripts).map(
      ([name, { check: _check, diff: _diff, ...rest }]) => [name, rest],
    );
    world.scripts = Object.fromEntries(scripts) as WantedOperation['scripts'];
    for (const at of operation.vanished) world.vanishAt(at);
    yield compare(scenarioOf(operation, world, prior));
    const scenario = scenarioOf(operation, world, prior);
    const { snapshot, result } = await runScenario({ ...scenario, request: { digests: { key, known } } });
    prior = snapshot;
    known = result.digests ?? known;
    yield compare(scenarioOf(operation, world, prior));
  }
}

test('plans with and without digests are equal, and digests save calls [DIFF-14]', async () => {
  const asked: [number, number] = [0, 0];
  let compared = 0;
  for (const wanted of sampleCases(1414, 30)) {
    for await (const { plain, settled, asked: each } of comparedPlans(wanted)) {
      expect(settled).toEqual(plain);
      compared += 1;
      asked[0] += each[0];
      asked[1] += each[1];
    }
  }
  expect(compared).toBeGreaterThan(60);
  expect(asked[1]).toBeLessThan(asked[0] * 0.9);
});
