import { makeUrn, urnName } from '@cairn/addresses';
import { emptySnapshot, withEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { StatusError } from '@cairn/wire';
import type { UpdateRequest, View, ViewOp, ViewPublishing, ViewStep } from '@cairn/wire';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Read-only children that providers report [VIEW-1], published during the work on their owner. */

const TYPE = 'pkgA:m:typA';
const VIEW = 'pkgA:m:typAView';
const home = { project: 'test', stack: 'test' };
const owner = makeUrn({ ...home, type: TYPE, name: 'resA' });
const child = makeUrn({ ...home, type: VIEW, name: 'resA-child', parent: owner });

const state = (value: unknown, name = 'resA-child'): View => ({
  type: VIEW,
  name,
  parentType: '',
  parentName: '',
  inputs: propertyMap({ input: value as string }),
  outputs: propertyMap({ result: value as string }),
});

/** Makes one step of the view; sides are values of `input` and `result`. */
function step(op: ViewOp, sides: { old?: unknown; new?: unknown; error?: string; name?: string }): ViewStep {
  const { name = 'resA-child', error = '' } = sides;
  return {
    status: 'ok',
    error,
    op,
    type: VIEW,
    name,
    old: 'old' in sides ? state(sides.old, name) : undefined,
    new: 'new' in sides ? state(sides.new, name) : undefined,
    keys: [],
    diffs: [],
    detailedDiff: undefined,
  };
}

interface Reports {
  /** Defaults to a create of the view with the value of `foo`. */
  readonly create?: (inputs: PropertyMap) => readonly ViewStep[];
  readonly update?: (request: UpdateRequest) => readonly ViewStep[];
  readonly read?: readonly ViewStep[];
  readonly delete?: readonly ViewStep[];
  /** Answer of the owner's diff. By default it compares `foo`. */
  readonly diff?: 'some' | 'replace';
  readonly deleteFirst?: boolean;
  readonly refreshBeforeUpdate?: boolean;
  /** Error with which updates of the owner end. */
  readonly fails?: string;
  /** Old views that calls received, by method. */
  readonly seen?: [string, readonly View[] | undefined][];
}

function publishing(reports: Reports): MockBehaviour {
  const { refreshBeforeUpdate = false, seen } = reports;
  const publish = async (views: ViewPublishing | undefined, steps: readonly ViewStep[]) => {
    if (steps.length > 0) await views?.publish(steps);
  };
  return {
    diff: async ({ oldInputs, news }) => {
      if (reports.diff === 'some') return diffAnswer('some');
      if (oldInputs.foo === news.foo) return diffAnswer('none');
      return diffAnswer('some', {
        replaceKeys: reports.diff === 'replace' ? ['foo'] : [],
        deleteBeforeReplace: reports.deleteFirst === true,
      });
    },
    create: async ({ inputs, views }, { standard }) => {
      await publish(views, reports.create?.(inputs) ?? [step('create', { new: inputs.foo })]);
      return { ...(await standard()), refreshBeforeUpdate };
    },
    update: async (request, { standard }) => {
      seen?.push(['update', request.oldViews]);
      await publish(request.views, reports.update?.(request) ?? []);
      if (reports.fails !== undefined && !request.preview) throw new StatusError('UNKNOWN', reports.fails);
      return { ...(await standard()), refreshBeforeUpdate };
    },
    read: async ({ views, oldViews }, { standard }) => {
      seen?.push(['read', oldViews]);
      await publish(views, reports.read ?? []);
      return { ...(await standard()), refreshBeforeUpdate };
    },
    delete: async ({ views, oldViews }, { standard }) => {
      seen?.push(['delete', oldViews]);
      await publish(views, reports.delete ?? []);
      return standard();
    },
  };
}

const registers =
  (foo: string): ProgramFunction =>
  async ({ resource }) => {
    await resource(TYPE, 'resA', { foo });
  };
const nothing: ProgramFunction = async () => {};

/** One stack over several operations, each after a preview that must count alike. */
class Stack {
  snapshot: Snapshot = emptySnapshot;
  readonly world: MockWorld;

  constructor(readonly reports: Reports = {}) {
    this.world = new MockWorld({ pkgA: { behaviour: publishing(reports) } });
  }

  async run(program: ProgramFunction, options: Partial<Scenario> = {}): Promise<Outcome> {
    const scenario = { ...options, prior: this.snapshot, program, providers: this.world };
    const preview = await runScenario({ ...scenario, preview: true });
    const outcome = await runScenario(scenario);
    expect(shown(preview)).toEqual(shown(outcome));
    this.snapshot = outcome.snapshot;
    return outcome;
  }

  get names(): readonly string[] {
    return this.snapshot.resources
      .map((entry) => `${urnName(entry.urn)}${entry.delete ? '(delete)' : ''}`)
      .filter((name) => name !== 'test-test')
      .sort();
  }

  entry(urn: string): ResourceEntry | undefined {
    return this.snapshot.resources.find((entry) => entry.urn === urn && !entry.delete);
  }
}

/** Returns counts without providers and the stack: those of the owner and its views. */
function shown({ events }: Outcome): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const event of events)
    if (event.t === 'step-ended' && (event.step.urn === owner || event.step.type === VIEW))
      counts[event.step.kind] = (counts[event.step.kind] ?? 0) + 1;
  return counts;
}

