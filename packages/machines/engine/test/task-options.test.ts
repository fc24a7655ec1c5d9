import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { emptyMap } from '@cairn/values';
import { MockWorld, registerRequest, runScenario } from '@cairn/testkit';
import type { Outcome, ProgramContext } from '@cairn/testkit';

/** Options of our own: rollbacks and idempotency keys that the program sets reach the records of the tasks. */

const TYPE = 'pkgA:m:typA';
const REMOTE = 'pkgA:m:Remote';

/** Returns the data in the records of the first task of each resource, besides its URN. */
function kept({ store }: Outcome): Record<string, unknown> {
  const seen: Record<string, unknown> = {};
  for (const record of store.records) {
    if (record.record !== 'task') continue;
    const { urn, ...rest } = record.data as { urn: Urn };
    seen[urnName(urn)] ??= rest;
  }
  return seen;
}

const run = (program: (context: ProgramContext) => Promise<void>, world = new MockWorld({ pkgA: {} })) =>
  runScenario({ providers: world, program });

test('rollback comes from the parent when it is not said; the idempotency key does not', async () => {
  const outcome = await run(async ({ component, resource }) => {
    const { urn: parent } = await component('my:C', 'comp', { rollback: 'hold' });
    await resource(TYPE, 'below', {}, { parent, idempotencyKey: 'k' });
    await resource(TYPE, 'own', {}, { parent, rollback: 'retain' });
    await resource(TYPE, 'beside');
  });
  expect(kept(outcome)).toMatchObject({
    comp: { rollback: 'hold' },
    below: { rollback: 'hold', idempotencyKey: 'k' },
    own: { rollback: 'retain' },
    beside: {},
  });
});

test('a key is of creates alone; rollback of every step of the resource', async () => {
  const world = new MockWorld({ pkgA: {} });
  const options = { rollback: 'retain', idempotencyKey: 'k' };
  const first = await run(async ({ resource }) => void (await resource(TYPE, 'a', { x: 1 }, options)), world);
  const second = await runScenario({
    providers: world,
    prior: first.snapshot,
    program: async ({ resource }) => void (await resource(TYPE, 'a', { x: 2 }, options)),
  });
  expect(kept(second)).toEqual({ a: { rollback: 'retain' } });
});

test('a component that a plugin constructs has what the program says of it', async () => {
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
  const outcome = await run(async (context) => {
    box.context = context;
    await context.resource(REMOTE, 'comp', {}, { custom: false, remote: true, rollback: 'hold' });
  }, world);
  expect(kept(outcome)).toMatchObject({ comp: { rollback: 'hold' }, inner: { rollback: 'hold' } });
});

test('a word that is none of the three is refused where it is said', async () => {
  const said: string[] = [];
  await run(async ({ resource }) => {
    await resource(TYPE, 'a', {}, { rollback: 'never' }).catch((error: Error) => said.push(error.message));
  });
  expect(said).toEqual(['rollback "never" is not one of "auto", "hold" and "retain"']);
});
