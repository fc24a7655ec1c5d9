import { urnName } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import { propertyMap } from '@cairn/values';
import { MockWorld, invokeRequest, runScenario } from '@cairn/testkit';
import type { MockBehaviour, ProgramFunction, Scenario } from '@cairn/testkit';

/** Programs that register more at once than the engine accepts at a time: decisions are still made in order. */

const TYPE = 'pkgA:m:typA';
const MANY = 180;
const names = Array.from({ length: MANY }, (_, index) => `r${index}`);
const allAtOnce: ProgramFunction = async ({ resource }) => {
  await Promise.all(names.map((name) => resource(TYPE, name)));
};

/** Runs one at a time over a connection, so that most of them are held back. */
function up(program: ProgramFunction, behaviour: MockBehaviour = {}, rest: Partial<Scenario> = {}) {
  const providers = new MockWorld({ pkgA: { behaviour } });
  return runScenario({ providers, program, overWire: true, parallel: 1, ...rest });
}

const created = (resources: readonly { readonly urn: string; readonly type: string }[]) =>
  resources.filter(({ type }) => type === TYPE).map(({ urn }) => urnName(urn as never));

test.each([true, false])(
  'all of them are created in the order in which they came; preview: %s',
  async (preview) => {
    const { result, snapshot, trace } = await up(allAtOnce, {}, { preview, prior: emptySnapshot });
    expect(result.summary.result).toBe('succeeded');
    expect(trace.filter((line) => line.includes('create')).length).toBeGreaterThanOrEqual(MANY);
    if (!preview) expect(created(snapshot.resources)).toEqual(names);
  },
);

test('a program that does not wait for its answers leaves none of its registrations out', async () => {
  const { result, snapshot } = await up(async ({ resource }) => {
    const [first = '', ...others] = names;
    await resource(TYPE, first);
    for (const name of others) resource(TYPE, name).catch(() => undefined);
  });
  expect([result.summary.result, result.diagnostics]).toEqual(['succeeded', []]);
  expect(created(snapshot.resources)).toEqual(names);
});

test('a question about a component waits for what is below it, also when that is held back', async () => {
  const behaviour: MockBehaviour = { invoke: () => ({ result: propertyMap({}), failures: [] }) };
  const seen: string[] = [];
  const { result } = await up(async ({ component, resource, monitor }) => {
    const { urn } = await component('pkgA:m:Box', 'box');
    await resource(TYPE, 'first');
    const sent = names.map((name) => resource(TYPE, name));
    sent.push(resource(TYPE, 'child', {}, { parent: urn }));
    void sent.at(-1)?.then(() => seen.push('child'));
    await monitor.invoke(invokeRequest({ token: 'pkgA:index:f', dependsOn: [urn] }));
    seen.push('answer');
    await Promise.all(sent);
  }, behaviour);
  expect(result.summary.result).toBe('succeeded');
  expect(seen).toEqual(['child', 'answer']);
});

test('what failed ends the operation: who was held back is refused', async () => {
  const refused: unknown[] = [];
  const { result, snapshot } = await up(
    async ({ resource }) => {
      await Promise.all(
        names.map((name) => resource(TYPE, name).catch((error: unknown) => refused.push(error))),
      );
    },
    {
      create: ({ urn }, { standard }) => {
        if (urnName(urn) === 'r2') throw new Error('no');
        return standard();
      },
    },
  );
  expect(result.summary.result).toBe('failed');
  expect(created(snapshot.resources)).toEqual(['r0', 'r1']);
  expect(refused).toHaveLength(MANY - 2);
});

describe('a wave of more deletes than there are places', () => {
  const wave = Array.from({ length: 600 }, (_, index) => `r${index}`);
  const inOneWave: ProgramFunction = async ({ resource }) => {
    await Promise.all(wave.map((name) => resource(TYPE, name)));
  };
  const destroyed = async (rest: Partial<Scenario>, behaviour: MockBehaviour = {}) => {
    const providers = new MockWorld({ pkgA: { behaviour } });
    const { snapshot: prior } = await runScenario({ providers, program: inOneWave });
    return runScenario({ kind: 'destroy', providers, prior, ...rest });
  };
  /** Numbers of tasks: before the first of them has ended, and in all. */
  const tasks = ({ store: { records } }: Awaited<ReturnType<typeof destroyed>>) => {
    const added = records.flatMap(({ record }, at) => (record === 'task' ? [at] : []));
    const ended = records.findIndex(({ record }) => record === 'outcome');
    return [added.filter((at) => at < ended).length, added.length];
  };

  test('becomes tasks as places become free', async () => {
    const outcome = await destroyed({ parallel: 8 });
    expect(outcome.names).toEqual([]);
    expect(tasks(outcome)).toEqual([512, 602]);
  });

  test('is ended by a delete that fails: the rest stays', async () => {
    const outcome = await destroyed(
      { parallel: 1 },
      {
        delete: ({ urn }, { standard }) => {
          if (urnName(urn) === 'r2') throw new Error('no');
          return standard();
        },
      },
    );
    expect(outcome.result.summary.result).toBe('failed');
    expect(created(outcome.snapshot.resources)).toEqual(wave.slice(2));
  });
});
