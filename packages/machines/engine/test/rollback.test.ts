import { nopCrypter } from '@cairn/crypters';
import { urnName } from '@cairn/addresses';
import { propertyMap, secret } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import { continueFrom } from '@cairn/engine';
import type { Continued, OpenEntry } from '@cairn/engine';
import { decodeResource, emptySnapshot, encodeSnapshot, newManifest, withEntry } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { CutWorld, goOn, startLine } from '@cairn/testkit/cut';
import { MockWorld, Story, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';
import { snapshotLookedAt } from './looked-at.js';

/** An operation that fails rolls back its own steps [REC-4] [REC-10]. */

const TYPE = 'pkgA:m:typA';
const refused = () => new ProviderError('INVALID_ARGUMENT', 'no room');

/** Returns the content of a stack that a rollback must restore. */
function essence({ resources }: Snapshot): unknown {
  return [...resources]
    .sort((a, b) => a.urn.localeCompare(b.urn))
    .map((entry) => ({ ...entry, aliases: [] }));
}

/** Returns steps of the rollback, in the order in which they ended. */
function undone({ events }: Outcome): readonly string[] {
  return events.flatMap((event) => {
    if ((event.t !== 'step-ended' && event.t !== 'step-failed') || event.undo !== true) return [];
    return [`${event.t === 'step-failed' ? '!' : ''}${event.step.kind} ${urnName(event.step.urn)}`];
  });
}

function rolledBack(scenario: Omit<Scenario, 'policy'>): Promise<Outcome> {
  return runScenario({ ...scenario, policy: { onError: 'rollback' } });
}

/** Returns the lineage that a rollback of an ended operation receives. */
function lineOf(before: Snapshot, { store }: Outcome): Continued {
  const { records } = store;
  const base = encodeSnapshot(before, newManifest(new Date(0), 'v0.0.0'), nopCrypter);
  const open: OpenEntry = (resource) => decodeResource(resource, nopCrypter, 'a record');
  const changes = [{ change: '1', records, base }];
  const { continues } = continueFrom(
    { snapshot: before, inDoubt: [], lineage: { how: 'rollback', changes, before } },
    open,
  );
  return continues!;
}

/** Rolls an ended operation back, after a preview that must report the same. */
async function rollBack(before: Snapshot, ended: Outcome, providers: MockWorld): Promise<Outcome> {
  const scenario = {
    kind: 'rollback' as const,
    providers,
    prior: ended.snapshot,
    request: { continues: lineOf(before, ended) },
  };
  const objects = [...providers.objects];
  const preview = await runScenario({ ...scenario, preview: true });
  expect([...providers.objects]).toEqual(objects);
  const outcome = await runScenario(scenario);
  // Parts without an order among them may end in any. Consequences of a new id are reported once.
  expect(new Set(undone(preview))).toEqual(new Set(undone(outcome)));
  return outcome;
}

/** Returns objects by name and inputs: recreated ones have other ids. */
const world = ({ objects }: MockWorld) =>
  [...objects.values()].map(({ urn, inputs }) => [urn, inputs]).sort((a, b) => (a[0]! < b[0]! ? -1 : 1));

/**
 * Returns the essence with ids of objects by their place in it and without times, which may differ once something was
 * recreated.
 */
function shape(snapshot: Snapshot): unknown {
  const ids = new Map(
    snapshot.resources.filter(({ custom }) => custom).map(({ id, urn }) => [id, `<${urnName(urn)}>`]),
  );
  const text = JSON.stringify(essence(snapshot), (key, value: unknown) =>
    key === 'created' || key === 'modified'
      ? undefined
      : typeof value === 'string'
        ? (ids.get(value) ?? value)
        : value,
  );
  return JSON.parse(text);
}

test('a first up that fails leaves nothing, in the state and outside', async () => {
  const providers = new MockWorld({ pkgA: {} });
  providers.failNext('create', 'c', refused());
  const outcome = await rolledBack({
    providers,
    program: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { x: 1 });
      await resource(TYPE, 'b', { y: a.id }, { dependencies: [a.urn] });
      await resource(TYPE, 'c');
    },
  });
  expect(outcome.result.summary.result).toBe('rolled-back');
  expect(outcome.snapshot.resources).toEqual([]);
  expect(providers.alive).toEqual([]);
  expect(undone(outcome).slice(0, 2)).toEqual(['delete b', 'delete a']);
});

