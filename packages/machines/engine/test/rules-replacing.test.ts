import { makeUrn } from '@cairn/addresses';
import type { Snapshot } from '@cairn/state';
import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { MockWorld, SnapshotBuilder, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Rules of replacements and their consequences (`docs/rules/diff-and-replace.md`). */

const TYPE = 'pkgA:m:typA';
const HOME = { project: 'test', stack: 'test' };
const urn = (name: string) => makeUrn({ ...HOME, parent: undefined, type: TYPE, name });

/** Makes every change of inputs need a new object, whose predecessor is deleted first. */
const deleteFirst: MockBehaviour = {
  diff: ({ oldInputs, news }) =>
    Object.keys(news).every((key) => oldInputs[key] === news[key])
      ? diffAnswer('none')
      : diffAnswer('some', { changedKeys: ['a'], replaceKeys: ['a'], deleteBeforeReplace: true }),
};

/** Runs a preview and an update; they take the same steps. */
async function previewed(scenario: Scenario): Promise<Outcome> {
  const preview = await runScenario({ ...scenario, preview: true });
  const up = await runScenario(scenario);
  expect(preview.steps).toEqual(up.steps);
  return up;
}

describe('replacementTrigger [DIFF-7]', () => {
  const replaced = ['create-replacement r', 'replace r', 'delete-replaced r'];
  const rows: readonly (readonly [
    string,
    PropertyValue | undefined,
    PropertyValue | undefined,
    readonly string[],
  ])[] = [
    ['the same', 'a', 'a', ['same r']],
    ['another', 'a', 'b', replaced],
    [
      'the same as a secret, deep inside',
      propertyMap({ k: ['a'] }),
      propertyMap({ k: [secret('a')] }),
      ['same r'],
    ],
    ['none before', undefined, 'a', ['same r']],
    ['null before', null, 'a', ['same r']],
    ['none any more', 'a', undefined, ['same r']],
    ['null now', 'a', null, ['same r']],
  ];
  const program =
    (replacementTrigger: PropertyValue | undefined): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'r', {}, { replacementTrigger });
    };
  test.each(rows)('%s', async (_what, before, now, steps) => {
    const providers = new MockWorld({ pkgA: {} });
    const first = await runScenario({ providers, program: program(before) });
    const second = await previewed({ providers, program: program(now), prior: first.snapshot });
    expect(second.steps).toEqual(steps);
  });

  test.each([
    ['a trigger', 'a'],
    ['none', undefined],
  ])('not known: a real run refuses it for a resource that exists, with %s before', async (_what, before) => {
    const providers = new MockWorld({ pkgA: {} });
    const first = await runScenario({ providers, program: program(before) });
    const scenario = { providers, program: program(UNKNOWN), prior: first.snapshot };
    const preview = await runScenario({ ...scenario, preview: true });
    const up = await runScenario(scenario);
    expect(preview.steps).toEqual(before === undefined ? ['same r'] : replaced);
    expect([up.result.summary.result, up.steps]).toEqual(['failed', []]);
    expect(up.complaints).toEqual([
      expect.stringContaining('the replacement trigger contains values that are not known'),
    ]);
  });
});

describe('what a delete-first replacement takes along [DIFF-9]', () => {
  test('a dependent that was replaced before is simply deleted', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: deleteFirst } });
    const builder = new SnapshotBuilder(HOME);
    builder.provider('pkgA');
    const root = builder.resource(TYPE, 'root', { a: 1 });
    builder.resource(
      TYPE,
      'd',
      { a: 1 },
      {
        id: 'left-over',
        delete: true,
        dependencies: [root.urn],
        propertyDependencies: { a: [root.urn] },
      },
    );
    builder.resource(TYPE, 'd', { a: 1 });
    const up = await previewed({
      providers,
      prior: builder.build(),
      program: async ({ resource }) => {
        await resource(TYPE, 'root', { a: 2 }, { parent: '' });
        await resource(TYPE, 'd', { a: 1 }, { parent: '' });
      },
    });
    expect(up.steps).toEqual([
      'delete d',
      'delete-replaced root',
      'replace root',
      'create-replacement root',
      'same d',
    ]);
    expect(up.names.toSorted()).toEqual(['d', 'default', 'root', 'test-test']);
  });

  test('one that is not registered any more is dropped at the end', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: deleteFirst } });
    const program =
      (a: number, both: boolean): ProgramFunction =>
      async ({ resource }) => {
        const root = await resource(TYPE, 'root', { a });
        const link = { dependencies: [root.urn], propertyDependencies: { a: [root.urn] } };
        if (both) await resource(TYPE, 'd', { a }, link);
      };
    const first = await runScenario({ providers, program: program(1, true) });
    const up = await previewed({ providers, program: program(2, false), prior: first.snapshot });
    expect(up.steps).toEqual([
      'delete-replaced d',
      'delete-replaced root',
      'replace root',
      'create-replacement root',
      'remove-pending-replace d',
    ]);
    expect(providers.alive).toEqual(['root']);
  });
});

