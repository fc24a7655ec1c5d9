import { nopCrypter } from '@cairn/crypters';
import { makeUrn, urnName } from '@cairn/addresses';
import { decodePlan, encodePlan, holdsSecrets } from '@cairn/engine';
import type { SavedPlan } from '@cairn/engine';
import { newManifest } from '@cairn/state';
import { UNKNOWN, propertyMap, secret } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { Chapter, MockBehaviour, ProgramFunction } from '@cairn/testkit';
import { MockWorld, Story, hooksOf, noSelector } from '@cairn/testkit';
import { lookedAt } from './looked-at.js';

const TYPE = 'pkgA:m:typA';
/** Returns a plan as its file keeps it. */
function filed(plan: SavedPlan): SavedPlan {
  const text = encodePlan(plan, {
    manifest: newManifest(new Date(0), 'v0.0.0'),
    config: {},
    crypter: nopCrypter,
  });
  return decodePlan(text, { file: 'plan.json', project: 'test', stack: 'test', crypter: nopCrypter });
}

async function planned(story: Story, program: ProgramFunction, chapter: Chapter = {}): Promise<SavedPlan> {
  const { result, complaints } = await story.run({
    ...chapter,
    program,
    preview: true,
    plan: { make: true },
  });
  expect(complaints).toEqual([]);
  if (result.plan === undefined) throw new Error('the preview made no plan');
  return filed(result.plan);
}

const TOKENS: MockBehaviour = { extras: { types: { '*': { idempotencyToken: {} } } } };

function newStory(): Story {
  const world = new MockWorld({ pkgA: { behaviour: TOKENS }, pkgB: { behaviour: TOKENS } });
  const inputs = propertyMap({ size: 3 });
  const urn = makeUrn({ project: 'test', stack: 'test', parent: undefined, type: TYPE, name: 'seen' });
  world.objects.set('there-1', { urn, type: TYPE, inputs, outputs: inputs, settings: undefined });
  return new Story(world);
}

/** Fails if the program is run. */
const gone: ProgramFunction = () => Promise.reject(new Error('the program was run'));

/**
 * Returns the state without empty lists by property. Finding out the outcome of a step leaves them out, and they have
 * no meaning.
 */
function stateOf({ snapshot }: Pick<Story, 'snapshot'>): unknown {
  return snapshot.resources
    .map(({ id: _, created: _created, modified: _modified, provider, outputs, ...entry }) => ({
      ...entry,
      provider: provider?.split('::').slice(0, -1),
      outputs: Object.keys(outputs).sort(),
    }))
    .sort((a, b) => a.urn.localeCompare(b.urn));
}

/** Registers every option that a program can give, as far as it is data. */
const everything: ProgramFunction = async (context) => {
  const { resource, provider, component, read, monitor } = context;
  const mine = await provider('pkgA', 'mine', { region: 'north', password: secret('p1') });
  const box = await component('my:index:Box', 'box', { lateInputs: ['later', 'never'] });
  const a = await resource(
    TYPE,
    'a',
    { size: 1, password: secret('hidden'), list: [1, 2, { deep: null }] },
    {
      parent: box.urn,
      provider: mine,
      protect: true,
      ignoreChanges: ['size'],
      replaceOnChanges: ['list'],
      additionalSecretOutputs: ['size'],
      customTimeouts: { create: '5m', update: '', delete: '1h' },
      aliases: [{ kind: 'urn', urn: 'urn:pulumi:test::test::pkgA:m:typA::former' }],
      replacementTrigger: propertyMap({ day: 1 }),
    },
  );
  await resource(TYPE, 'b', {}, { dependencies: [a.urn], deletedWith: a.urn, replaceWith: [a.urn] });
  const seen = await read(TYPE, 'seen', 'there-1', { properties: propertyMap({ size: 3 }) });
  await resource('pkgB:m:typB', 'c', {}, { dependencies: [seen.urn], retainOnDelete: true });
  await resource(TYPE, 'last', { size: 9 }, { deleteBeforeReplace: false });
  const outputs = propertyMap({ size: 2, key: secret('k') });
  const lateInputs = propertyMap({ later: secret('l') });
  await monitor.registerResourceOutputs({ urn: box.urn, outputs, lateInputs });
  return { fixed: 'text', sealed: secret('s') };
};