const succeeded = ({ result }: Outcome) => result.summary.result === 'succeeded';

test('a view is stored below its owner, and unchanged with it', async () => {
  const stack = new Stack();
  const made = await stack.run(registers('bar'));
  expect(shown(made)).toEqual({ create: 2 });
  expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
  expect(stack.entry(child)).toMatchObject({
    custom: false,
    id: '',
    provider: undefined,
    parent: owner,
    viewOf: owner,
    inputs: { input: 'bar' },
    outputs: { result: 'bar' },
  });
  expect(shown(await stack.run(registers('bar')))).toEqual({ same: 2 });
  expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
});

test('LT2-117 a view that cannot be updated fails its owner', async () => {
  const stack = new Stack({
    update: () => [step('update', { old: 'bar', new: 'baz', error: 'something went wrong' })],
  });
  expect(shown(await stack.run(registers('bar')))).toEqual({ create: 2 });
  const outcome = await runScenario({
    prior: stack.snapshot,
    program: registers('baz'),
    providers: stack.world,
  });
  expect(succeeded(outcome)).toBe(false);
  expect(outcome.complaints.join()).toContain('something went wrong');
  const view = outcome.snapshot.resources.find(({ urn }) => urn === child);
  expect(view?.outputs).toEqual({ result: 'bar' });
});

test('what failed with a view is told also when its owner fails by itself', async () => {
  const stack = new Stack({
    update: () => [step('update', { old: 'bar', new: 'baz', error: 'the view went wrong' })],
    fails: 'no room',
  });
  await stack.run(registers('bar'));
  const outcome = await runScenario({
    prior: stack.snapshot,
    program: registers('baz'),
    providers: stack.world,
  });
  const failed = outcome.events.flatMap((event) => (event.t === 'step-failed' ? [event.step.urn] : []));
  expect(failed).toEqual([child, owner]);
  const [diagnostic] = outcome.events.flatMap((event) =>
    event.t === 'diagnostic' && event.diagnostic.severity === 'error' ? [event.diagnostic] : [],
  );
  expect(diagnostic?.causes).toContain(`${child}: the view went wrong`);
});

test('LT2-118 an update of the owner may delete a view', async () => {
  const seen: Reports['seen'] = [];
  const stack = new Stack({ seen, update: () => [step('delete', { old: 'bar' })] });
  await stack.run(registers('bar'));
  const { id } = stack.entry(owner) as ResourceEntry;
  const outcome = await stack.run(registers('baz'));
  expect(shown(outcome)).toEqual({ update: 1, delete: 1 });
  expect(stack.names).toEqual(['default', 'resA']);
  expect(stack.entry(owner)?.id).toBe(id);
  expect(seen).toEqual([
    ['update', [state('bar')]],
    ['update', [state('bar')]],
  ]);
});