test('what a rollback could not delete is recorded as its provider says that it is now, and deleted with that', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const left = propertyMap({ half: 1, kept: secret('bytes') });
  providers.failNext('create', 'c', refused());
  providers.failNext('delete', 'a', new InitFailedError('', left, undefined, ['in use'], false, 'busy'));
  const outcome = await rolledBack({
    providers,
    program: async ({ resource }) => {
      await resource(TYPE, 'a', { x: 1 });
      await resource(TYPE, 'c');
    },
  });
  expect(outcome.result.summary.result).toBe('failed');
  expect(undone(outcome)).toContain('!delete a');
  expect(outcome.result.diagnostics).toContainEqual(expect.objectContaining({ causes: ['in use'] }));
  const entry = outcome.snapshot.resources.find(({ urn }) => urnName(urn) === 'a');
  expect(entry).toMatchObject({ inputs: { x: 1 }, outputs: left, delete: false });
  expect(outcome.snapshot.pendingOperations).toEqual([]);
  providers.forgetCalls();
  const end = await runScenario({ kind: 'destroy', providers, prior: outcome.snapshot });
  expect(end.result.summary.result).toBe('succeeded');
  const call = providers.calls.find(({ method }) => method === 'delete');
  expect(call?.request).toMatchObject({ oldOutputs: left });
  expect(providers.alive).toEqual([]);
});

interface Row {
  readonly title: string;
  readonly behaviour?: MockBehaviour;
  readonly before: ProgramFunction;
  /** Registers `z` last, which fails. */
  readonly failing: ProgramFunction;
  /** Steps undone in the change itself. `afterwards`: steps undone in a rollback of its own, if they differ. */
  readonly undone: readonly string[];
  readonly afterwards?: readonly string[];
  /** Steps of the completed operation, besides z. */
  readonly completed: readonly string[];
}

/** Makes changes of `r` require a new object; `first` if the old one is deleted first. */
const replacing = (first: boolean): MockBehaviour => ({
  diff: ({ oldInputs, news }) =>
    oldInputs['r'] === news['r']
      ? diffAnswer('unknown')
      : diffAnswer('some', { replaceKeys: ['r'], changedKeys: ['r'], deleteBeforeReplace: first }),
});

