import { makeUrn, urnName } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { ProviderError } from '@cairn/wire';
import type { ErrorHookRequest, ResourceHookRequest } from '@cairn/wire';
import { MockWorld, hooksOf, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramFunction, Scenario } from '@cairn/testkit';

/** Detailed rules of hooks [HOOK-2] [HOOK-9]. */

const TYPE = 'pkgA:m:typA';
const urn = (name: string) =>
  makeUrn({ project: 'test', stack: 'test', type: TYPE, name, parent: undefined });

class Stack {
  readonly providers: MockWorld;
  snapshot: Snapshot = emptySnapshot;

  constructor(behaviour: MockBehaviour = {}) {
    this.providers = new MockWorld({ pkgA: { behaviour } });
  }

  async run(program: ProgramFunction, rest: Partial<Scenario> = {}): Promise<Outcome> {
    const outcome = await runScenario({ ...rest, program, providers: this.providers, prior: this.snapshot });
    if (rest.preview !== true) this.snapshot = outcome.snapshot;
    return outcome;
  }

  get names(): readonly string[] {
    return this.snapshot.resources.map((entry) => urnName(entry.urn)).filter((name) => name !== 'test-test');
  }
}

const errors = ({ complaints }: Outcome) => complaints.filter((line) => line.startsWith('error '));

describe('before a delete', () => {
  const program =
    (calls: string[], registers: boolean, error = ''): ProgramFunction =>
    async ({ resource, hook }) => {
      await hook('before', () => {
        calls.push('before');
        if (error !== '') throw new Error(error);
      });
      if (registers)
        await resource(TYPE, 'resA', {}, { protect: true, hooks: hooksOf({ beforeDelete: ['before'] }) });
    };

  test('hooks run before protection is looked at [HOOK-5]', async () => {
    const stack = new Stack();
    const calls: string[] = [];
    await stack.run(program(calls, true));
    const outcome = await stack.run(program(calls, false));
    expect(calls).toEqual(['before']);
    expect(errors(outcome)).toEqual([expect.stringContaining('it is protected')]);
    const failed = await stack.run(program(calls, false, 'not now'));
    expect(errors(failed)).toEqual([expect.stringContaining('before hook "before" failed: not now')]);
    const destroyed = await stack.run(program(calls, true), { kind: 'destroy', runProgram: true });
    expect(calls).toHaveLength(3);
    expect(errors(destroyed)).toEqual([expect.stringContaining('it is protected')]);
    expect(stack.names).toEqual(['default', 'resA']);
  });
});

describe('around a replacement', () => {
  test.each([false, true])(
    'its halves have the hooks of a create and of a delete, the old lists for the old object (delete first: %s) [HOOK-2]',
    async (deleteBeforeReplace) => {
      const stack = new Stack();
      const seen: (readonly [string, ResourceHookRequest])[] = [];
      const program =
        (v: number): ProgramFunction =>
        async ({ resource, hook }) => {
          for (const name of ['bc', 'ac', 'bu', 'au', 'bd1', 'ad1', 'bd2', 'ad2'])
            await hook(name, (request) => void seen.push([name, request]));
          const binding = {
            beforeCreate: ['bc'],
            afterCreate: ['ac'],
            beforeUpdate: ['bu'],
            afterUpdate: ['au'],
            beforeDelete: [`bd${v}`],
            afterDelete: [`ad${v}`],
          };
          await resource(
            TYPE,
            'resA',
            { v },
            { hooks: hooksOf(binding), replaceOnChanges: ['v'], deleteBeforeReplace },
          );
        };
      await stack.run(program(1));
      expect(seen.splice(0).map(([name]) => name)).toEqual(['bc', 'ac']);
      const { id } = stack.snapshot.resources.find((each) => each.urn === urn('resA')) ?? {};
      await stack.run(program(2));
      const order = seen.map(([name]) => name);
      const halves = [
        ['bc', 'ac'],
        ['bd1', 'ad1'],
      ];
      expect(order).toEqual((deleteBeforeReplace ? halves.toReversed() : halves).flat());
      const told = Object.fromEntries(seen);
      expect(told['bc']).toMatchObject({
        id: '',
        newInputs: { v: 2 },
        oldInputs: undefined,
        oldOptions: undefined,
      });
      expect(told['ac']).toMatchObject({ newInputs: { v: 2 }, newOutputs: { v: 2 }, oldOutputs: undefined });
      expect(told['bd1']).toMatchObject({
        id,
        oldInputs: { v: 1 },
        oldOutputs: { v: 1 },
        newInputs: undefined,
      });
      expect(told['ad1']).toMatchObject({
        id,
        oldInputs: { v: 1 },
        oldOutputs: { v: 1 },
        newOptions: undefined,
      });
    },
  );
});

