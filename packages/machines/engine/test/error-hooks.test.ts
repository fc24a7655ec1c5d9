import { makeUrn, urnName } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import { emptyMap, propertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import type { ErrorHookRequest } from '@cairn/wire';
import { MockWorld, hooksOf, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramContext, ProgramFunction, Scenario } from '@cairn/testkit';

/** Functions of the program that decide whether a failed call is retried [HOOK-9]. */

const TYPE = 'pkgA:m:typA';
const urn = makeUrn({ project: 'test', stack: 'test', type: TYPE, name: 'resA' });
type Operation = ErrorHookRequest['failedOperation'];

/** Returns the error of one call of a resource, or `undefined` if it succeeds. `number`: number of the call, from 1. */
type Failing = (number: number, name: string) => Error | undefined;

const plain = (message: string) => new ProviderError('UNKNOWN', message);
const partial = (message: string) =>
  new InitFailedError('half', propertyMap({ v: 'half' }), undefined, ['not ready'], false, message);

/** A world in which real calls of one operation fail; previews never do. */
class FailingWorld {
  readonly calls: string[] = [];
  readonly world: MockWorld;

  constructor(operation: Operation, failing: Failing) {
    const fail = (name: string) => {
      this.calls.push(name);
      const error = failing(this.calls.filter((each) => each === name).length, name);
      if (error !== undefined) throw error;
    };
    const behaviours: Record<Operation, MockBehaviour> = {
      create: {
        create: (request, { standard }) => {
          if (!request.preview) fail(request.name);
          return standard();
        },
      },
      update: {
        update: (request, { standard }) => {
          if (!request.preview) fail(request.name);
          return standard();
        },
      },
      delete: {
        delete: (request, { standard }) => {
          fail(request.name);
          return standard();
        },
      },
    };
    this.world = new MockWorld({ pkgA: { behaviour: behaviours[operation] } });
  }
}

type Answer = boolean | ((request: ErrorHookRequest) => boolean);

interface Case {
  readonly operation: Operation;
  readonly failing: Failing;
  /** Hooks of each resource, in order. */
  readonly hooks: Readonly<Record<string, Answer>>;
  /** Resources and the hooks they name. Defaults to resA with all of them. */
  readonly resources?: Readonly<Record<string, readonly string[]>>;
  readonly options?: Partial<Scenario>;
}

/** Runs until the operation has taken place: a create in one up, an update and a delete in a second. */
async function run({ operation, failing, hooks, resources, options }: Case) {
  const { world, calls } = new FailingWorld(operation, failing);
  const seen: [string, ErrorHookRequest][] = [];
  const names = resources ?? { resA: Object.keys(hooks) };
  const registers = async ({ errorHook }: ProgramContext) => {
    for (const [name, answer] of Object.entries(hooks)) {
      await errorHook(name, (request) => {
        seen.push([name, request]);
        return typeof answer === 'boolean' ? answer : answer(request);
      });
    }
  };
  const program =
    (v: string | undefined): ProgramFunction =>
    async (context) => {
      await registers(context);
      if (v === undefined) return;
      const all = Object.entries(names).map(([name, onError]) =>
        context.resource(TYPE, name, { v }, { hooks: hooksOf({ onError }) }),
      );
      await Promise.all(all);
    };
  const operate = async (prior: Outcome | undefined, body: ProgramFunction) => {
    const scenario = { ...options, prior: prior?.snapshot ?? emptySnapshot, program: body, providers: world };
    const preview = await runScenario({ ...scenario, preview: true });
    expect(preview.result.summary.result).toBe('succeeded');
    return runScenario(scenario);
  };
  let outcome = await operate(undefined, program('a'));
  if (operation !== 'create') {
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(seen).toEqual([]);
    outcome = await operate(outcome, program(operation === 'update' ? 'b' : undefined));
  }
  return { outcome, calls, seen, world };
}

const failed = ({ result }: Outcome) => result.summary.result === 'failed';
const texts = ({ result }: Outcome, severity: string) =>
  result.diagnostics.filter((each) => each.severity === severity).map(({ summary }) => summary);
const names = (outcome: Outcome) =>
  outcome.snapshot.resources.map((each) => urnName(each.urn)).filter((name) => name !== 'test-test');
const times =
  (count: number, error: (message: string) => Error = plain): Failing =>
  (number) =>
    number <= count ? error(`failure ${number}`) : undefined;
const always =
  (error: (message: string) => Error): Failing =>
  (number) =>
    error(`failure ${number}`);

describe('what the hooks are asked', () => {
  test.each([
    ['LT2-091', 'create'],
    ['LT2-092', 'update'],
    ['LT2-094', 'delete'],
  ] as const)('%s %s: all are asked, one that says yes is enough', async (_, operation) => {
    const { outcome, seen, calls } = await run({
      operation,
      failing: times(1, operation === 'delete' ? plain : partial),
      hooks: { hook1: true, hook2: false },
    });
    expect(failed(outcome)).toBe(false);
    expect(seen.map(([name]) => name)).toEqual(['hook1', 'hook2']);
    for (const [, request] of seen) {
      expect(request).toMatchObject({ failedOperation: operation, urn, name: 'resA', type: TYPE });
      expect(request.errors).toEqual(['failure 1']);
      expect(request.newInputs).toEqual(
        { create: { v: 'a' }, update: { v: 'b' }, delete: undefined }[operation],
      );
      expect(request.oldOutputs).toEqual(operation === 'create' ? undefined : { v: 'a' });
      expect(request.id).toBe(operation === 'create' ? '' : 'id-1');
    }
    expect(calls).toEqual(['resA', 'resA']);
    expect(texts(outcome, 'warning')).toEqual([`retrying ${operation} due to on-error hook request (1/100)`]);
    expect(names(outcome)).toEqual(operation === 'delete' ? [] : ['default', 'resA']);
    for (const { initErrors, outputs, type } of outcome.snapshot.resources)
      if (type === TYPE) expect([initErrors, outputs.v]).toEqual([[], operation === 'create' ? 'a' : 'b']);
  });

  test('LT2-093 old and new options of an update', async () => {
    const { world } = new FailingWorld('update', always(plain));
    const seen: ErrorHookRequest[] = [];
    const program =
      (v: string, protect: boolean, ignore: string): ProgramFunction =>
      async ({ errorHook, resource }) => {
        await errorHook('h', (request) => {
          seen.push(request);
          return false;
        });
        const hooks = hooksOf({ onError: ['h'] });
        await resource(TYPE, 'resA', { v }, { protect, ignoreChanges: [ignore], hooks });
      };
    const first = await runScenario({ providers: world, program: program('a', true, 'old') });
    const second = await runScenario({
      providers: world,
      prior: first.snapshot,
      program: program('b', false, 'new'),
    });
    expect(failed(second)).toBe(true);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.failedOperation).toBe('update');
    expect(seen[0]?.oldOptions).toMatchObject({ protect: true, ignoreChanges: ['old'] });
    expect(seen[0]?.newOptions).toMatchObject({ protect: false, ignoreChanges: ['new'] });
  });
});