describe('reading the owner again', () => {
  const cases = [
    ['LT2-119', 'LT2-120', 'same', { old: 'bar', new: 'bar' }, 'bar'],
    ['LT2-121', 'LT2-122', 'update', { old: 'bar', new: 'baz' }, 'baz'],
    ['LT2-123', 'LT2-124', 'delete', { old: 'bar' }, undefined],
  ] as const;
  test.each(cases.map(([id, _, ...rest]) => [id, ...rest] as const))(
    '%s refresh finds: %s',
    async (_id, op, sides, value) => {
      const stack = new Stack({ read: [step(op, sides)] });
      await stack.run(registers('bar'));
      const { id } = stack.entry(owner) as ResourceEntry;
      const outcome = await stack.run(nothing, { kind: 'refresh' });
      expect(succeeded(outcome)).toBe(true);
      expect(shown(outcome)).toEqual({ refresh: 2 });
      const found = outcome.events.flatMap((event) =>
        event.t === 'step-ended' && event.step.urn === child ? [event.step.refreshResult] : [],
      );
      expect(found).toEqual([op]);
      expect(stack.entry(child)?.outputs).toEqual(value === undefined ? undefined : { result: value });
      expect(stack.entry(child)?.inputs).toEqual(value === undefined ? undefined : { input: value });
      expect(stack.entry(owner)?.id).toBe(id);
    },
  );

  test.each(cases.map(([_, ...rest]) => rest))(
    '%s before an update finds: %s',
    async (_id, op, sides, value) => {
      const seen: Reports['seen'] = [];
      const stack = new Stack({ seen, read: [step(op, sides)], refreshBeforeUpdate: true });
      await stack.run(registers('bar'));
      expect(seen).toEqual([]);
      const outcome = await stack.run(registers('bar'));
      expect(succeeded(outcome)).toBe(true);
      expect(seen).toContainEqual(['read', [state('bar')]]);
      expect(stack.names).toEqual(['default', 'resA', ...(value === undefined ? [] : ['resA-child'])]);
      expect(stack.entry(child)?.outputs).toEqual(value === undefined ? undefined : { result: value });
    },
  );

  test('a view that is published as new is found by the refresh [VIEW-4]', async () => {
    const stack = new Stack({ read: [step('create', { new: 'drift', name: 'late' })] });
    await stack.run(registers('bar'));
    const outcome = await stack.run(nothing, { kind: 'refresh' });
    expect(succeeded(outcome)).toBe(true);
    const late = makeUrn({ ...home, type: VIEW, name: 'late', parent: owner });
    const found = outcome.events.flatMap((event) =>
      event.t === 'step-ended' && event.step.urn === late ? [event.step.kind, event.step.refreshResult] : [],
    );
    expect(found).toEqual(['refresh', 'create']);
    expect(stack.entry(late)).toMatchObject({ viewOf: owner, parent: owner, custom: false, id: '' });
    expect(stack.names).toEqual(['default', 'late', 'resA', 'resA-child']);
  });

  test.each([
    ['LT2-128', { scope: { refresh: true } }, false],
    ['LT2-129', {}, true],
  ] as const)('%s a view that is gone is made again by the update', async (_id, options, flagged) => {
    const stack = new Stack({
      create: () => [step('create', { new: 'bar' })],
      read: [step('delete', { old: 'bar' })],
      diff: 'some',
      update: () => [step('create', { new: 'baz' })],
      refreshBeforeUpdate: flagged,
    });
    await stack.run(registers('bar'));
    const prior = { prior: stack.snapshot, program: registers('bar'), providers: stack.world };
    const outcome = await runScenario({
      ...prior,
      ...('scope' in options && { scope: { targets: [], targetDependents: false, ...options.scope } }),
    });
    stack.snapshot = outcome.snapshot;
    expect(succeeded(outcome)).toBe(true);
    expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
    expect(stack.entry(child)?.outputs).toEqual({ result: 'baz' });
    expect(stack.entry(owner)?.refreshBeforeUpdate).toBe(flagged);
  });
});

test('LT2-125 taking over another resource leaves views alone', async () => {
  const stack = new Stack();
  await stack.run(registers('bar'));
  const imported = 'imported-id';
  stack.world.objects.set(imported, {
    urn: makeUrn({ ...home, type: TYPE, name: 'resB' }),
    type: TYPE,
    inputs: emptyMap,
    outputs: emptyMap,
    settings: undefined,
  });
  const outcome = await stack.run(async (context) => {
    await registers('bar')(context);
    await context.resource(TYPE, 'resB', {}, { importId: imported });
  });
  expect(succeeded(outcome)).toBe(true);
  expect(stack.names).toEqual(['default', 'resA', 'resA-child', 'resB']);
  expect(stack.entry(child)?.outputs).toEqual({ result: 'bar' });
  expect(stack.entry(makeUrn({ ...home, type: TYPE, name: 'resB' }))?.id).toBe(imported);
});

test('LT2-126 a view may be replaced while its owner is only updated', async () => {
  const stack = new Stack({
    update: () => [
      step('delete-replaced', { old: 'bar' }),
      step('replace', { old: 'bar', new: 'baz' }),
      step('create-replacement', { new: 'baz' }),
    ],
  });
  await stack.run(registers('bar'));
  const outcome = await stack.run(registers('baz'));
  expect(shown(outcome)).toEqual({
    update: 1,
    'delete-replaced': 1,
    replace: 1,
    'create-replacement': 1,
  });
  expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
  expect(stack.entry(child)?.outputs).toEqual({ result: 'baz' });
});