describe('order', () => {
  test('one after the other; a failure that is ignored is a warning, one that is not ends the list [HOOK-3] [HOOK-6]', async () => {
    const stack = new Stack();
    const calls: string[] = [];
    const program: ProgramFunction = async ({ resource, hook }) => {
      const failing = (name: string) => () => {
        calls.push(name);
        throw new Error(`${name} is broken`);
      };
      await hook('one', failing('one'), { ignoreErrors: true });
      await hook('two', failing('two'));
      await hook('three', failing('three'));
      await resource(TYPE, 'resA', {}, { hooks: hooksOf({ beforeCreate: ['one', 'two', 'three'] }) });
    };
    const outcome = await stack.run(program);
    expect(calls).toEqual(['one', 'two']);
    expect(outcome.complaints).toEqual([
      expect.stringMatching(/^warning .*hook "one" failed: one is broken/),
      expect.stringMatching(/^error .*before hook "two" failed: two is broken/),
    ]);
    expect([stack.names, stack.providers.called('create')]).toEqual([['default'], []]);
  });

  test('after a hook that failed nothing starts, but with continue-on-error [HOOK-6]', async () => {
    const program: ProgramFunction = async ({ resource, hook }) => {
      await hook('after', () => {
        throw new Error('oh no');
      });
      await resource(TYPE, 'resA', {}, { hooks: hooksOf({ afterCreate: ['after'] }) });
      await resource(TYPE, 'resB');
    };
    for (const continueOnError of [false, true]) {
      const stack = new Stack();
      const outcome = await stack.run(program, { policy: { continueOnError } });
      expect(errors(outcome)).toEqual([expect.stringContaining('after hook "after" failed: oh no')]);
      expect(outcome.result.summary.result).toBe('failed');
      expect(stack.names).toEqual(continueOnError ? ['default', 'resA', 'resB'] : ['default', 'resA']);
    }
  });

  test('names are not empty and are used once, by whatever kind [HOOK-1]', async () => {
    const stack = new Stack();
    const refused: string[] = [];
    await stack.run(async ({ hook, errorHook }) => {
      const note = (error: unknown) => void refused.push(String(error));
      await hook('', () => {}).catch(note);
      await hook('a', () => {});
      await hook('a', () => {}).catch(note);
      await errorHook('a', () => false).catch(note);
      await errorHook('b', () => false);
      await hook('b', () => {}).catch(note);
    });
    expect(refused).toHaveLength(4);
    expect(refused[1]).toContain('resource hook already registered for name');
  });
});

describe('error hooks', () => {
  test('all are asked, newest error first; others run once [HOOK-9] [HOOK-3]', async () => {
    let fails = 2;
    const stack = new Stack({
      create: async (_request, { standard }) => {
        if (fails-- > 0) throw new ProviderError('INTERNAL', `failure ${fails}`);
        return standard();
      },
    });
    const asked: ErrorHookRequest[] = [];
    const calls: string[] = [];
    const program: ProgramFunction = async ({ resource, hook, errorHook }) => {
      await hook('around', () => void calls.push('around'));
      await errorHook('no', (request) => {
        asked.push(request);
        calls.push('no');
        return false;
      });
      await errorHook('yes', () => {
        calls.push('yes');
        return true;
      });
      const hooks = hooksOf({ beforeCreate: ['around'], afterCreate: ['around'], onError: ['yes', 'no'] });
      await resource(TYPE, 'resA', { v: 1 }, { hooks });
    };
    const outcome = await stack.run(program);
    expect(calls).toEqual(['around', 'yes', 'no', 'yes', 'no', 'around']);
    expect(errors(outcome)).toEqual([]);
    expect(outcome.complaints).toEqual([
      expect.stringContaining('retrying create due to on-error hook request (1/100)'),
      expect.stringContaining('retrying create due to on-error hook request (2/100)'),
    ]);
    expect(asked[1]).toMatchObject({
      failedOperation: 'create',
      newInputs: { v: 1 },
      oldInputs: undefined,
      name: 'resA',
    });
    expect(asked[1]?.errors).toEqual([
      expect.stringContaining('failure 0'),
      expect.stringContaining('failure 1'),
    ]);
    expect(stack.names).toEqual(['default', 'resA']);
  });

  test('a hundred calls, ninety-nine questions [HOOK-10]', async () => {
    const stack = new Stack({
      create: () => Promise.reject(new ProviderError('INTERNAL', 'never')),
    });
    let asked = 0;
    const outcome = await stack.run(async ({ resource, errorHook }) => {
      await errorHook('again', () => {
        asked += 1;
        return true;
      });
      await resource(TYPE, 'resA', {}, { hooks: hooksOf({ onError: ['again'] }) });
    });
    expect([asked, stack.providers.called('create').length]).toEqual([99, 100]);
    expect(outcome.complaints).toContainEqual(
      expect.stringMatching(/^warning .*maximum number of error hook retries \(100\) reached/),
    );
    expect(errors(outcome)[0]).toContain('maximum number of error hook retries reached');
  });

  test('a destroy without the program meets an error hook that nobody registered [HOOK-8]', async () => {
    let fails = false;
    const stack = new Stack({
      delete: async (_request, { standard }) => {
        if (fails) throw new ProviderError('INTERNAL', 'stuck');
        return standard();
      },
    });
    await stack.run(async ({ resource, errorHook }) => {
      await errorHook('again', () => true);
      await resource(TYPE, 'resA', {}, { hooks: hooksOf({ onError: ['again'] }) });
    });
    fails = true;
    const outcome = await stack.run(async () => {}, { kind: 'destroy' });
    expect(errors(outcome).join()).toContain('error hook "again" was not registered');
    fails = false;
    const gone = await stack.run(async () => {}, { kind: 'destroy' });
    expect([errors(gone), stack.names]).toEqual([[], []]);
  });

  test('a preview asks them too when the provider fails its preview [HOOK-9]', async () => {
    const stack = new Stack({
      create: async ({ preview }, { standard }) => {
        if (preview) throw new ProviderError('INTERNAL', 'no preview');
        return standard();
      },
    });
    let asked = 0;
    const outcome = await stack.run(
      async ({ resource, errorHook }) => {
        await errorHook('no', () => {
          asked += 1;
          return false;
        });
        await resource(TYPE, 'resA', {}, { hooks: hooksOf({ onError: ['no'] }) });
      },
      { preview: true },
    );
    expect(asked).toBe(1);
    expect(errors(outcome).join()).toContain('no preview');
  });
});
