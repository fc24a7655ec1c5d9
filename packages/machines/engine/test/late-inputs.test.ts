import { urnName } from '@cairn/addresses';
import { UNKNOWN, emptyMap, propertyMap, secret } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import { MockStack, MockWorld, Story } from '@cairn/testkit';
import type { BareProgramFunction, ProgramFunction, StackRun } from '@cairn/testkit';

/** Inputs of components that come with their outputs [REG-19]. */

type Late = Parameters<typeof propertyMap>[0];

const box =
  (late: Late | undefined, known: Late = { size: 1 }): BareProgramFunction =>
  async (p) => {
    const { urn } = await p.component('box', { inputs: propertyMap(known), lateInputs: ['at', 'of'] });
    await p.register('child', { x: 1 }, { parent: urn });
    await p.outputs(urn, { done: true }, late as never);
  };

const stepsOf = ({ allSteps }: StackRun) => allSteps.filter((step) => step.endsWith(' box'));
const outputSteps = ({ events }: StackRun) =>
  events.flatMap((event) => (event.t === 'outputs' ? [event.step] : []));

test('they are stored with the outputs, in one entry, and make no step of their own', async () => {
  const stack = new MockStack();
  const run = await stack.up(box({ at: secret('here'), of: 'child' }));
  expect([stepsOf(run), run.result.summary.changes['create']]).toEqual([['create box'], 2]);
  expect(stack.entry('box')).toMatchObject({
    inputs: propertyMap({ size: 1, at: secret('here'), of: 'child' }),
    outputs: { done: true },
  });
  const written = run.store.records.filter((record) =>
    JSON.stringify(record).includes('"outputs":{"done":true}'),
  );
  expect(written).toHaveLength(1);
});

test('nothing differs, in a preview neither', async () => {
  const stack = new MockStack();
  const program = box({ at: 'here' });
  await stack.up(program);
  for (const run of [await stack.preview(program), await stack.up(program)]) {
    expect(run.result.summary.changes).toEqual({ same: 2 });
    expect(stepsOf(run)).toEqual(['same box']);
  }
});

test.each([
  ['another value', { at: 'there', of: 'b' }, { at: 'there', of: 'b' }, ['at']],
  ['one that is gone', { of: 'b' }, { of: 'b' }, ['at']],
  ['one that is new', { at: 'a', of: 'b', more: 1 }, { at: 'a', of: 'b' }, undefined],
])('%s counts as an update, in a preview too', async (_title, late, stored, keys) => {
  const stack = new MockStack();
  await stack.up(box({ at: 'a', of: 'b' }));
  const preview = await stack.preview(box(late));
  const run = await stack.up(box(late));
  for (const { result, events } of [preview, run]) {
    expect(result.summary.changes).toEqual(keys === undefined ? { same: 2 } : { same: 1, update: 1 });
    const updates = events.filter((event) => event.t === 'step-ended' && event.step.kind === 'update');
    expect(updates).toEqual(
      keys === undefined
        ? []
        : [expect.objectContaining({ step: expect.objectContaining({ changedKeys: keys }) })],
    );
  }
  expect(stack.entry('box').inputs).toEqual(propertyMap({ size: 1, ...stored }));
});

test('a component that is updated anyway is counted once', async () => {
  const stack = new MockStack();
  await stack.up(box({ at: 'a' }));
  const run = await stack.up(box({ at: 'b' }, { size: 2 }));
  expect(run.result.summary.changes).toEqual({ same: 1, update: 1 });
  expect(stepsOf(run)).toEqual(['update box']);
  expect(stack.entry('box').inputs).toEqual(propertyMap({ size: 2, at: 'b' }));
});

test('the preview of a new component does not know them before they come', async () => {
  const preview = await new MockStack().preview(box({ at: 'here' }));
  const created = preview.events.find(
    (event) => event.t === 'step-ended' && urnName(event.step.urn) === 'box',
  );
  expect(created).toMatchObject({ step: { new: { inputs: { size: 1, at: UNKNOWN, of: UNKNOWN } } } });
  expect(outputSteps(preview)).toMatchObject([{ new: { inputs: propertyMap({ size: 1, at: 'here' }) } }]);
});

test('what does not come, or is not known in a real run, stays as it was', async () => {
  const stack = new MockStack();
  await stack.up(box({ at: 'a', of: 'b' }));
  for (const late of [undefined, { at: UNKNOWN, of: 'b' }]) {
    const run = await stack.up(box(late));
    expect(run.result.summary.changes).toEqual({ same: 2 });
    expect(stack.entry('box').inputs).toEqual(propertyMap({ size: 1, at: 'a', of: 'b' }));
  }
});

