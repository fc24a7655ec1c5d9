import { urnName } from '@cairn/addresses';
import { emptySnapshot, withEntry } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { getProperty, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { MockWorld, SnapshotBuilder, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Stashes, taint, pending operations and the switches for older ways of comparing [PROV-8] [DIFF-2]. */

const TYPE = 'pkgA:m:typA';

class Stack {
  readonly providers: MockWorld;

  constructor(
    behaviour: MockBehaviour = {},
    public snapshot: Snapshot = emptySnapshot,
  ) {
    this.providers = new MockWorld({ pkgA: { behaviour } });
  }

  async run(scenario: Omit<Scenario, 'providers' | 'prior'>): Promise<Outcome> {
    const outcome = await runScenario({ ...scenario, providers: this.providers, prior: this.snapshot });
    if (scenario.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  /** Runs a preview, which must behave alike, and the update. */
  async up(
    program: ProgramFunction,
    rest: Omit<Scenario, 'providers' | 'prior' | 'program'> = {},
  ): Promise<Outcome> {
    const previewed = await this.run({ program, ...rest, preview: true });
    const outcome = await this.run({ program, ...rest });
    expect(previewed.steps).toEqual(outcome.steps);
    return outcome;
  }

  entry(name: string) {
    const found = this.snapshot.resources.find(({ urn }) => urnName(urn) === name);
    if (found === undefined) throw new Error(`no entry ${name}`);
    return found;
  }

  taint(name: string): void {
    const resources = this.snapshot.resources.map((entry) =>
      urnName(entry.urn) === name ? withEntry(entry, { taint: true }) : entry,
    );
    this.snapshot = { ...this.snapshot, resources };
  }
}

const registers =
  (...names: readonly string[]): ProgramFunction =>
  async ({ resource }) => {
    for (const name of names) await resource(TYPE, name, { foo: 'bar' });
  };

describe('stash', () => {
  const STASH = 'pulumi:index:Stash';
  const stash =
    (inputs: PropertyMap, seen: PropertyMap[] = []): ProgramFunction =>
    async ({ resource }) => {
      seen.push((await resource(STASH, 'kept', inputs)).outputs);
    };

  test('LT2-177 it keeps the first value; a replacement takes the present one', async () => {
    const stack = new Stack();
    const seen: PropertyMap[] = [];
    const given = (input: string) => stash(propertyMap({ input }), seen);
    await stack.up(given('first'));
    expect(seen).toEqual([
      propertyMap({ input: 'first', output: 'first' }),
      propertyMap({ input: 'first', output: 'first' }),
    ]);
    expect(stack.entry('kept').id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const changed = await stack.up(given('second'));
    expect([changed.complaints, changed.steps]).toEqual([[], ['update kept']]);
    expect(stack.entry('kept').outputs).toEqual(propertyMap({ input: 'second', output: 'first' }));
    expect(seen.at(-1)).toEqual(propertyMap({ input: 'second', output: 'first' }));
    const read = await stack.run({ kind: 'refresh' });
    expect([read.complaints, stack.entry('kept').outputs]).toEqual([
      [],
      propertyMap({ input: 'second', output: 'first' }),
    ]);
    stack.taint('kept');
    await stack.up(given('second'));
    expect(stack.entry('kept').outputs).toEqual(propertyMap({ input: 'second', output: 'second' }));
  });

  test('LT2-176 it cannot be imported', async () => {
    const stack = new Stack();
    let answered = false;
    const program: ProgramFunction = async ({ resource }) => {
      await resource(STASH, 'kept', { input: 'x' }, { importId: 'some-id' });
      answered = true;
    };
    const outcome = await stack.run({ program });
    expect(outcome.result.summary.result).toBe('failed');
    const [error] = outcome.result.diagnostics;
    expect([error?.summary, ...(error?.causes ?? [])].join('\n')).toContain('stash can not be imported');
    expect([answered, outcome.steps]).toEqual([false, ['!import kept']]);
  });

  test.each([
    ['nothing', {}, 'missing required property "input"'],
    ['something else', { input: 1, other: 2 }, 'unknown property "other"'],
  ])('a stash of %s is refused [PROV-8]', async (_title, inputs, message) => {
    const outcome = await new Stack().run({ program: stash(propertyMap(inputs)) });
    expect(outcome.complaints).toEqual([expect.stringContaining(message)]);
  });
});

describe('taint', () => {
  test('a tainted resource is replaced once, without a diff; the new one is not tainted [DIFF-2]', async () => {
    const stack = new Stack();
    await stack.up(registers('resA', 'resB'));
    stack.taint('resA');
    stack.providers.forgetCalls();
    const outcome = await stack.up(registers('resA', 'resB'));
    expect(outcome.steps).toEqual([
      'create-replacement resA',
      'replace resA',
      'same resB',
      'delete-replaced resA',
    ]);
    expect(stack.providers.called('diff')).toEqual(['diff resB', 'diff resB']);
    expect(stack.entry('resA').taint).toBe(false);
    expect((await stack.up(registers('resA', 'resB'))).steps).toEqual(['same resA', 'same resB']);
  });

  test('an untargeted one stays tainted [DIFF-2]', async () => {
    const stack = new Stack();
    await stack.up(registers('resA', 'resB'));
    stack.taint('resA');
    const scope = { targets: [stack.entry('resB').urn] };
    const outcome = await stack.up(registers('resA', 'resB'), { scope });
    expect([outcome.steps, stack.entry('resA').taint]).toEqual([['same resA', 'same resB'], true]);
  });

  test('one that is refreshed stays tainted [DIFF-2]', async () => {
    const stack = new Stack();
    await stack.up(registers('resA'));
    stack.taint('resA');
    await stack.run({ kind: 'refresh' });
    expect(stack.entry('resA').taint).toBe(true);
  });
});

test('LT1-011 operations that an earlier run left open do not matter to a preview', async () => {
  const builder = new SnapshotBuilder({ project: 'test', stack: 'test' });
  builder.provider('pkgA');
  const resource = builder.resource(TYPE, 'resA', { foo: 'bar' }, { id: '0' });
  const prior = { ...builder.build(), pendingOperations: [{ type: 'updating' as const, resource }] };
  const stack = new Stack({}, prior);
  const outcome = await stack.run({ program: registers('resA'), preview: true });
  expect([outcome.complaints, outcome.steps]).toEqual([[], ['same resA']]);
});

test('LT1-022 equal inputs are no change where the older way of comparing is asked for', async () => {
  const stack = new Stack({ diff: () => diffAnswer('some') });
  await stack.run({ program: registers('resA') });
  const first = await stack.run({ program: registers('resA'), preview: true });
  expect(first.steps).toEqual(['update resA']);
  stack.providers.forgetCalls();
  const older = { policy: { legacyDiff: true } };
  const second = await stack.run({ program: registers('resA'), preview: true, ...older });
  expect([second.steps, stack.providers.called('diff')]).toEqual([['same resA'], []]);
  const other: ProgramFunction = async ({ resource }) => {
    await resource(TYPE, 'resA', { foo: 'other' });
  };
  expect((await stack.run({ program: other, preview: true, ...older })).steps).toEqual(['update resA']);
});

test.each([
  ['asked', {}, 'update', ['diff resA']],
  ['not asked', { legacyRefreshDiff: true }, 'same', []],
] as const)('drift when the provider is %s [REF-1]', async (_title, policy, result, calls) => {
  const stack = new Stack({
    diff: ({ oldInputs, news }) =>
      diffAnswer(getProperty(oldInputs, 'foo') === getProperty(news, 'foo') ? 'none' : 'some'),
    read: async (_request, { standard }) => ({
      ...(await standard()),
      inputs: propertyMap({ foo: 'drifted' }),
    }),
  });
  await stack.run({ program: registers('resA') });
  stack.providers.forgetCalls();
  const { events } = await stack.run({ kind: 'refresh', policy });
  const found = events.flatMap((event) =>
    event.t === 'step-ended' && urnName(event.step.urn) === 'resA' ? [event.step.refreshResult] : [],
  );
  expect([found, stack.providers.called('diff')]).toEqual([[result], calls]);
  expect(stack.entry('resA').inputs).toEqual(propertyMap({ foo: 'drifted' }));
});