describe('a resume with a complete plan', () => {
  test.each(['a', 'b', 'c', 'last'])(
    'killed while %s is made: comes to the same without the program',
    async (at) => {
      const uncut = newStory();
      await uncut.run({ program: everything, plan: { follow: await planned(uncut, everything) } });
      const story = newStory();
      const plan = await planned(story, everything);
      expect(holdsSecrets(plan)).toBe(true);
      await story.runAndKill('create', at, {
        program: everything,
        plan: { follow: plan },
        before: at === 'b',
      });
      const source = story.resumeSource(plan);
      if (source.t !== 'plan') throw new Error(String(source.why));
      const replay = { follow: plan, replay: source.transcript };
      const answer = at === 'c' ? 'pkgB has no way to find out' : undefined;
      const { result } = await story.goOn('resume', {
        program: gone,
        plan: replay,
        ...(answer !== undefined && {
          request: {
            resolutions: new Map(story.inDoubt.map((task) => [`${task.change}/${task.id}`, 'not-created'])),
          },
        }),
      });
      expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(result.summary.result).toBe('succeeded');
      // Finding out about `a` folds the entries present by then, which are all but `last`.
      const found = uncut.snapshot.resources.map((entry) =>
        urnName(entry.urn) === 'last' ? entry : lookedAt(entry),
      );
      const expected = at === 'a' ? { snapshot: { ...uncut.snapshot, resources: found } } : uncut;
      expect(stateOf(story)).toEqual(stateOf(expected));
      const again = await story.run({ program: everything, preview: true });
      expect(again.steps.filter((step) => !step.startsWith('same') && !step.startsWith('read'))).toEqual([]);
    },
  );

  test('what the program drops is deleted, and what fails again fails again', async () => {
    const story = newStory();
    await story.run({ program: async ({ resource }) => void (await resource(TYPE, 'old')) });
    const program: ProgramFunction = async ({ resource }) => {
      await resource(TYPE, 'a');
      await resource(TYPE, 'b');
    };
    const plan = await planned(story, program);
    await story.runAndKill('create', 'a', { program, plan: { follow: plan }, before: true });
    const source = story.resumeSource(plan);
    if (source.t !== 'plan') throw new Error(String(source.why));
    story.providers.failNext('create', 'b', new ProviderError('INVALID_ARGUMENT', 'no'));
    const chapter = { program: gone, plan: { follow: plan, replay: source.transcript } };
    expect((await story.goOn('resume', chapter)).result.summary.result).toBe('failed');
    expect(story.providers.alive).toEqual(expect.arrayContaining(['a', 'old']));
    expect((await story.goOn('resume', chapter)).result.summary.result).toBe('succeeded');
    expect(story.providers.alive).toEqual(['a', 'b', 'seen']);
  });
});

describe('a plan that is not enough', () => {
  const reasons: readonly (readonly [string, ProgramFunction, string])[] = [
    [
      'inputs that were not known',
      async ({ resource, dryRun }) => void (await resource(TYPE, 'a', { of: dryRun ? UNKNOWN : 1 })),
      'the inputs of urn:pulumi:test::test::pkgA:m:typA::a were not all known',
    ],
    [
      'an unknown in a secret in a list',
      async ({ resource, dryRun }) =>
        void (await resource(TYPE, 'a', { of: [secret(dryRun ? UNKNOWN : 1)] })),
      'the inputs of urn:pulumi:test::test::pkgA:m:typA::a were not all known',
    ],
    [
      'outputs of the stack that were not known',
      async ({ dryRun }) => ({ of: dryRun ? UNKNOWN : 1 }),
      'the outputs of urn:pulumi:test::test::pulumi:pulumi:Stack::test-test were not all known',
    ],
    [
      'hooks',
      async ({ hook, resource }) => {
        await hook('before', () => undefined);
        await resource(TYPE, 'a', {}, { hooks: hooksOf({ beforeCreate: ['before'] }) });
      },
      'hooks of urn:pulumi:test::test::pkgA:m:typA::a are functions of the program',
    ],
  ];
  test.each(reasons)('%s: the program is needed', async (_, program, why) => {
    const story = newStory();
    const plan = await planned(story, program);
    expect(story.resumeSource(plan)).toEqual({ t: 'program', why: expect.stringContaining(why) });
  });

  test('no plan, or one of another tool', async () => {
    const story = newStory();
    expect(story.resumeSource(undefined)).toEqual({ t: 'program', why: undefined });
    const { resources } = await planned(story, async () => undefined);
    expect(story.resumeSource({ resources })).toMatchObject({
      t: 'program',
      why: expect.stringContaining('does not contain'),
    });
  });

  test('a program that wanted something that the plan does not limit', async () => {
    const story = newStory();
    const retained =
      (retainOnDelete: boolean): ProgramFunction =>
      async ({ resource }) => {
        await resource(TYPE, 'a', {}, { retainOnDelete });
        await resource(TYPE, 'b');
      };
    const plan = await planned(story, retained(false));
    await story.runAndKill('create', 'b', { program: retained(true), plan: { follow: plan } });
    expect(story.resumeSource(plan)).toEqual({
      t: 'program',
      why: expect.stringContaining(
        'the program wanted something else of urn:pulumi:test::test::pkgA:m:typA::a',
      ),
    });
  });
});

test('an extended package is known again', async () => {
  const story = newStory();
  const value = new Uint8Array([1, 2, 3]);
  const program: ProgramFunction = async ({ monitor, resource }) => {
    const { ref } = await monitor.registerPackage({
      name: 'pkgA',
      version: '1.0.0',
      downloadUrl: '',
      checksums: {},
      parameterization: undefined,
      extension: { name: 'more', version: '2.0.0', value },
    });
    await resource(TYPE, 'a', {}, { package: { ...noSelector, packageRef: ref } });
    await resource(TYPE, 'b', {}, { package: { ...noSelector, packageRef: ref } });
  };
  const plan = await planned(story, program);
  const source = story.resumeSource(plan);
  if (source.t !== 'plan') throw new Error(String(source.why));
  expect(Object.values(source.transcript.extensions)).toEqual([{ name: 'more', version: '2.0.0', value }]);
  await story.runAndKill('create', 'a', { program, plan: { follow: plan }, before: true });
  const { result } = await story.goOn('resume', {
    program: gone,
    plan: { follow: plan, replay: source.transcript },
  });
  expect(result.summary.result).toBe('succeeded');
  expect(story.snapshot.resources.map(({ urn }) => urnName(urn))).toEqual(expect.arrayContaining(['a', 'b']));
});