const rows: readonly Row[] = [
  {
    title: 'an update is changed back with the prior inputs',
    before: async ({ resource }) => {
      await resource(TYPE, 'a', { x: 1 });
    },
    failing: async ({ resource }) => {
      await resource(TYPE, 'a', { x: 2 });
      await resource(TYPE, 'z');
    },
    undone: ['update a'],
    completed: ['update a'],
  },
  {
    title: 'what was only written about a resource comes back without a call',
    before: async ({ resource, component }) => {
      const p = await component('my:m:Comp', 'p');
      await resource(TYPE, 'a', { x: 1 }, { parent: p.urn });
      await resource(TYPE, 'q');
      await resource(TYPE, 'b', { x: 1 });
    },
    failing: async ({ resource, component }) => {
      const p = await component('my:m:Comp', 'p');
      await resource(TYPE, 'a', { x: 1 }, { parent: p.urn, protect: true });
      const n = await resource(TYPE, 'n');
      const q = await resource(TYPE, 'q', {}, { dependencies: [n.urn] });
      await resource(TYPE, 'b', { x: 1 }, { dependencies: [q.urn] });
      await resource(TYPE, 'z');
    },
    undone: ['delete n'],
    completed: ['delete n'],
  },
  {
    title: 'create-first replacement: the original is still there',
    behaviour: replacing(false),
    before: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { r: 1 });
      await resource(TYPE, 'b', { y: a.id }, { propertyDependencies: { y: [a.urn] }, dependencies: [a.urn] });
    },
    failing: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { r: 2 });
      await resource(TYPE, 'b', { y: a.id }, { propertyDependencies: { y: [a.urn] }, dependencies: [a.urn] });
      await resource(TYPE, 'z');
    },
    undone: ['update b', 'delete a'],
    completed: ['create a', 'update b', 'delete a'],
  },
  {
    title:
      'delete-first replacement: the original is created again, and what has its id is changed once more',
    behaviour: replacing(true),
    before: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { r: 1 });
      await resource(TYPE, 'b', { y: a.id }, { propertyDependencies: { y: [a.urn] }, dependencies: [a.urn] });
    },
    failing: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { r: 2 });
      await resource(TYPE, 'b', { y: a.id }, { propertyDependencies: { y: [a.urn] }, dependencies: [a.urn] });
      await resource(TYPE, 'z');
    },
    undone: ['update b', 'delete a', 'create a', 'update b'],
    completed: ['update b', 'delete a', 'create a', 'update b'],
  },
  {
    title: 'what the program drops comes back with what it needs',
    before: async ({ resource, component }) => {
      const p = await component('my:m:Comp', 'p');
      const a = await resource(TYPE, 'a', { x: 1 }, { parent: p.urn });
      await resource(TYPE, 'b', { y: a.id }, { propertyDependencies: { y: [a.urn] }, dependencies: [a.urn] });
      await resource(TYPE, 'c', { x: 1 }, { dependencies: [a.urn] });
    },
    failing: async ({ resource }) => {
      await resource(TYPE, 'c', { x: 1 });
      await resource(TYPE, 'z');
    },
    undone: [],
    completed: ['create p', 'create a', 'create b'],
  },
  {
    title: 'what was replaced under another name comes back under its own, before what needs it',
    behaviour: replacing(false),
    before: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { r: 1 });
      await resource(TYPE, 'b', { r: 1 }, { dependencies: [a.urn] });
    },
    failing: async ({ resource }) => {
      const a = await resource(
        TYPE,
        'a2',
        { r: 2 },
        { aliases: [{ kind: 'urn', urn: 'urn:pulumi:test::test::pkgA:m:typA::a' }] },
      );
      await resource(TYPE, 'b', { r: 2 }, { dependencies: [a.urn] });
      await resource(TYPE, 'z');
    },
    undone: ['delete b', 'delete a2'],
    completed: ['create a', 'create b', 'delete b', 'delete a2'],
  },
  {
    title: 'what builds on what is turned around again',
    before: async ({ resource }) => {
      const a = await resource(TYPE, 'a', { x: 1 });
      const b = await resource(TYPE, 'b', { x: 1 }, { deletedWith: a.urn });
      await resource(TYPE, 'c', { x: 1 }, { dependencies: [b.urn] });
    },
    failing: async ({ resource }) => {
      const c = await resource(TYPE, 'c', { x: 1 });
      const b = await resource(TYPE, 'b', { x: 1 }, { deletedWith: c.urn });
      await resource(TYPE, 'a', { x: 2 }, { dependencies: [b.urn] });
      await resource(TYPE, 'z');
    },
    undone: ['update a'],
    completed: ['update a'],
  },
];

const table = rows.map((row) => [row.title, row] as const);

test.each(table)('in the change: %s', async (_title, { behaviour = {}, before, failing, undone: steps }) => {
  const providers = new MockWorld({ pkgA: { behaviour } });
  const { snapshot: prior } = await runScenario({ providers, program: before });
  const found = world(providers);
  providers.failNext('create', 'z', refused());
  const outcome = await rolledBack({ providers, prior, program: failing });
  expect(outcome.complaints.join('\n')).toMatch(/no room/);
  expect([outcome.result.summary.result, undone(outcome)]).toEqual(['rolled-back', steps]);
  expect(shape(outcome.snapshot)).toEqual(shape(prior));
  expect(world(providers)).toEqual(
    found.map(([urn, inputs]) => [urn, idsOf(inputs, prior, outcome.snapshot)]),
  );
  const again = await runScenario({ providers, prior: outcome.snapshot, program: before });
  expect(again.steps.filter((step) => !step.startsWith('same'))).toEqual([]);
});

test.each(table)('of a failed operation: %s', async (_title, row) => {
  const { behaviour = {}, before, failing, undone: steps, afterwards = steps } = row;
  const providers = new MockWorld({ pkgA: { behaviour } });
  const { snapshot: prior } = await runScenario({ providers, program: before });
  const found = world(providers);
  providers.failNext('create', 'z', refused());
  const failed = await runScenario({ providers, prior, program: failing });
  const outcome = await rollBack(prior, failed, providers);
  expect([outcome.result.summary.result, undone(outcome)]).toEqual(['succeeded', afterwards]);
  expect(shape(outcome.snapshot)).toEqual(shape(prior));
  expect(world(providers)).toEqual(
    found.map(([urn, inputs]) => [urn, idsOf(inputs, prior, outcome.snapshot)]),
  );
});

