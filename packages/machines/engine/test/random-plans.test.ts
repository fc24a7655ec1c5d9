import type { Snapshot } from '@cairn/state';
import { priorSnapshot, sampleCases, ScriptedWorld } from '@cairn/testkit/fuzz';
import type { FuzzCase } from '@cairn/testkit/fuzz';
import { patterns } from '@cairn/testkit/fuzz';
import { randomProgram } from '@cairn/testkit/fuzz';
import { runScenario } from '@cairn/testkit';
import type { Outcome, Scenario } from '@cairn/testkit';

/** Random stacks and programs: a plan does not block the update that it was made for [PLAN-4]. */

/** Runs the updates of a case, each after a preview that made its plan. Ends at the first that fails. */
async function* plannedUpdates(wanted: FuzzCase): AsyncGenerator<readonly [Outcome, Outcome]> {
  const world = new ScriptedWorld();
  let prior: Snapshot | undefined = wanted.prior.length > 0 ? priorSnapshot(wanted.prior) : undefined;
  world.adopt(prior?.resources ?? []);
  for (const { kind, program, scope, refresh, ...rest } of wanted.operations) {
    if (kind !== 'up') continue;
    const scenario: Scenario = {
      kind,
      prior,
      runProgram: rest.runProgram,
      providers: world,
      program: randomProgram(program),
      scope: {
        refresh,
        targets: patterns(scope?.targets ?? []),
        targetDependents: scope?.dependents ?? false,
        excludes: patterns(scope?.excludes ?? []),
        excludeDependents: scope?.dependents ?? false,
        replace: patterns(scope?.replace ?? []),
      },
      policy: { continueOnError: rest.continueOnError, ignoreProtect: rest.ignoreProtect },
    };
    const preview = await runScenario({ ...scenario, preview: true, plan: { make: true } });
    const { plan } = preview.result;
    if (plan === undefined) continue;
    const update = await runScenario({ ...scenario, plan: { follow: plan } });
    yield [preview, update];
    if (update.result.summary.result !== 'succeeded') return;
    prior = update.snapshot;
  }
}

/** Tells whether a replacement that a preview planned, because a value was not known, turned out to be less. */
function isOverestimate(line: string, { steps }: Outcome): boolean {
  return line.includes('none were seen') && steps.some((step) => step.startsWith('replace '));
}

test('what a preview has planned, the update may do [PLAN-4]', async () => {
  let followed = 0;
  const unexpected: string[] = [];
  for (const wanted of sampleCases(606, 40)) {
    for await (const [preview, update] of plannedUpdates(wanted)) {
      followed += 1;
      const violations = update.complaints.filter((line) => line.includes('CAIRN-PLAN-VIOLATED'));
      unexpected.push(...violations.filter((line) => !isOverestimate(line, preview)));
    }
  }
  expect(unexpected).toEqual([]);
  expect(followed).toBeGreaterThan(40);
});
