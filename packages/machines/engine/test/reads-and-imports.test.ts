import { emptySnapshot } from '@cairn/state';
import { ScriptedWorld, priorSnapshot, worldFaults } from '@cairn/testkit/fuzz';
import { StatusError } from '@cairn/wire';
import { MockWorld, runScenario } from '@cairn/testkit';

const plain = {
  pkg: 'pkgA',
  update: 0,
  replace: 0,
  protect: false,
  retain: false,
  stale: undefined,
  taint: false,
  notReady: false,
  refreshFirst: false,
  deps: [],
  from: undefined,
  bound: undefined,
  parent: undefined,
  deletedWith: undefined,
  replaceWith: undefined,
  provider: undefined,
} as const;

describe('reads and imports beside what is missing', () => {
  test('an import takes the place of an entry whose object was deleted first', async () => {
    const providers = new ScriptedWorld();
    const prior = priorSnapshot([{ ...plain, name: 1, kind: 'custom', stale: 'pending-replacement' }]);
    providers.adopt(prior.resources);
    const { snapshot, steps } = await runScenario({
      prior,
      providers,
      program: async ({ resource }) => {
        await resource('pkgA:m:typA', 'r1', { update: 0, replace: 0 }, { importId: 'outside-r1' });
      },
    });
    expect(steps).toEqual(['import-replacement r1', 'replace r1']);
    expect(
      snapshot.resources.filter((entry) => entry.type === 'pkgA:m:typA').map((entry) => entry.id),
    ).toEqual(['outside-r1']);
    expect(worldFaults(snapshot, providers)).toEqual([]);
  });

  test('a read that needs a failed resource is skipped, and the program is told', async () => {
    const providers = new ScriptedWorld();
    providers.scripts = { r3: { create: 'fail' } };
    const seen: string[] = [];
    const { names, result } = await runScenario({
      prior: emptySnapshot,
      providers,
      policy: { continueOnError: true },
      program: async ({ resource, read }) => {
        const r3 = await resource('pkgA:m:typA', 'r3');
        await read('pkgA:m:typA', 'r0', 'outside-r0', { dependencies: [r3.urn] }).catch((error: unknown) =>
          seen.push(String(error)),
        );
        await resource('pkgA:m:typA', 'r4');
      },
    });
    expect(result.summary.result).toBe('failed');
    expect(seen.join()).toContain('resource read failed');
    expect(names).toEqual(['test-test', 'default', 'r4']);
  });

  test('a read that needs what the targets leave out is refused', async () => {
    const providers = new ScriptedWorld();
    const { names, complaints } = await runScenario({
      providers,
      scope: { targets: ['**::r1'] },
      program: async ({ resource, read }) => {
        const r0 = await resource('pkgA:m:typA', 'r0');
        await read('pkgA:m:typA', 'r1', 'outside-r1', { dependencies: [r0.urn] });
      },
    });
    expect(complaints.join()).toContain('was not specified in --target list');
    expect(names).toEqual(['test-test', 'default']);
  });

  test.each([true, false])('a read with an empty id ends the operation, preview: %s', async (preview) => {
    const providers = new ScriptedWorld();
    const outcome = await runScenario({
      providers,
      preview,
      program: async ({ resource, read }) => {
        await read('pkgA:m:typA', 'r0', '').catch(() => undefined);
        await resource('pkgA:m:typA', 'r1').catch(() => undefined);
      },
    });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.complaints).toEqual([
      'error CAIRN-RESOURCE-OPTION cannot read urn:pulumi:test::test::pkgA:m:typA::r0: the id is empty',
    ]);
    expect(outcome.names).not.toContain('r1');
  });

  test.each(['a read', 'a registration'])(
    'the engine, not the program, says why %s fails [PRG-9]',
    async (what) => {
      const failing = async () => Promise.reject(new StatusError('UNKNOWN', 'the object is elsewhere'));
      const heard: string[] = [];
      const { complaints } = await runScenario({
        providers: new MockWorld({ pkgA: { behaviour: { read: failing, create: failing } } }),
        program: async ({ resource, read }) => {
          const asked =
            what === 'a read' ? read('pkgA:m:typA', 'r0', 'outside-r0') : resource('pkgA:m:typA', 'r0');
          await asked.catch((error: unknown) => heard.push(String(error)));
        },
      });
      expect(heard).toEqual([expect.stringContaining('shut down')]);
      expect(complaints.join()).toContain('the object is elsewhere');
    },
  );
});