describe('trying again', () => {
  test.each([
    ['LT2-095', 'create'],
    ['LT2-097', 'update'],
    ['LT2-099', 'delete'],
  ] as const)('%s %s: once more when a hook says so', async (_, operation) => {
    const { outcome, seen, calls } = await run({ operation, failing: times(1), hooks: { h: true } });
    expect(failed(outcome)).toBe(false);
    expect(seen).toHaveLength(1);
    expect(calls).toHaveLength(2);
  });

  test.each([
    ['LT2-096', 'create'],
    ['LT2-098', 'update'],
    ['LT2-100', 'delete'],
  ] as const)('%s %s: not without hooks', async (_, operation) => {
    const { outcome, calls } = await run({ operation, failing: times(1), hooks: {} });
    expect(failed(outcome)).toBe(true);
    expect(calls).toHaveLength(1);
  });

  test.each([
    ['LT2-101', 'create'],
    ['LT2-102', 'update'],
  ] as const)('%s %s: not when all say no; what came of it is recorded', async (_, operation) => {
    const { outcome, seen, calls } = await run({ operation, failing: always(partial), hooks: { h: false } });
    expect(failed(outcome)).toBe(true);
    expect(seen).toHaveLength(1);
    expect(calls).toHaveLength(1);
    const entry = outcome.snapshot.resources.find((each) => each.type === TYPE);
    expect(entry).toMatchObject({ initErrors: ['not ready'], outputs: { v: 'half' } });
  });

  test.each([
    ['create', 'create'],
    ['LT2-104', 'update'],
    ['LT2-105', 'delete'],
  ] as const)('%s %s: nobody is asked after a success', async (_, operation) => {
    const { outcome, seen } = await run({ operation, failing: () => undefined, hooks: { h: true } });
    expect(failed(outcome)).toBe(false);
    expect(seen).toEqual([]);
  });

  test.each([
    ['LT2-106', 'create', partial],
    ['LT2-107', 'update', partial],
    ['delete', 'delete', plain],
  ] as const)('%s %s: a hundred calls, no more', async (_, operation, error) => {
    const { outcome, seen, calls } = await run({ operation, failing: always(error), hooks: { h: true } });
    expect(failed(outcome)).toBe(true);
    expect(texts(outcome, 'error').join()).toContain('maximum number of error hook retries reached');
    expect(texts(outcome, 'warning').at(-1)).toBe('maximum number of error hook retries (100) reached');
    expect(calls).toHaveLength(100);
    expect(seen).toHaveLength(99);
    expect(names(outcome).sort()).toEqual(['default', 'resA']);
  });

  test('LT2-111 delete: yes, then no; errors newest first', async () => {
    let asked = 0;
    const { outcome, seen } = await run({
      operation: 'delete',
      failing: (number) => plain(`delete failed ${number}`),
      hooks: { h: () => (asked += 1) === 1 },
    });
    expect(failed(outcome)).toBe(true);
    expect(seen.map(([, { errors }]) => errors)).toEqual([
      ['delete failed 1'],
      ['delete failed 2', 'delete failed 1'],
    ]);
    expect(texts(outcome, 'error').join()).toContain('delete failed 2');
    expect(names(outcome).sort()).toEqual(['default', 'resA']);
  });

  test.each([
    ['LT2-112', 'create'],
    ['LT2-113', 'update'],
    ['LT2-114', 'delete'],
  ] as const)('%s %s: each resource counts for itself', async (_, operation) => {
    const { outcome, seen } = await run({
      operation,
      failing: (number, name) => (number <= (name === 'resA' ? 1 : 2) ? plain('no') : undefined),
      hooks: { hookA: true, hookB: true },
      resources: { resA: ['hookA'], resB: ['hookB'] },
    });
    expect(failed(outcome)).toBe(false);
    expect(seen.filter(([name]) => name === 'hookA')).toHaveLength(1);
    expect(seen.filter(([name]) => name === 'hookB')).toHaveLength(2);
    expect(names(outcome).sort()).toEqual(operation === 'delete' ? [] : ['default', 'resA', 'resB']);
  });

  test('LT2-115 a create that fails without a result', async () => {
    const { outcome, seen } = await run({
      operation: 'create',
      failing: () => new ProviderError('OK', 'create failed'),
      hooks: { h: false },
    });
    expect(failed(outcome)).toBe(true);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.[1]).toMatchObject({ failedOperation: 'create', errors: ['create failed'] });
  });
});