test.each(table)(
  'of a completed operation: %s',
  async (_title, { behaviour = {}, before, failing, completed }) => {
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { snapshot: prior } = await runScenario({ providers, program: before });
    const found = world(providers);
    const done = await runScenario({ providers, prior, program: failing });
    expect(done.result.summary.result).toBe('succeeded');
    const outcome = await rollBack(prior, done, providers);
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(undone(outcome).filter((step) => step !== 'delete z')).toEqual(completed);
    expect(shape(outcome.snapshot)).toEqual(shape(prior));
    expect(world(providers)).toEqual(
      found.map(([urn, inputs]) => [urn, idsOf(inputs, prior, outcome.snapshot)]),
    );
    const again = await runScenario({ providers, prior: outcome.snapshot, program: before });
    expect(again.steps.filter((step) => !step.startsWith('same'))).toEqual([]);
  },
);

/** Returns inputs with the present ids of objects in place of the former ones. */
function idsOf(inputs: unknown, before: Snapshot, after: Snapshot): unknown {
  const present = new Map(after.resources.map(({ urn, id }) => [urn, id]));
  const renamed = new Map(before.resources.map(({ urn, id }) => [id, present.get(urn) ?? id]));
  return JSON.parse(
    JSON.stringify(inputs, (_key, value: unknown) =>
      typeof value === 'string' ? (renamed.get(value) ?? value) : value,
    ),
  );
}

describe('what a look has named anew is called what it was', () => {
  const named =
    (name: string, r: number): ProgramFunction =>
    async ({ resource }) => {
      const aliases =
        name === 'a' ? [] : [{ kind: 'urn' as const, urn: 'urn:pulumi:test::test::pkgA:m:typA::a' }];
      await Promise.all([resource(TYPE, 'o', { r: 1, x: r }), resource(TYPE, name, { r }, { aliases })]);
    };

  test.each([
    ['an update that fails', {}, 'update', 'a2'],
    ['a replacement that cannot be created', replacing(false), 'create', 'a2'],
    ['a delete before a replacement that fails', replacing(true), 'delete', 'a2'],
    ['a step that has no turn', {}, 'update', 'o'],
  ] as const)('%s', async (_title, behaviour, method, at) => {
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { snapshot: prior } = await runScenario({ providers, program: named('a', 1) });
    const program = named('a2', 2);
    const failing = { providers, prior, scope: { refresh: true }, runProgram: true, parallel: 1, program };
    const found = world(providers);
    providers.failNext(method, at, refused());
    const failed = await runScenario(failing);
    expect(failed.complaints.join('\n')).toMatch(/no room/);
    const later = await rollBack(prior, failed, providers);
    expect(shape(later.snapshot)).toEqual(shape(prior));
    providers.failNext(method, at, refused());
    const outcome = await rolledBack(failing);
    expect(outcome.complaints.join('\n')).toMatch(/no room/);
    expect(outcome.result.summary.result).toBe('rolled-back');
    expect(shape(outcome.snapshot)).toEqual(shape(snapshotLookedAt(prior)));
    expect(world(providers)).toEqual(found);
    // Under its new name, the old program would delete its object.
    const again = await runScenario({ providers, prior: outcome.snapshot, program: named('a', 1) });
    expect(again.steps.filter((step) => !step.startsWith('same'))).toEqual([]);
  });
});

test('what a rollback has created again without hearing of it is not created once more', async () => {
  const program: ProgramFunction = async ({ resource }) => {
    await resource(TYPE, 'a', { x: 1 });
  };
  const built = await startLine({ title: 'up', program }, emptySnapshot, new CutWorld('lookup'));
  const { snapshot, world } = built.line;
  const gone = await startLine({ title: 'destroy', kind: 'destroy', program }, snapshot, world);
  expect([...world.objects]).toEqual([]);
  world.scripts = { a: { create: 'lost' } };
  const lost = await goOn(gone.line, 'rollback');
  expect(lost.outcome.result.summary.result).toBe('failed');
  const back = await goOn(lost.line, 'rollback');
  expect(back.outcome.result.summary.result).toBe('succeeded');
  expect(shape(back.outcome.snapshot)).toEqual(shape(snapshot));
  expect(world.objects.size).toBe(1);
});