describe('what is left over, protected or failed [DIFF-11] [DEL-4] [REG-14]', () => {
  test('any number of replaced objects go at the end, not when the run fails before [DEL-5]', async () => {
    const builder = new SnapshotBuilder(HOME);
    builder.provider('pkgA');
    for (const id of ['old-1', 'old-2']) builder.resource(TYPE, 'r', { a: 1 }, { id, delete: true });
    builder.resource(TYPE, 'r', { a: 1 });
    const prior = builder.build();
    const providers = new MockWorld({ pkgA: {} });
    const program: ProgramFunction = async ({ resource }) => {
      await resource(TYPE, 'r', { a: 1 }, { parent: '' });
      await resource(TYPE, 'other', {}, { parent: '' });
    };
    providers.failNext('create', 'other', new ProviderError('UNKNOWN', 'no'));
    const failed = await runScenario({ providers, prior, program });
    expect(failed.steps).toEqual(['same r', '!create other']);
    expect(failed.names.filter((name) => name.startsWith('r'))).toEqual(['r', 'r(delete)', 'r(delete)']);
    const up = await previewed({ providers, prior, program });
    expect(up.steps).toEqual(['same r', 'create other', 'delete-replaced r', 'delete-replaced r']);
  });

  test('every protected resource is named, what it needs stays, the rest goes [DEL-4]', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const first = await runScenario({
      providers,
      program: async ({ resource }) => {
        const base = await resource(TYPE, 'base');
        await resource(TYPE, 'p1', {}, { protect: true, dependencies: [base.urn] });
        await resource(TYPE, 'p2', {}, { protect: true });
        await resource(TYPE, 'free', {}, { dependencies: [base.urn] });
      },
    });
    for (const kind of ['up', 'destroy'] as const) {
      const up = await previewed({ providers, kind, prior: first.snapshot });
      expect([up.result.summary.result, up.steps]).toEqual([
        'failed',
        ['!delete p1', '!delete p2', 'delete free'],
      ]);
      expect(up.complaints).toEqual(
        ['p1', 'p2'].map((name) => expect.stringContaining(`${name}: it is protected`)),
      );
      expect(up.names).toEqual(['test-test', 'default', 'base', 'p1', 'p2']);
    }
  });

  test('the final deletes run, except for what a failed resource needs [REG-14]', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const results: string[] = [];
    const program =
      (a: number, all: boolean): ProgramFunction =>
      async ({ resource }) => {
        if (all) await resource(TYPE, 'gone');
        if (all) await resource(TYPE, 'needed');
        const failing = await resource(TYPE, 'f', { a }, { dependencies: all ? [urn('needed')] : [] });
        const partner = await resource(TYPE, 'p', { a }, { replaceWith: [failing.urn] });
        const child = await resource(TYPE, 'c', { a }, { parent: partner.urn });
        results.push(failing.result, partner.result, child.result);
        await resource(TYPE, 'i', { a });
      };
    const nested =
      (source: ProgramFunction): ProgramFunction =>
      (context) =>
        source({
          ...context,
          resource: (type, name, inputs, options) =>
            context.resource(type, name, inputs, { parent: '', ...options }),
        });
    const prior: Snapshot = (await runScenario({ providers, program: nested(program(1, true)) })).snapshot;
    providers.failNext('update', 'f', new ProviderError('UNKNOWN', 'no'));
    const up = await runScenario({
      providers,
      prior,
      policy: { continueOnError: true },
      program: nested(program(2, false)),
    });
    expect(results.slice(3)).toEqual(['fail', 'skip', 'skip']);
    expect([up.result.summary.result, up.steps]).toEqual([
      'failed',
      ['!update f', 'update i', 'delete gone'],
    ]);
    expect(up.names).toEqual(expect.arrayContaining(['needed', 'f', 'p', 'c', 'i']));
  });
});