describe('hooks that fail themselves', () => {
  test('the call is not made again', async () => {
    const { outcome, calls, seen } = await run({
      operation: 'create',
      failing: times(1),
      hooks: {
        good: true,
        bad: () => {
          throw new Error('Oh no');
        },
        last: true,
      },
    });
    expect(calls).toHaveLength(1);
    expect(seen.map(([name]) => name)).toEqual(['good', 'bad']);
    const [error] = outcome.result.diagnostics.filter(({ severity }) => severity === 'error');
    expect(error?.summary).toContain('error hooks execution failed: error hook "bad" failed: Oh no');
    expect(error?.causes?.join()).toContain('failure 1');
  });

  test('one that nobody registered, as in a destroy without the program', async () => {
    const world = new MockWorld({ pkgA: {} });
    const made = await runScenario({
      providers: world,
      program: async ({ errorHook, resource }) => {
        await errorHook('h', () => true);
        await resource(TYPE, 'resA', {}, { hooks: hooksOf({ onError: ['h'] }) });
      },
    });
    world.failNext('delete', 'resA', plain('no'));
    const destroyed = await runScenario({ kind: 'destroy', providers: world, prior: made.snapshot });
    expect(failed(destroyed)).toBe(true);
    expect(texts(destroyed, 'error').join()).toContain(
      'error hooks execution failed: error hook "h" was not registered',
    );
    expect(names(destroyed)).toContain('resA');
    const again = await runScenario({ kind: 'destroy', providers: world, prior: destroyed.snapshot });
    expect(failed(again)).toBe(false);
  });
});

test('error hooks are asked in previews too', async () => {
  const seen: string[] = [];
  const behaviour: MockBehaviour = {
    create: (_, { standard }) => {
      if (seen.length === 0) throw plain('preview failed');
      return standard();
    },
  };
  const outcome = await runScenario({
    preview: true,
    providers: new MockWorld({ pkgA: { behaviour } }),
    program: async ({ errorHook, resource }) => {
      await errorHook('h', ({ errors }) => {
        seen.push(...errors);
        return true;
      });
      await resource(TYPE, 'resA', emptyMap, { hooks: hooksOf({ onError: ['h'] }) });
    },
  });
  expect(failed(outcome)).toBe(false);
  expect(seen).toEqual(['preview failed']);
});

test('before- and after-hooks run once, however often the call is made', async () => {
  const seen: string[] = [];
  const { world } = new FailingWorld('create', times(2));
  await runScenario({
    providers: world,
    program: async ({ errorHook, hook, resource }) => {
      await hook('before', () => void seen.push('before'));
      await hook('after', () => void seen.push('after'));
      await errorHook('h', () => {
        seen.push('error');
        return true;
      });
      const hooks = hooksOf({ beforeCreate: ['before'], afterCreate: ['after'], onError: ['h'] });
      await resource(TYPE, 'resA', {}, { hooks });
    },
  });
  expect(seen).toEqual(['before', 'error', 'error', 'after']);
});