describe('a view that gets a new record before its old one goes is there afterwards', () => {
  const rows: readonly (readonly [ViewOp, ViewOp, boolean])[] = [
    ['create-replacement', 'delete-replaced', true],
    ['create-replacement', 'delete-replaced', false],
    ['import-replacement', 'delete-replaced', true],
    ['import-replacement', 'discard-replaced', true],
    ['read-replacement', 'discard-replaced', true],
    ['read-replacement', 'read-discard', false],
    ['create', 'delete', false],
    ['update', 'delete', true],
  ];
  const published = (puts: ViewOp, removes: ViewOp, tellsOld: boolean) => [
    step(puts, { ...(tellsOld && { old: 'bar' }), new: 'baz' }),
    step('replace', { old: 'bar', new: 'baz' }),
    step(removes, { old: 'bar' }),
  ];

  test.each(rows)('%s, replace, %s (with the old one: %s)', async (puts, removes, tellsOld) => {
    const steps = published(puts, removes, tellsOld);
    const stack = new Stack({ update: () => steps, read: steps });
    await stack.run(registers('bar'));
    const outcome = await stack.run(registers('baz'));
    expect(succeeded(outcome)).toBe(true);
    expect(Object.keys(shown(outcome)).sort()).toEqual(
      [...new Set(['update', puts, 'replace', removes])].sort(),
    );
    expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
    expect(stack.entry(child)).toMatchObject({ outputs: { result: 'baz' }, viewOf: owner });
    expect(shown(await stack.run(nothing, { kind: 'refresh' }))).toEqual({ refresh: 4 });
    expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
    expect(succeeded(await stack.run(nothing))).toBe(true);
    expect(stack.names).toEqual([]);
  });

  test('one view that becomes two', async () => {
    const two = [step('update', { old: 'bar', new: 'baz' }), step('delete', { old: 'bar' })];
    const split = two.map((each) => (each.new === undefined ? each : { ...each, new: state('baz', 'one') }));
    const more = { ...step('update', { old: 'bar', new: 'baz' }), new: state('baz', 'two') };
    const stack = new Stack({ update: () => [...split, more] });
    await stack.run(registers('bar'));
    expect(succeeded(await stack.run(registers('baz')))).toBe(true);
    expect(stack.names).toEqual(['default', 'one', 'resA', 'two']);
  });

  test('the create of another object for the owner may replace views of the old one', async () => {
    const stack = new Stack({
      diff: 'replace',
      create: ({ foo }) =>
        foo === 'bar'
          ? [step('create', { new: foo }), step('create', { new: foo, name: 'other' })]
          : published('create-replacement', 'delete-replaced', true),
    });
    await stack.run(registers('bar'));
    expect(succeeded(await stack.run(registers('baz')))).toBe(true);
    expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
    expect(stack.entry(child)?.outputs).toEqual({ result: 'baz' });
  });
});

