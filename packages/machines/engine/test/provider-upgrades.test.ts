import { urnName } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { isUnknown } from '@cairn/values';
import type { AliasRequest } from '@cairn/wire';
import { MockWorld, diffAnswer, noSelector, runScenario } from '@cairn/testkit';
import type { MockInstance, Outcome, ProgramFunction } from '@cairn/testkit';

/** Providers that change while their resources are read, and names that change below parents. */

/** Runs for real, after a preview with the same steps. */
async function up(providers: MockWorld, prior: Snapshot, program: ProgramFunction): Promise<Outcome> {
  const scenario = { providers, prior, program, parallel: 2 };
  const preview = await runScenario({ ...scenario, preview: true });
  const outcome = await runScenario(scenario);
  expect(outcome.complaints).toEqual([]);
  expect(preview.trace.toSorted()).toEqual(outcome.trace.toSorted());
  return outcome;
}

describe('a provider that is upgraded', () => {
  test('LT1-072 the one in state answers for dependents while the new one waits to be configured', async () => {
    const asked: { version: string; settings: boolean }[] = [];
    const note = ({ version, settings }: MockInstance): void =>
      void asked.push({ version, settings: settings !== undefined });
    const providers = new MockWorld({
      pkgA: ['1.1.1', '1.2.1'].map((version) => ({
        version,
        behaviour: {
          diffConfig: ({ oldInputs, news }) =>
            diffAnswer(oldInputs['version'] === news['version'] ? 'none' : 'some'),
          diff: ({ news }, { instance, standard }) => {
            if (Object.values(news).some((value) => isUnknown(value))) note(instance);
            return standard();
          },
        },
      })),
      pkgB: {
        behaviour: {
          diff: ({ oldInputs, news }) =>
            oldInputs['length'] === news['length']
              ? diffAnswer('none')
              : diffAnswer('some', { replaceKeys: ['length'], deleteBeforeReplace: true }),
        },
      },
    });
    const program =
      (version: string, length: number): ProgramFunction =>
      async ({ provider, resource }) => {
        const selector = { package: { ...noSelector, version } };
        const [reference, resB] = await Promise.all([
          provider('pkgA', 'provA', {}, selector),
          resource('pkgB:m:typB', 'resB', { length }),
        ]);
        await resource(
          'pkgA:m:typA',
          'resA',
          { foo: resB.id },
          {
            provider: reference,
            dependencies: [resB.urn],
            propertyDependencies: { foo: [resB.urn] },
          },
        );
      };
    const first = await up(providers, emptySnapshot, program('1.1.1', 1));
    const second = await up(providers, first.snapshot, program('1.2.1', 2));
    expect(second.steps).toEqual(
      expect.arrayContaining([
        'delete-replaced resB',
        'replace resB',
        'create-replacement resB',
        'update resA',
      ]),
    );
    expect(second.trace).toContain('update provA');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ settings }) => settings)).toBe(true);
    expect(providers.instances.every(({ closed }) => closed)).toBe(true);
    const provA = second.snapshot.resources.find(({ urn }) => urnName(urn) === 'provA');
    expect(provA?.inputs['version']).toBe('1.2.1');
  });
});

describe('an alias with an empty parent', () => {
  test('LT1-151 means the parent that the resource has', async () => {
    const providers = new MockWorld({});
    const blank = { kind: 'spec', type: '', stack: '', project: '', name: 'b' } as const;
    const program =
      (name: string, aliases: readonly AliasRequest[] = []): ProgramFunction =>
      async ({ component }) => {
        const a = await component('test:m:A', 'a');
        await component('test:m:B', name, { parent: a.urn, aliases });
      };
    const first = await up(providers, emptySnapshot, program('b'));
    const same = program('c', [{ ...blank, parent: { kind: 'same' } }]);
    const second = await up(providers, first.snapshot, same);
    expect(second.trace).toEqual(['same test-test', 'same a', 'same c']);
    expect(second.names).toEqual(['test-test', 'a', 'c']);
    const empty = program('c', [{ ...blank, parent: { kind: 'urn', urn: '' } }]);
    const wired = await runScenario({ providers, prior: first.snapshot, program: empty, overWire: true });
    expect(wired.trace).toEqual(second.trace);
  });
});