test('a rollback that died before it created an object again does that when it goes on, also where a look had moved the entry', async () => {
  const behaviour: MockBehaviour = {
    extras: { types: { [TYPE]: { lookup: true, settleSeconds: 0 } } },
    diff: ({ oldInputs, news }) =>
      oldInputs['v'] === news['v'] ? diffAnswer('none') : diffAnswer('some', { replaceKeys: ['v'] }),
  };
  const providers = new MockWorld({ pkgA: { behaviour } });
  const program =
    (v: number): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'a', { v });
    };
  const { snapshot } = await runScenario({ providers, program: program(1) });
  const resources = snapshot.resources.map((entry) =>
    urnName(entry.urn) === 'a' ? withEntry(entry, { parent: undefined }) : entry,
  );
  const story = new Story(providers, { stack: { ...snapshot, resources } });
  await story.run({ program: program(2), scope: { refresh: true }, runProgram: true });
  await story.runAndKill('create', 'a', { how: 'rollback', before: true });
  const { result } = await story.goOn('rollback');
  expect(result.summary).toMatchObject({ result: 'succeeded', rollback: { failed: 0, held: 0 } });
  expect([...providers.objects.values()].map(({ inputs: { v } }) => v)).toEqual([1]);
});

test('what another operation did beside the line stays', async () => {
  const providers = new MockWorld({ pkgA: {} });
  const of =
    (a: number, b: number): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'a', { size: a });
      await resource(TYPE, 'b', { size: b });
    };
  const { snapshot: prior } = await runScenario({ providers, program: of(1, 1) });
  const other = await runScenario({ providers, prior, program: of(2, 1) });
  // It began when the other one had not ended: the state that it started from is older.
  const line = await runScenario({ providers, prior: other.snapshot, program: of(2, 2) });
  const outcome = await rollBack(prior, line, providers);
  expect(undone(outcome)).toEqual(['update b']);
  expect(essence(outcome.snapshot)).toEqual(essence(other.snapshot));
});

test('a left-over of an earlier operation that is deleted does not come back, nor twice what replaced it', async () => {
  const providers = new MockWorld({ pkgA: { behaviour: replacing(false) } });
  const program =
    (r: number): ProgramFunction =>
    async ({ resource }) => {
      const first = await resource(TYPE, 'first');
      await resource(TYPE, 'a', { r }, { dependencies: [first.urn] });
    };
  const first = await runScenario({ providers, program: program(1) });
  providers.failNext('delete', 'a', refused());
  const { snapshot: prior } = await runScenario({ providers, prior: first.snapshot, program: program(2) });
  expect(prior.resources.filter(({ urn }) => urnName(urn) === 'a').map((entry) => entry.delete)).toEqual([
    false,
    true,
  ]);
  providers.failNext('delete', 'first', refused());
  const outcome = await rolledBack({ kind: 'destroy', providers, prior });
  expect(outcome.result.summary.result).toBe('rolled-back');
  expect(shape(outcome.snapshot)).toEqual(
    shape({ ...prior, resources: prior.resources.filter((entry) => !entry.delete) }),
  );
  expect(world(providers).map(([urn, inputs]) => [urnName(urn as never), inputs])).toEqual([
    ['a', { r: 2 }],
    ['first', {}],
  ]);
});

test('marks that others have set beside the line are theirs, those of the line are taken back', async () => {
  const story = new Story(new MockWorld({ pkgA: {} }));
  const program =
    (v: number, protect: boolean): ProgramFunction =>
    async ({ resource }) => {
      await resource(TYPE, 'a', { v });
      await resource(TYPE, 'ours', { v: 1 }, { protect });
      await resource(TYPE, 'theirs', { v: 1 });
      await resource(TYPE, 'last', { v });
    };
  await story.run({ program: program(1, false) });
  await story.runAndKill('update', 'last', { program: program(2, true), parallel: 1, before: true });
  const marked = { theirs: { protect: true, taint: true } } as const;
  story.snapshot = {
    ...story.snapshot,
    resources: story.snapshot.resources.map((entry) =>
      urnName(entry.urn) === 'theirs' ? { ...entry, ...marked.theirs } : entry,
    ),
  };
  const { result } = await story.goOn('rollback');
  expect(result.summary.result).toBe('succeeded');
  const found = Object.fromEntries(
    story.snapshot.resources.map(({ urn, protect, taint, inputs: { v } }) => [
      urnName(urn),
      { protect, taint, v },
    ]),
  );
  expect(found).toMatchObject({
    a: { protect: false, taint: false, v: 1 },
    ours: { protect: false, taint: false, v: 1 },
    theirs: { protect: true, taint: true, v: 1 },
    last: { protect: false, taint: false, v: 1 },
  });
});