describe('views go with their owner', () => {
  test('also those that another tool has left to be deleted', async () => {
    const stack = new Stack();
    await stack.run(registers('bar'));
    const left = withEntry(stack.entry(child) as ResourceEntry, { delete: true });
    stack.snapshot = { ...stack.snapshot, resources: [...stack.snapshot.resources, left] };
    expect(succeeded(await stack.run(nothing))).toBe(true);
    expect(stack.names).toEqual([]);
  });

  test.each([
    ['what the provider says', [step('delete', { old: 'bar' })]],
    ['the engine, when it says nothing', []],
  ])('deleted: %s', async (_, published) => {
    const seen: Reports['seen'] = [];
    const stack = new Stack({ seen, delete: published });
    await stack.run(registers('bar'));
    const outcome = await stack.run(nothing);
    expect(shown(outcome)).toEqual({ delete: 2 });
    expect(stack.names).toEqual([]);
    expect(seen).toEqual([['delete', [state('bar')]]]);
  });

  test.each([
    ['destroyed', false],
    ['found gone', true],
  ])('%s', async (_, gone) => {
    const stack = new Stack();
    await stack.run(registers('bar'));
    if (gone) stack.world.objects.clear();
    const outcome = await stack.run(nothing, { kind: gone ? 'refresh' : 'destroy' });
    expect(succeeded(outcome)).toBe(true);
    expect(shown(outcome)).toEqual(gone ? { refresh: 2 } : { delete: 2 });
    expect(stack.names).toEqual(gone ? ['default'] : []);
  });

  test.each([
    ['created', undefined],
    ['taken over', 'imported-id'],
  ])('of what was %s, when that is rolled back', async (_, importId) => {
    const world = new MockWorld({
      pkgA: { behaviour: publishing({ read: [step('import', { new: 'found' })] }) },
      pkgB: { behaviour: { create: async () => Promise.reject(new StatusError('UNKNOWN', 'no room')) } },
    });
    if (importId !== undefined) {
      const settings = undefined;
      world.objects.set(importId, { urn: owner, type: TYPE, inputs: emptyMap, outputs: emptyMap, settings });
    }
    const { result, snapshot, events } = await runScenario({
      providers: world,
      program: async ({ resource }) => {
        await resource(TYPE, 'resA', {}, importId === undefined ? {} : { importId });
        await resource('pkgB:m:typB', 'fails');
      },
      policy: { onError: 'rollback' },
    });
    const ended = events.flatMap((event) =>
      event.t === 'step-ended' && event.step.type === VIEW ? [event.step.kind] : [],
    );
    expect(ended).not.toEqual([]);
    expect(result.summary.rollback).toMatchObject({ failed: 0, held: 0 });
    expect(snapshot.resources.filter(({ type }) => type === TYPE || type === VIEW)).toEqual([]);
    expect([...world.objects.keys()]).toEqual(importId === undefined ? [] : [importId]);
  });

  test.each([
    ['created first', false],
    ['deleted first', true],
  ])('replaced, %s', async (_, deleteFirst) => {
    const seen: Reports['seen'] = [];
    const stack = new Stack({ seen, diff: 'replace', deleteFirst });
    await stack.run(registers('bar'));
    const outcome = await stack.run(registers('baz'));
    expect(succeeded(outcome)).toBe(true);
    expect(stack.names).toEqual(['default', 'resA', 'resA-child']);
    expect(stack.entry(child)?.outputs).toEqual({ result: 'baz' });
    expect(seen).toEqual([['delete', [state('bar')]]]);
  });
});

describe('what cannot be published', () => {
  const refusals: readonly (readonly [string, readonly ViewStep[], string])[] = [
    [
      'an old view that is not there',
      [step('update', { old: 'x', new: 'y', name: 'other' })],
      'no such view',
    ],
    ['no new state', [step('update', { old: 'bar' })], 'it has no new state'],
    [
      'a view twice',
      [step('create', { new: 1, name: 'v' }), step('create', { new: 2, name: 'v' })],
      'it is published twice',
    ],
    ['a view without a name', [step('create', { new: 1, name: '' })], 'no type or no name'],
  ];
  test.each(refusals)('%s', async (_, steps, message) => {
    const stack = new Stack({ update: () => steps });
    await stack.run(registers('bar'));
    const outcome = await runScenario({
      prior: stack.snapshot,
      program: registers('baz'),
      providers: stack.world,
    });
    expect(succeeded(outcome)).toBe(false);
    expect(outcome.complaints.join()).toContain(message);
    const views = outcome.snapshot.resources.filter(({ viewOf }) => viewOf !== undefined);
    expect(views.map(({ outputs }) => outputs)).toEqual([{ result: 'bar' }]);
  });

  test('anything after the call has ended', async () => {
    const kept: ViewPublishing[] = [];
    const late: string[] = [];
    const behaviour: MockBehaviour = {
      create: async ({ views }, { standard }) => {
        for (const earlier of kept)
          await earlier
            .publish([step('create', { new: 1 })])
            .catch((error: Error) => void late.push(error.message));
        if (views !== undefined) kept.push(views);
        return standard();
      },
    };
    const outcome = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async ({ resource }) => {
        await resource(TYPE, 'a');
        await resource(TYPE, 'b');
      },
    });
    expect(succeeded(outcome)).toBe(true);
    expect(late).toEqual(['there is no step with this token, or it has ended']);
    expect(outcome.snapshot.resources.filter(({ viewOf }) => viewOf !== undefined)).toEqual([]);
  });
});

test('a provider in another process publishes over its connection', async () => {
  const world = new MockWorld({
    pkgA: { behaviour: publishing({ update: () => [step('delete', { old: 'bar' })] }) },
  });
  const run = (prior: Snapshot, foo: string) =>
    runScenario({ prior, providers: world, program: registers(foo), overWire: true });
  const made = await run(emptySnapshot, 'bar');
  expect(made.snapshot.resources.find(({ urn }) => urn === child)).toMatchObject({ viewOf: owner });
  const updated = await run(made.snapshot, 'baz');
  expect(shown(updated)).toEqual({ update: 1, delete: 1 });
});
