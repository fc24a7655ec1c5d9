import { makeUrn, urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import { continueFrom } from '@cairn/engine';
import type { EngineEvent, RunningOperation } from '@cairn/engine';
import { nopCrypter } from '@cairn/crypters';
import { decodeResource, emptySnapshot } from '@cairn/state';
import { FakeClock, replayChange } from '@cairn/changes';
import { MockWorld, invokeRequest, registerRequest, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramContext, ProgramFunction, Scenario } from '@cairn/testkit';

/** Approval gates of whole operations [REC-15]. */

const TYPE = 'pkgA:m:typA';
const REMOTE = 'pkgA:m:Remote';
const WHY = 'the data team agrees';
const urnOf = (name: string, type = TYPE, parent?: Urn) =>
  makeUrn({ project: 'test', stack: 'test', type, name, parent });

const plain = () => new MockWorld({ pkgA: {} });

/** Runs and approves every waiting gate on request. Also returns the requests, in order. */
async function approving(
  scenario: Scenario,
): Promise<{ readonly outcome: Outcome; readonly asked: string[] }> {
  const asked: string[] = [];
  const started: { operation?: RunningOperation } = {};
  const approve = (event: EngineEvent) => {
    const task = taskOf(event);
    if (task === undefined) return;
    asked.push(task.name);
    setImmediate(() => started.operation?.approve(task.id, 'ann'));
  };
  const outcome = await runScenario({
    ...scenario,
    onEvent: approve,
    onStart: (operation) => {
      started.operation = operation;
      scenario.onStart?.(operation);
    },
  });
  return { outcome, asked };
}

/** Returns the gate that an event reports as waiting. */
function taskOf(event: EngineEvent): { readonly id: string; readonly name: string } | undefined {
  if (event.t !== 'diagnostic' || event.diagnostic.code !== 'CAIRN-WAITING') return undefined;
  const { hint = '', urn } = event.diagnostic;
  const id = /`cairn approve CHANGE\/(?<id>\d+)`/.exec(hint)?.groups?.['id'];
  return id === undefined || urn === undefined ? undefined : { id, name: urnName(urn) };
}

/** Returns the diagnostics about approvals. */
const said = ({ events }: Outcome) =>
  events.flatMap((event) =>
    event.t === 'diagnostic' && event.diagnostic.code === 'CAIRN-WAITING' ? [event.diagnostic.summary] : [],
  );

/** Returns gates by name of their resource, with their status in the records. */
function gates({ store }: Outcome): Record<string, string> {
  const change = replayChange(store.records);
  return Object.fromEntries(
    [...change.tasks.values()]
      .filter(({ kind }) => kind === 'gate')
      .map(({ data, status }) => [urnName(data['urn'] as Urn), status]),
  );
}

/** Returns a clock whose timers fire when the test lets time pass. */
function ownTime() {
  const clock = new FakeClock();
  let over = false;
  const passes = async (): Promise<'running' | 'over'> => {
    for (let round = 0; round < 20 && !over; round += 1) {
      await new Promise(setImmediate);
      clock.advance(10_000);
    }
    return over ? 'over' : 'running';
  };
  const until = async <T>(work: Promise<T>): Promise<T> => {
    void work.finally(() => (over = true));
    while (!over) await passes();
    return work;
  };
  return { clock, passes, until };
}

const threeOfThem: ProgramFunction = async ({ resource }) => {
  const free = resource(TYPE, 'free');
  const gated = resource(TYPE, 'gated', {}, { gate: WHY });
  const after = gated.then(({ urn }) => resource(TYPE, 'after', {}, { dependencies: [urn] }));
  await Promise.all([free, gated, after]);
};

describe('a gate on a resource', () => {
  test('everything else is done, then the operation ends and waits', async () => {
    const world = plain();
    const outcome = await runScenario({ providers: world, program: threeOfThem, change: '7' });
    expect(outcome.result.summary.result).toBe('waiting');
    expect(outcome.result.waiting).toEqual([
      { task: expect.stringMatching(/^\d+$/), urn: urnOf('gated'), kind: 'gate', why: WHY },
    ]);
    const task = outcome.result.waiting[0]?.task ?? '';
    expect(outcome.result.diagnostics).toContainEqual(
      expect.objectContaining({
        severity: 'info',
        summary: `pkgA:m:typA "gated" waits for approval: ${WHY}`,
        hint: `Approve it with \`cairn approve 7/${task}\`.`,
      }),
    );
    expect(outcome.complaints).toEqual([]);
    expect(outcome.steps).toEqual(['create free']);
    expect(world.alive).toEqual(['free']);
    expect(gates(outcome)).toEqual({ gated: 'wait' });
  });

  test('approved before it began, it does not ask', async () => {
    const world = plain();
    const first = await runScenario({ providers: world, program: threeOfThem });
    const second = await runScenario({
      providers: world,
      prior: first.snapshot,
      program: threeOfThem,
      approvals: new Set([urnOf('gated')]),
    });
    expect(second.result.summary.result).toBe('succeeded');
    expect([second.steps, said(second), gates(second)]).toEqual([
      ['same free', 'create gated', 'create after'],
      [],
      {},
    ]);
  });

  test('approved while it runs, it goes on, and the records say who', async () => {
    const world = plain();
    const { outcome, asked } = await approving({ providers: world, program: threeOfThem });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect([asked, world.alive]).toEqual([['gated'], ['after', 'free', 'gated']]);
    expect(gates(outcome)).toEqual({ gated: 'done' });
    expect(outcome.store.records).toContainEqual(
      expect.objectContaining({ record: 'data', key: 'approvedBy', value: 'ann' }),
    );
  });

  test('approving what does not wait changes nothing', async () => {
    const answers: unknown[] = [];
    const started: { operation?: RunningOperation } = {};
    const approve = (task: string) => answers.push(started.operation?.approve(task));
    await runScenario({
      providers: plain(),
      program: threeOfThem,
      onStart: (operation) => (started.operation = operation),
      onEvent: (event) => {
        const task = taskOf(event);
        if (task !== undefined) setImmediate(() => ['99', '1', task.id, task.id].forEach(approve));
      },
    });
    expect(answers).toEqual([false, false, true, false]);
  });

  test('nothing to do, nothing to approve', async () => {
    const world = plain();
    const program: ProgramFunction = async ({ resource }) =>
      void (await resource(TYPE, 'a', { x: 1 }, { gate: WHY }));
    const first = await runScenario({ providers: world, program, approvals: new Set([urnOf('a')]) });
    const second = await runScenario({ providers: world, program, prior: first.snapshot });
    expect([second.result.summary.result, said(second)]).toEqual(['succeeded', []]);
  });

  test.each<[string, object, readonly string[]]>([
    ['an update', {}, []],
    ['a replacement, create first', { replaceOnChanges: ['x'] }, []],
    ['a replacement, delete first', { replaceOnChanges: ['x'], deleteBeforeReplace: true }, []],
  ])('%s waits whole', async (_title, options, done) => {
    const world = plain();
    const program =
      (x: number, gate?: string): ProgramFunction =>
      async ({ resource }) =>
        void (await resource(TYPE, 'a', { x }, { ...options, ...(gate !== undefined && { gate }) }));
    const first = await runScenario({ providers: world, program: program(1) });
    world.forgetCalls();
    const second = await runScenario({ providers: world, program: program(2, WHY), prior: first.snapshot });
    expect([second.result.summary.result, second.steps]).toEqual(['waiting', done]);
    expect(world.called('create', 'update', 'delete')).toEqual([]);
    const { outcome: third } = await approving({
      providers: world,
      program: program(2, WHY),
      prior: second.snapshot,
    });
    expect([third.result.summary.result, world.objects.size]).toEqual(['succeeded', 1]);
    expect([...world.objects.values()][0]?.inputs).toMatchObject({ x: 2 });
  });
});

describe('a gate on a component', () => {
  const grouped: ProgramFunction = async ({ component, resource }) => {
    const comp = component('my:C', 'comp', { gate: WHY });
    await Promise.all([
      resource(TYPE, 'beside'),
      comp.then(({ urn }) => resource(TYPE, 'one', {}, { parent: urn })),
      comp.then(({ urn }) => resource(TYPE, 'two', {}, { parent: urn })),
    ]);
  };

  test('asks once, before anything below it', async () => {
    const world = plain();
    const first = await runScenario({ providers: world, program: grouped });
    expect([first.result.summary.result, world.alive]).toEqual(['waiting', ['beside']]);
    const { outcome, asked } = await approving({ providers: world, program: grouped, prior: first.snapshot });
    expect([outcome.result.summary.result, asked]).toEqual(['succeeded', ['comp']]);
    expect(world.alive).toEqual(['beside', 'one', 'two']);
  });

  test('asks when only something below it changes', async () => {
    const world = plain();
    const program =
      (x: number): ProgramFunction =>
      async ({ component, resource }) => {
        const { urn: parent } = await component('my:C', 'comp', { gate: WHY });
        const inner = await component('my:C', 'inner', { parent });
        await resource(TYPE, 'leaf', { x }, { parent: inner.urn });
        await resource(TYPE, 'same', {}, { parent });
      };
    const first = await approving({ providers: world, program: program(1) });
    const second = await approving({ providers: world, program: program(1), prior: first.outcome.snapshot });
    const third = await approving({ providers: world, program: program(2), prior: first.outcome.snapshot });
    expect([first.asked, second.asked, third.asked]).toEqual([['comp'], [], ['comp']]);
    expect(third.outcome.steps).toContain('update leaf');
  });

  test('a gate below a gate asks as well', async () => {
    const { asked, outcome } = await approving({
      providers: plain(),
      program: async ({ component, resource }) => {
        const { urn: parent } = await component('my:C', 'comp', { gate: WHY });
        await resource(TYPE, 'leaf', {}, { parent, gate: 'and I do' });
      },
    });
    expect([outcome.result.summary.result, asked]).toEqual(['succeeded', ['comp', 'leaf']]);
  });

  test('that a plugin constructs', async () => {
    const box: { context?: ProgramContext } = {};
    const world = new MockWorld({
      pkgA: {
        behaviour: {
          construct: async ({ type, name, parent = '' }) => {
            const { monitor } = box.context as ProgramContext;
            const { urn } = await monitor.registerResource(
              registerRequest({ type, name, parent, custom: false }),
            );
            await monitor.registerResource(registerRequest({ type: TYPE, name: 'inner', parent: urn }));
            return { urn, outputs: emptyMap, outputDependencies: {} };
          },
        },
      },
    });
    const program: ProgramFunction = async (context) => {
      box.context = context;
      await context.resource(REMOTE, 'comp', {}, { custom: false, remote: true, gate: WHY });
    };
    const first = await runScenario({ providers: world, program });
    expect([first.result.summary.result, first.complaints, world.alive]).toEqual(['waiting', [], []]);
    const second = await approving({ providers: world, program, prior: first.snapshot });
    expect([second.outcome.result.summary.result, second.asked, world.alive]).toEqual([
      'succeeded',
      ['comp'],
      ['inner'],
    ]);
  });
});

describe('beside other things', () => {
  test('a preview says what will be asked, once, and waits for nothing', async () => {
    const outcome = await runScenario({
      providers: plain(),
      preview: true,
      program: async (context) => {
        await threeOfThem(context);
        const { urn: parent } = await context.component('my:C', 'comp', { gate: 'and so do we' });
        await context.resource(TYPE, 'one', {}, { parent });
      },
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(said(outcome)).toEqual([
      `pkgA:m:typA "gated" will wait for approval: ${WHY}`,
      'my:C "comp" will wait for approval: and so do we',
    ]);
  });

  test('the operation does not end before what runs has ended', async () => {
    const world = plain();
    const time = ownTime();
    const held = world.holdNext('create', 'free');
    const running = time.until(runScenario({ providers: world, program: threeOfThem, clock: time.clock }));
    await held.reached;
    expect(await time.passes()).toBe('running');
    held.open();
    const { result } = await running;
    expect([result.summary.result, world.alive]).toEqual(['waiting', ['free']]);
  });

  test('nor before a question of the program has been answered, and what it registers then is done', async () => {
    const held: { open?: () => void } = {};
    const world = new MockWorld({
      pkgA: {
        behaviour: {
          invoke: () =>
            new Promise((resolve) => (held.open = () => resolve({ result: emptyMap, failures: [] }))),
        },
      },
    });
    const time = ownTime();
    const scenario = runScenario({
      providers: world,
      clock: time.clock,
      program: async ({ resource, monitor }) => {
        const gated = resource(TYPE, 'gated', {}, { gate: WHY });
        await monitor.invoke(invokeRequest({ token: 'pkgA:m:ask' }));
        await resource(TYPE, 'late');
        await gated;
      },
    });
    const running = time.until(scenario);
    while (held.open === undefined) await new Promise(setImmediate);
    expect(await time.passes()).toBe('running');
    held.open();
    const { result } = await running;
    expect([result.summary.result, world.alive]).toEqual(['waiting', ['late']]);
  });

  test('a failure elsewhere ends the operation as ever, and the gate is closed', async () => {
    const world = plain();
    world.failNext('create', 'free', new Error('no'));
    const outcome = await runScenario({ providers: world, program: threeOfThem });
    expect([outcome.result.summary.result, outcome.result.waiting]).toEqual(['failed', []]);
    expect([world.alive, ...Object.values(gates(outcome)).filter((status) => status !== 'hold')]).toEqual([
      [],
    ]);
  });

  test('with continue-on-error it is left waiting, and the failure counts', async () => {
    const world = plain();
    world.failNext('create', 'free', new Error('no'));
    const outcome = await runScenario({
      providers: world,
      policy: { continueOnError: true, onError: 'continue' },
      program: threeOfThem,
    });
    expect(outcome.result.summary.result).toBe('failed');
    expect(outcome.result.waiting.map(({ urn }) => urnName(urn))).toEqual(['gated']);
  });

  test('a cancelled operation waits for nothing', async () => {
    const started: { operation?: RunningOperation } = {};
    const outcome = await runScenario({
      providers: plain(),
      program: threeOfThem,
      onStart: (operation) => (started.operation = operation),
      onEvent: (event) => {
        if (taskOf(event) !== undefined) setImmediate(() => started.operation?.cancel());
      },
    });
    expect([outcome.result.summary.result, outcome.result.waiting]).toEqual(['cancelled', []]);
    expect(gates(outcome)).toEqual({ gated: 'hold' });
  });

  test('an operation that is taken back while it waits leaves nothing', async () => {
    const world = plain();
    const started: { operation?: RunningOperation } = {};
    const outcome = await runScenario({
      providers: world,
      program: threeOfThem,
      onStart: (operation) => (started.operation = operation),
      onEvent: (event) => {
        if (taskOf(event) !== undefined) setImmediate(() => started.operation?.abort({ rollback: true }));
      },
    });
    expect([outcome.result.summary.result, outcome.result.waiting]).toEqual(['rolled-back', []]);
    expect([world.alive, outcome.names, gates(outcome)]).toEqual([[], [], { gated: 'hold' }]);
  });

  test('with on-error rollback, waiting is no failure', async () => {
    const world = plain();
    const policy = { onError: 'rollback' } as const;
    const { result } = await runScenario({ providers: world, program: threeOfThem, policy });
    expect([result.summary.result, world.alive]).toEqual(['waiting', ['free']]);
  });

  test('a failure behind a gate takes back what was done before it', async () => {
    const world = plain();
    world.failNext('create', 'after', new Error('no'));
    const { outcome } = await approving({
      providers: world,
      program: threeOfThem,
      policy: { onError: 'rollback' },
    });
    expect([outcome.result.summary.result, world.alive, gates(outcome)]).toEqual([
      'rolled-back',
      [],
      { gated: 'done' },
    ]);
  });

  test('where components fail on their own, one that fails takes no gate of another with it', async () => {
    const world = plain();
    world.failNext('create', 'bad', new Error('no'));
    const { outcome, asked } = await approving({
      providers: world,
      policy: { onError: 'rollback', isolate: 'component' },
      program: async ({ component, resource }) => {
        const below = async (name: string, children: readonly string[], gate?: string) => {
          const { urn: parent } = await component('my:C', name, gate === undefined ? {} : { gate });
          for (const child of children) await resource(TYPE, child, {}, { parent });
        };
        await Promise.allSettled([below('good', ['one', 'two'], WHY), below('broken', ['fine', 'bad'])]);
      },
    });
    expect([asked, outcome.result.waiting]).toEqual([['good'], []]);
    expect([world.alive, gates(outcome)]).toEqual([['one', 'two'], { good: 'done' }]);
  });

  test('what was approved in the line of changes is not asked again', async () => {
    const world = plain();
    const scenario = { providers: world, program: threeOfThem } as const;
    const first = await runScenario(scenario);
    const task = first.result.waiting[0]?.task ?? '';
    const changes = [{ change: '1', records: first.store.records, base: undefined }];
    const { continues } = continueFrom(
      {
        snapshot: first.snapshot,
        inDoubt: [],
        lineage: { how: 'resume', changes, before: emptySnapshot },
      },
      (resource) => decodeResource(resource, nopCrypter, 'a record'),
    );
    const past = continues!.past.map((each) =>
      each.id === task ? { ...each, status: 'done' as const } : each,
    );
    const second = await runScenario({
      ...scenario,
      prior: first.snapshot,
      request: { continues: { how: 'resume', origin: '1', before: emptySnapshot, past, touched: new Set() } },
    });
    expect([second.result.summary.result, said(second)]).toEqual(['succeeded', []]);
  });

  test.each([1, 8])('gates count towards no limit: %d at a time', async (parallel) => {
    const world = plain();
    const outcome = await runScenario({
      providers: world,
      parallel,
      program: async ({ resource }) => {
        const each = ['a', 'b', 'c'].map((name) => resource(TYPE, name, {}, { gate: WHY }));
        await Promise.all([...each, resource(TYPE, 'free')]);
      },
    });
    expect(outcome.result.waiting.map(({ urn }) => urnName(urn))).toEqual(['a', 'b', 'c']);
    expect(world.alive).toEqual(['free']);
  });

  test('over real connections', async () => {
    const world = plain();
    const first = await runScenario({ providers: world, program: threeOfThem, overWire: true });
    expect([first.result.summary.result, first.complaints, world.alive]).toEqual(['waiting', [], ['free']]);
    const second = await approving({
      providers: world,
      program: threeOfThem,
      overWire: true,
      prior: first.snapshot,
    });
    expect(second.outcome.result.summary.result).toBe('succeeded');
  });
});
