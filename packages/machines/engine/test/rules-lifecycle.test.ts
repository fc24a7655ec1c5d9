import { urnName } from '@cairn/addresses';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { propertyMap, secret } from '@cairn/values';
import { InitFailedError, isStatusError } from '@cairn/wire';
import { MockWorld, diffAnswer, runScenario } from '@cairn/testkit';
import type { MockBehaviour, ProgramContext, Properties } from '@cairn/testkit';

/** Rules that belong to one registration (`docs/rules/registration.md`): options, answers of providers, failures. */

const TYPE = 'pkgA:m:typA';

function entry(snapshot: Snapshot, name: string): ResourceEntry {
  const found = snapshot.resources.find(({ urn }) => urnName(urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

describe('what a request got wrong is told to the program, and nothing of it takes effect [REG-4]', () => {
  type Options = Parameters<ProgramContext['resource']>[3];
  const rows: readonly (readonly [string, string, Options, string])[] = [
    ['a type that is no token', 'nonsense', {}, 'nonsense'],
    ['a type of two parts', 'very:bad', {}, 'very:bad'],
    ['the parent', TYPE, { parent: 'bad' }, 'parent'],
    ['an alias', TYPE, { aliases: [{ kind: 'urn', urn: 'bad' }] }, 'alias'],
    ['a dependency', TYPE, { dependencies: ['bad'] }, 'dependency'],
    ['a property dependency', TYPE, { propertyDependencies: { a: ['bad'] } }, 'property dependency of a'],
    ['deletedWith', TYPE, { deletedWith: 'bad' }, 'deletedWith'],
    ['replaceWith', TYPE, { replaceWith: ['bad'] }, 'replaceWith'],
    ['the provider', TYPE, { provider: 'bad' }, 'provider'],
    ['a path to ignore', TYPE, { ignoreChanges: ['a['] }, 'ignoreChanges "a["'],
    ['a path to replace for', TYPE, { replaceOnChanges: ['a.'] }, 'replaceOnChanges "a."'],
    ['a path to hide', TYPE, { hideDiffs: ['a['] }, 'hideDiffs "a["'],
  ];
  test.each(rows)('%s', async (_what, type, options, named) => {
    const providers = new MockWorld({ pkgA: {} });
    const errors: unknown[] = [];
    const up = await runScenario({
      providers,
      program: async ({ resource }) => {
        await resource(type, 'r', { a: 1 }, options).catch((error: unknown) => errors.push(error));
      },
    });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(named) })]);
    expect(isStatusError(errors[0], 'INVALID_ARGUMENT')).toBe(true);
    expect([up.result.summary.result, up.complaints, up.trace]).toEqual([
      'succeeded',
      [],
      ['create test-test'],
    ]);
  });
});

describe('an ignored path is reset to what it was, if its container is there on both sides [DIFF-5]', () => {
  const rows: readonly (readonly [string, Properties, Properties, string, Properties])[] = [
    ['changed', { a: { b: 1 } }, { a: { b: 2 } }, 'a.b', { a: { b: 1 } }],
    ['removed', { a: { b: 1 } }, { a: {} }, 'a.b', { a: { b: 1 } }],
    ['added', { a: {} }, { a: { b: 1 } }, 'a.b', { a: {} }],
    ['added at the top', { c: 1 }, { b: 1, c: 1 }, 'b', { c: 1 }],
    ['container removed', { a: { b: 1 }, c: 1 }, { c: 1 }, 'a.b', { c: 1 }],
    ['container added', { c: 1 }, { a: { b: 1 }, c: 1 }, 'a.b', { a: { b: 1 }, c: 1 }],
    ['container of another kind', { a: 'x' }, { a: { b: 1 } }, 'a.b', { a: { b: 1 } }],
    ['quoted key', { a: { 'x.y': 1 } }, { a: { 'x.y': 2 } }, 'a["x.y"]', { a: { 'x.y': 1 } }],
    ['index', { a: [1, 2] }, { a: [3, 4] }, 'a[1]', { a: [3, 2] }],
    ['index on one side', { a: [1, 2] }, { a: [3] }, 'a[1]', { a: [3] }],
    [
      'every item',
      { a: [{ b: 1 }, { b: 2 }] },
      { a: [{ b: 3 }, { b: 4 }] },
      'a[*].b',
      { a: [{ b: 1 }, { b: 2 }] },
    ],
    ['everything', { a: 1, b: 2 }, { a: 2, c: 3 }, '*', { a: 1, b: 2 }],
    ['neither side', { a: 1 }, { a: 2 }, 'b.c', { a: 2 }],
  ];
  test.each(rows)('%s', async (_what, old, now, path, expected) => {
    const providers = new MockWorld({ pkgA: {} });
    const up = (inputs: Properties, prior?: Snapshot) =>
      runScenario({
        providers,
        ...(prior && { prior }),
        program: async ({ resource }) => {
          await resource(TYPE, 'r', inputs, { ignoreChanges: [path] });
        },
      });
    const first = await up(old);
    const second = await up(now, first.snapshot);
    expect(second.complaints).toEqual([]);
    expect(entry(second.snapshot, 'r').inputs).toEqual(propertyMap(expected));
  });

  test('inside of secrets', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const inputs = (k: number) => ({ a: secret(propertyMap({ k })) });
    const up = (k: number, prior?: Snapshot) =>
      runScenario({
        providers,
        ...(prior && { prior }),
        program: async ({ resource }) => {
          await resource(TYPE, 'r', inputs(k), { ignoreChanges: ['a.k'] });
        },
      });
    const second = await up(2, (await up(1)).snapshot);
    expect(second.steps).toEqual(['same r']);
    expect(entry(second.snapshot, 'r').inputs).toEqual(propertyMap(inputs(1)));
  });
});

