import { ScriptedWorld, worldFaults } from '@cairn/testkit/fuzz';
import { runScenario } from '@cairn/testkit';
import type { ProgramFunction } from '@cairn/testkit';

/** Makes a resource that is replaced create-first, and a protected one that should be replaced with it. */
const program =
  (replace: number): ProgramFunction =>
  async ({ resource }) => {
    const first = await resource('pkgA:m:typA', 'first', { replace });
    await resource('pkgA:m:typA', 'second', {}, { replaceWith: [first.urn], protect: true });
  };

test('what was looked up and then replaced stays marked for deletion when the operation fails after that', async () => {
  const providers = new ScriptedWorld();
  const { snapshot } = await runScenario({ providers, program: program(1) });
  const failed = await runScenario({
    providers,
    prior: snapshot,
    runProgram: true,
    scope: { refresh: true },
    program: program(2),
  });
  expect(failed.result.summary.result).toBe('failed');
  expect(failed.names).toContain('first(delete)');
  expect(worldFaults(failed.snapshot, providers)).toEqual([]);
});