test('a refresh and a destroy that run the program store them as well', async () => {
  const stack = new MockStack();
  await stack.up(box({ at: 'a' }));
  await stack.refreshRun(box({ at: 'b' }));
  expect(stack.entry('box').inputs).toEqual(propertyMap({ size: 1, at: 'b' }));
  await stack.destroyRun(box({ at: 'c' }));
  expect(stack.state).toEqual([]);
});

test('an update that is excluded keeps them', async () => {
  const stack = new MockStack();
  await stack.up(box({ at: 'a' }));
  const run = await stack.up(box({ at: 'b' }), { scope: { excludes: ['**box'] } as never });
  expect(run.result.summary.result).toBe('succeeded');
  expect(stack.entry('box').inputs).toEqual(propertyMap({ size: 1, at: 'a' }));
});

test('a plan leaves them open', async () => {
  const stack = new MockStack();
  const { plan } = (await stack.preview(box({ at: UNKNOWN }), { plan: { make: true } } as never)).result;
  const run = await stack.up(box({ at: 'here' }), { plan: { follow: plan } } as never);
  expect(run.errors).toEqual([]);
  const next = (await stack.preview(box({ at: 'here' }), { plan: { make: true } } as never)).result.plan;
  const other = await stack.up(box({ at: 'there' }), { plan: { follow: next } } as never);
  expect([other.errors, other.result.summary.changes]).toEqual([[], { same: 1, update: 1 }]);
});

test.each([
  ['a custom resource', { custom: true }],
  ['a remote component', { custom: false, remote: true }],
])('they are refused for %s', async (_title, options) => {
  const run = await new MockStack().up(async (p) => {
    await p.register('x', {}, { ...options, lateInputs: ['at'] });
  });
  expect(run.errors).toEqual([expect.stringContaining('lateInputs is for local components')]);
});

test('what a transform says of one counts', async () => {
  const stack = new MockStack();
  await stack.up(async (p) => {
    const inputs = propertyMap({ at: 'said' });
    const { urn } = await p.component('box', { inputs, lateInputs: ['at', 'of'] });
    await p.outputs(urn, {}, { at: 'late', of: 'late' });
  });
  expect(stack.entry('box').inputs).toEqual(propertyMap({ at: 'said', of: 'late' }));
});

const TYPE = 'pkgA:m:typA';

/** Makes a component with a child, completed with a late input. */
const holding =
  (at: string, child: Late = {}): ProgramFunction =>
  async ({ component, resource, monitor }) => {
    const { urn } = await component('my:index:Box', 'box', { lateInputs: ['at'] });
    await resource(TYPE, 'child', child as never, { parent: urn });
    await monitor.registerResourceOutputs({ urn, outputs: emptyMap, lateInputs: propertyMap({ at }) });
  };

const inputsOf = ({ snapshot }: Pick<Story, 'snapshot'>) =>
  snapshot.resources.find(({ urn }) => urnName(urn) === 'box')?.inputs;

test.each(['resume', undefined] as const)(
  'killed between the registration and the outputs: %s brings them',
  async (how) => {
    const extras = { types: { '*': { idempotencyToken: {} } } };
    const story = new Story(new MockWorld({ pkgA: { behaviour: { extras } } }));
    await story.runAndKill('create', 'child', { program: holding('a') });
    expect(inputsOf(story)).toEqual({});
    const { result } =
      how === undefined
        ? await story.run({ program: holding('a') })
        : await story.goOn(how, { program: holding('a') });
    expect(result.summary.result).toBe('succeeded');
    expect(inputsOf(story)).toEqual(propertyMap({ at: 'a' }));
    expect(story.providers.alive).toEqual(['child']);
  },
);

test('another late value is no other program to a resumed operation', async () => {
  const extras = { types: { '*': { idempotencyToken: {} } } };
  const story = new Story(new MockWorld({ pkgA: { behaviour: { extras } } }));
  const program =
    (at: string): ProgramFunction =>
    async (context) => {
      await holding(at)(context);
      await context.resource(TYPE, 'last');
    };
  await story.runAndKill('create', 'last', { program: program('a') });
  expect(inputsOf(story)).toEqual(propertyMap({ at: 'a' }));
  const { result } = await story.goOn('resume', { program: program('b') });
  expect([result.summary.result, inputsOf(story)]).toEqual(['succeeded', propertyMap({ at: 'b' })]);
});

test('a rollback brings back what they were', async () => {
  const stack = new MockStack();
  await stack.up(box({ at: 'a' }));
  stack.providers.behaviour = {
    create: () => Promise.reject(new ProviderError('INVALID_ARGUMENT', 'no room')),
  };
  const failing: BareProgramFunction = async (p) => {
    await box({ at: 'b' })(p);
    await p.register('last');
  };
  const run = await stack.up(failing, { policy: { onError: 'rollback' } });
  expect(run.result.summary.result).not.toBe('succeeded');
  expect(stack.entry('box')).toMatchObject({ inputs: propertyMap({ size: 1, at: 'a' }) });
});