describe('outputs are secret where their inputs are [REG-8]', () => {
  test('in maps by property; anything else as a whole', async () => {
    const outputs = propertyMap({ map: { a: 'x', b: 'y' }, list: ['x', 'y'], kind: 'z', id: 'i' });
    const behaviour: MockBehaviour = { create: () => ({ id: 'id', outputs, refreshBeforeUpdate: false }) };
    const up = await runScenario({
      providers: new MockWorld({ pkgA: { behaviour } }),
      program: async ({ resource }) => {
        const inputs = {
          map: { a: secret('x'), b: 'y' },
          list: [secret('x'), 'y'],
          kind: { deep: secret('z') },
        };
        await resource(TYPE, 'r', inputs, { additionalSecretOutputs: ['id'] });
      },
    });
    expect(entry(up.snapshot, 'r').outputs).toEqual(
      propertyMap({
        map: { a: secret('x'), b: 'y' },
        list: secret(['x', 'y']),
        kind: secret('z'),
        id: 'i',
      }),
    );
    expect(up.complaints).toEqual([expect.stringContaining('the id of a resource cannot be made secret')]);
  });
});

describe('an object that is not ready is imported with its init errors, and the run goes on [IMP-1]', () => {
  const notReady: MockBehaviour = {
    read: ({ id }) => {
      const found = propertyMap({ a: 1 });
      return Promise.reject(new InitFailedError(id, found, found, ['slow'], false, 'late'));
    },
    diff: () => diffAnswer('none'),
  };

  test('the update that follows tries again to make it ready', async () => {
    const providers = new MockWorld({
      pkgA: {
        behaviour: { ...notReady, update: ({ news }) => ({ outputs: news, refreshBeforeUpdate: false }) },
      },
    });
    const scenario = {
      providers,
      program: async ({ resource }: ProgramContext) => {
        await resource(TYPE, 'r', { a: 1 }, { importId: 'x' });
      },
    };
    for (const preview of [true, false]) {
      const up = await runScenario({ ...scenario, preview });
      expect([up.result.summary.result, up.steps]).toEqual(['succeeded', ['import r', 'update r']]);
      expect(up.complaints).toEqual([expect.stringMatching(/^warning CAIRN-RESOURCE-INIT-FAILED .*late/)]);
      if (!preview) expect(entry(up.snapshot, 'r')).toMatchObject({ id: 'x', importId: 'x', initErrors: [] });
    }
  });

  test('a failed follow-up leaves the imported entry with its init errors', async () => {
    const providers = new MockWorld({ pkgA: { behaviour: notReady } });
    const up = await runScenario({
      providers,
      program: async ({ resource }) => {
        await resource(TYPE, 'r', { a: 1 }, { importId: 'x' });
      },
    });
    expect([up.result.summary.result, up.steps]).toEqual(['failed', ['import r', '!update r']]);
    expect(entry(up.snapshot, 'r')).toMatchObject({ id: 'x', initErrors: ['slow'] });
  });
});

describe('continue-on-error [REG-14]', () => {
  test('a read that fails is an error to the program, what needs it is skipped, the rest goes on', async () => {
    const providers = new MockWorld({ pkgA: {} });
    const told: string[] = [];
    const up = await runScenario({
      providers,
      policy: { continueOnError: true },
      program: async ({ read, resource, stack }) => {
        const missing = read(TYPE, 'missing', 'x').catch((error: unknown) => told.push(String(error)));
        await missing;
        const urn = stack.replace('pulumi:pulumi:Stack::test-test', `${TYPE}::missing`);
        const { result } = await resource(TYPE, 'dependent', {}, { dependencies: [urn] });
        told.push(result);
        await resource(TYPE, 'other');
      },
    });
    expect(told).toEqual([expect.stringContaining("resource 'x' does not exist"), 'skip']);
    expect([up.result.summary.result, up.steps]).toEqual(['failed', ['!read missing', 'create other']]);
    expect(up.names).toEqual(['test-test', 'default', 'other']);
  });
});
