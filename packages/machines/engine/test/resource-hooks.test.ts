import { asUrn, makeUrn, urnName } from '@cairn/addresses';
import { emptySnapshot } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { ByteString, ResourceReference, Secret, UNKNOWN, propertyMap } from '@cairn/values';
import { ProviderError } from '@cairn/wire';
import type { HookBinding, Monitor, ResourceHookRequest } from '@cairn/wire';
import { MockWorld, hooksOf, registerRequest, runScenario } from '@cairn/testkit';
import type { MockBehaviour, Outcome, ProgramContext, ProgramFunction, Scenario } from '@cairn/testkit';

/** Hooks around steps [HOOK-2], called over real connections by whole operations. */

const TYPE = 'pkgA:m:typA';
const home = { project: 'test', stack: 'test' };
const urn = makeUrn({ ...home, type: TYPE, name: 'resA' });

function entry(snapshot: Snapshot, name: string): ResourceEntry {
  const found = snapshot.resources.find((each) => urnName(each.urn) === name);
  if (found === undefined) throw new Error(`no entry ${name}`);
  return found;
}

/** Returns names without the stack resource. */
const names = (outcome: Outcome) => outcome.names.filter((name) => name !== 'test-test');

interface Calls {
  readonly seen: ResourceHookRequest[];
}

/** One stack over several operations; a preview before each unless `dry` is false. */
class Stack {
  snapshot = emptySnapshot;

  constructor(readonly world: MockWorld = new MockWorld({ pkgA: {} })) {}

  async preview(program: ProgramFunction, options: Partial<Scenario> = {}): Promise<Outcome> {
    return runScenario({ ...options, preview: true, prior: this.snapshot, program, providers: this.world });
  }

  async up(program: ProgramFunction, options: Partial<Scenario> = {}): Promise<Outcome> {
    const outcome = await runScenario({ ...options, prior: this.snapshot, program, providers: this.world });
    this.snapshot = outcome.snapshot;
    return outcome;
  }
}

const binds = (binding: Partial<HookBinding>) => ({ hooks: hooksOf(binding) });
const oh = () => {
  throw new Error('Oh no');
};
const errorsOf = ({ result }: Outcome) =>
  result.diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);

describe('when hooks run', () => {
  test('LT2-070 in preview only those that want it', async () => {
    const seen: string[] = [];
    const program: ProgramFunction = async ({ hook, resource }) => {
      const note = (name: string) => (request: ResourceHookRequest) => {
        expect(request).toMatchObject({ urn, name: 'resA', type: TYPE });
        seen.push(name);
      };
      await hook('hookTrue', note('hookTrue'), { onDryRun: true });
      await hook('hookFalse', note('hookFalse'));
      await resource(TYPE, 'resA', {}, binds({ afterCreate: ['hookTrue', 'hookFalse'] }));
    };
    const stack = new Stack();
    expect((await stack.preview(program)).result.summary.result).toBe('succeeded');
    expect(seen).toEqual(['hookTrue']);
    seen.length = 0;
    const outcome = await stack.up(program);
    expect(seen).toEqual(['hookTrue', 'hookFalse']);
    expect(names(outcome)).toEqual(['default', 'resA']);
    expect(entry(stack.snapshot, 'resA').resourceHooks).toEqual({ AfterCreate: ['hookTrue', 'hookFalse'] });
  });

  test('in order, around the call, each once; a replacement has the hooks of both its halves', async () => {
    const seen: string[] = [];
    const world = new MockWorld({
      pkgA: {
        behaviour: {
          diff: async ({ news, oldInputs }) => ({
            changes: news.v === oldInputs.v ? 'none' : 'some',
            replaceKeys: news.v === oldInputs.v ? [] : ['v'],
            changedKeys: [],
            stableKeys: [],
            detailedDiff: undefined,
            deleteBeforeReplace: false,
          }),
          create: (_, { standard }) => (seen.push('create'), standard()),
          delete: (_, { standard }) => (seen.push('delete'), standard()),
        },
      },
    });
    const program =
      (v: string): ProgramFunction =>
      async ({ hook, resource }) => {
        for (const name of ['one', 'two', 'bd', 'ad'])
          await hook(name, ({ newInputs, oldInputs }) => {
            seen.push(`${name} ${String(oldInputs?.v)} ${String(newInputs?.v)}`);
          });
        const all = binds({
          beforeCreate: ['one', 'two'],
          afterCreate: ['two', 'one'],
          beforeUpdate: ['one'],
          beforeDelete: ['bd'],
          afterDelete: ['ad'],
        });
        await resource(TYPE, 'resA', { v }, all);
      };
    const stack = new Stack(world);
    await stack.up(program('a'));
    seen.length = 0;
    await stack.preview(program('b'));
    expect(seen.filter((each) => each !== 'create')).toEqual([]);
    seen.length = 0;
    await stack.up(program('b'));
    expect(seen).toEqual([
      'one undefined b',
      'two undefined b',
      'create',
      'two undefined b',
      'one undefined b',
      'bd a undefined',
      'delete',
      'ad a undefined',
    ]);
  });

  test('not for resources that stay the same; changed lists are stored all the same', async () => {
    const seen: string[] = [];
    const program =
      (list: string[]): ProgramFunction =>
      async ({ hook, resource }) => {
        await hook('h', () => void seen.push('h'), { onDryRun: true });
        await resource(
          TYPE,
          'resA',
          {},
          binds({ beforeUpdate: ['h'], afterUpdate: ['h'], beforeDelete: list }),
        );
      };
    const stack = new Stack();
    await stack.up(program([]));
    await stack.up(program(['h']));
    expect(seen).toEqual([]);
    expect(entry(stack.snapshot, 'resA').resourceHooks).toMatchObject({ BeforeDelete: ['h'] });
  });
});

describe('what hooks are told', () => {
  test('LT2-072 options of a create', async () => {
    const calls: Calls = { seen: [] };
    const stack = new Stack();
    const program: ProgramFunction = async ({ hook, resource, component }) => {
      await hook('myHook', (request) => void calls.seen.push(request), { onDryRun: true });
      const { urn: parent } = await component('my:m:Parent', 'parent');
      await resource(
        TYPE,
        'resA',
        { a: 1 },
        {
          parent,
          protect: true,
          dependencies: [parent],
          ignoreChanges: ['a'],
          replaceOnChanges: ['b'],
          retainOnDelete: true,
          additionalSecretOutputs: ['secret'],
          customTimeouts: { create: '90s', update: '', delete: '1h' },
          ...binds({ beforeCreate: ['myHook'] }),
        },
      );
    };
    await stack.preview(program);
    const outcome = await stack.up(program);
    expect(names(outcome)).toHaveLength(3);
    expect(calls.seen).toHaveLength(2);
    const [, request] = calls.seen;
    const parent = makeUrn({ ...home, type: 'my:m:Parent', name: 'parent' });
    expect(request).toMatchObject({
      id: '',
      oldOptions: undefined,
      newInputs: { a: 1 },
      newOutputs: undefined,
    });
    expect(request?.newOptions).toMatchObject({
      parent,
      dependsOn: [parent],
      protect: true,
      retainOnDelete: true,
      ignoreChanges: ['a'],
      replaceOnChanges: ['b'],
      additionalSecretOutputs: ['secret'],
      customTimeouts: { create: '1m30s', update: '', delete: '1h0m0s' },
      hooks: hooksOf({ beforeCreate: ['myHook'] }),
    });
    expect(request?.newOptions?.provider).toContain('pulumi:providers:pkgA');
  });

  test('LT2-073 old and new options of an update', async () => {
    const calls: Calls = { seen: [] };
    const stack = new Stack();
    const program =
      (v: string, protect: boolean, ignore: string): ProgramFunction =>
      async ({ hook, component }) => {
        await hook('myHook', (request) => void calls.seen.push(request));
        const options = { protect, ignoreChanges: [ignore], inputs: propertyMap({ v }) };
        await component(TYPE, 'resA', { ...options, ...binds({ beforeUpdate: ['myHook'] }) });
      };
    await stack.up(program('a', true, 'old'));
    expect(calls.seen).toEqual([]);
    await stack.preview(program('b', false, 'new'));
    expect(calls.seen).toEqual([]);
    await stack.up(program('b', false, 'new'));
    expect(calls.seen).toHaveLength(1);
    expect(calls.seen[0]?.oldOptions).toMatchObject({
      protect: true,
      ignoreChanges: ['old'],
      retainOnDelete: false,
    });
    expect(calls.seen[0]?.newOptions).toMatchObject({
      protect: false,
      ignoreChanges: ['new'],
      retainOnDelete: false,
    });
  });

  test('LT2-078 a hook before an update is the one of the new registration', async () => {
    const seen: [string, ResourceHookRequest][] = [];
    const world = new MockWorld({
      pkgA: {
        behaviour: {
          create: async ({ inputs, preview }) => ({
            id: preview ? '' : 'id',
            outputs: propertyMap({ ...inputs, ...(preview ? {} : { baz: 24 }) }),
            refreshBeforeUpdate: false,
          }),
          update: async ({ news }) => ({ outputs: news, refreshBeforeUpdate: false }),
        },
      },
    });
    const stack = new Stack(world);
    const program =
      (name: string, frob: string): ProgramFunction =>
      async ({ hook, resource }) => {
        for (const each of ['X', 'Y']) await hook(each, (request) => void seen.push([each, request]));
        await resource(TYPE, 'resA', { foo: 'bar', frob }, binds({ beforeUpdate: [name] }));
      };
    await stack.up(program('X', 'baz'));
    await stack.up(program('Y', 'updated'));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.[0]).toBe('Y');
    expect(seen[0]?.[1]).toMatchObject({
      id: 'id',
      newInputs: { foo: 'bar', frob: 'updated' },
      oldInputs: { foo: 'bar', frob: 'baz' },
      oldOutputs: { foo: 'bar', frob: 'baz', baz: 24 },
      newOutputs: undefined,
    });
  });

  test('all of it after an update', async () => {
    const calls: Calls = { seen: [] };
    const stack = new Stack();
    const program =
      (v: string): ProgramFunction =>
      async ({ hook, resource }) => {
        await hook('h', (request) => void calls.seen.push(request));
        await resource(TYPE, 'resA', { v }, binds({ afterUpdate: ['h'] }));
      };
    await stack.up(program('a'));
    await stack.up(program('b'));
    const [request] = calls.seen;
    expect(request).toMatchObject({
      id: 'id-1',
      newInputs: { v: 'b' },
      oldInputs: { v: 'a' },
      newOutputs: { v: 'b' },
      oldOutputs: { v: 'a' },
    });
    expect(request?.oldOptions).toBeDefined();
    expect(request?.newOptions).toBeDefined();
  });

  test('secrets, unknowns and references as they are', async () => {
    const calls: Calls = { seen: [] };
    const stack = new Stack();
    await stack.preview(async ({ hook, resource, stack: root }) => {
      await hook('h', (request) => void calls.seen.push(request), { onDryRun: true });
      const r = new ResourceReference({ urn: root, id: '', type: 'pulumi:pulumi:Stack', name: 'test-test' });
      await resource(TYPE, 'resA', { s: new Secret('x'), u: UNKNOWN, r }, binds({ beforeCreate: ['h'] }));
    });
    const inputs = calls.seen[0]?.newInputs;
    expect(inputs?.s).toEqual(new Secret('x'));
    expect(inputs?.u).toBe(UNKNOWN);
    expect(inputs?.r).toBeInstanceOf(ResourceReference);
  });

  test('LT2-090 texts that are not UTF-8', async () => {
    const calls: Calls = { seen: [] };
    const foo = new ByteString(Buffer.from([0, 0xff, 0x61]));
    const stack = new Stack();
    await stack.up(async ({ hook, resource }) => {
      await hook('h', (request) => void calls.seen.push(request));
      await resource(TYPE, 'resA', { foo }, binds({ afterCreate: ['h'] }));
    });
    expect(calls.seen[0]?.newInputs?.foo).toEqual(foo);
    expect(calls.seen[0]?.newOutputs?.foo).toEqual(foo);
    expect(entry(stack.snapshot, 'resA').inputs.foo).toEqual(foo);
  });
});

/** Makes a resource with a hook in the first run; the second has only the hook. */
function comesAndGoes(binding: Partial<HookBinding>, run: (request: ResourceHookRequest) => void) {
  const registers = async ({ hook }: ProgramContext) => hook('myHook', run);
  return {
    there: async (context: ProgramContext) => {
      await registers(context);
      await context.resource(TYPE, 'resA', { a: 'A' }, binds(binding));
    },
    gone: registers,
  };
}

describe('deletes', () => {
  test('LT2-075 an after-hook of a resource that the program no longer declares', async () => {
    const calls: Calls = { seen: [] };
    const { there, gone } = comesAndGoes(
      { afterDelete: ['myHook'] },
      (request) => void calls.seen.push(request),
    );
    const stack = new Stack();
    await stack.up(there);
    expect(calls.seen).toEqual([]);
    await stack.preview(gone);
    expect(calls.seen).toEqual([]);
    const outcome = await stack.up(gone);
    expect(calls.seen).toHaveLength(1);
    expect(calls.seen[0]).toMatchObject({
      id: 'id-1',
      newInputs: undefined,
      newOutputs: undefined,
      newOptions: undefined,
      oldInputs: { a: 'A' },
      oldOutputs: { a: 'A' },
    });
    expect(names(outcome)).toEqual([]);
  });

  test('LT2-077 a before-hook that fails keeps the resource', async () => {
    const { there, gone } = comesAndGoes(
      { beforeDelete: ['myHook'] },
      ({ newInputs, oldInputs, oldOutputs }) => {
        expect([newInputs, oldInputs, oldOutputs]).toEqual([undefined, { a: 'A' }, { a: 'A' }]);
        oh();
      },
    );
    const stack = new Stack();
    await stack.up(there);
    const outcome = await stack.up(gone);
    expect(errorsOf(outcome).join()).toContain('hook "myHook" failed: Oh no');
    expect(names(outcome).sort()).toEqual(['default', 'resA']);
    expect(stack.world.alive).toEqual(['resA']);
  });

  test('LT2-086 an after-hook that fails: the delete stands, and no other starts', async () => {
    const { there, gone } = comesAndGoes({ afterDelete: ['myHook'] }, oh);
    const stack = new Stack();
    await stack.up(there);
    const outcome = await stack.up(gone);
    expect(outcome.result.summary.result).toBe('failed');
    expect(errorsOf(outcome).join()).toContain('hook "myHook" failed: Oh no');
    expect(names(outcome)).toEqual(['default']);
    expect(stack.world.alive).toEqual([]);
  });

  test('a hook that the program no longer registers keeps the resource', async () => {
    const { there } = comesAndGoes({ beforeDelete: ['myHook'] }, oh);
    const stack = new Stack();
    await stack.up(there);
    for (const outcome of [await stack.preview(async () => {}), await stack.up(async () => {})]) {
      expect(outcome.result.summary.result).toBe('failed');
      expect(errorsOf(outcome)).toContain('hook "myHook" was not registered');
    }
    expect(stack.world.alive).toEqual(['resA']);
  });

  test('LT2-080 a destroy that runs the program', async () => {
    const calls: Calls = { seen: [] };
    const { there } = comesAndGoes({ afterDelete: ['myHook'] }, (request) => void calls.seen.push(request));
    const stack = new Stack();
    await stack.up(there);
    const destroy = { kind: 'destroy', runProgram: true } as const;
    await stack.preview(there, destroy);
    expect(calls.seen).toEqual([]);
    const outcome = await stack.up(there, destroy);
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(calls.seen).toHaveLength(1);
    expect(calls.seen[0]).toMatchObject({ urn, oldInputs: { a: 'A' }, newInputs: undefined });
    expect(outcome.names).toEqual([]);
    expect(stack.world.alive).toEqual([]);
  });

  test('LT2-081 a destroy without the program is refused before anything is deleted [DEL-6]', async () => {
    const seen: string[] = [];
    const { there } = comesAndGoes({ beforeDelete: ['myHook'] }, () => void seen.push('called'));
    const stack = new Stack();
    await stack.up(there);
    for (const preview of [true, false]) {
      const outcome = await runScenario({
        kind: 'destroy',
        preview,
        prior: stack.snapshot,
        providers: stack.world,
      });
      expect(outcome.result.summary.result).toBe('failed');
      const [first, ...each] = errorsOf(outcome);
      expect(first).toBe('You must run with the `--run-program` flag to use delete hooks during destroy.');
      expect(each).toHaveLength(1);
      expect(each[0]).toContain(urn);
      expect(outcome.names).toEqual(stack.snapshot.resources.map((one) => urnName(one.urn)));
    }
    expect(seen).toEqual([]);
    expect(stack.world.alive).toEqual(['resA']);
  });
});

describe('hooks that fail', () => {
  test('LT2-079 before an update: nothing is attempted', async () => {
    const stack = new Stack();
    const program =
      (foo: string): ProgramFunction =>
      async ({ hook, resource }) => {
        await hook('hook', ({ newInputs, oldInputs, oldOutputs }) => {
          expect([newInputs, oldInputs, oldOutputs]).toEqual([
            { foo: 'updated' },
            { foo: 'bar' },
            { foo: 'bar' },
          ]);
          throw new Error('this hook returns an error');
        });
        await resource(TYPE, 'resA', { foo }, binds({ beforeUpdate: ['hook'] }));
      };
    await stack.up(program('bar'));
    const outcome = await stack.up(program('updated'));
    expect(errorsOf(outcome).join()).toContain('before hook "hook" failed: this hook returns an error');
    expect(stack.world.called('update')).toEqual([]);
    expect(entry(stack.snapshot, 'resA').outputs).toEqual({ foo: 'bar' });
  });

  test('LT2-084 after a create: the object is recorded, the registration answered, the run failed', async () => {
    const stack = new Stack();
    let answered: unknown;
    const outcome = await stack.up(async ({ hook, resource }) => {
      await hook('myHook', oh);
      answered = await resource(TYPE, 'resA', {}, binds({ afterCreate: ['myHook'] }));
    });
    expect(answered).toMatchObject({ id: 'id-1', result: 'success' });
    const failure = outcome.result.diagnostics.find(({ code }) => code === 'CAIRN-HOOK-FAILED');
    expect(failure).toMatchObject({ severity: 'error', urn, summary: 'after hook "myHook" failed: Oh no' });
    expect(outcome.result.summary.result).toBe('failed');
    expect(names(outcome)).toEqual(['default', 'resA']);
  });

  test('no step starts after an after-hook has failed', async () => {
    const stack = new Stack();
    const outcome = await stack.up(async ({ hook, resource }) => {
      await hook('myHook', oh);
      await resource(TYPE, 'resA', {}, binds({ afterCreate: ['myHook'] }));
      await resource(TYPE, 'resB');
    });
    expect(outcome.result.summary.result).toBe('failed');
    expect(names(outcome)).toEqual(['default', 'resA']);
    expect(stack.world.alive).toEqual(['resA']);
  });

  test('LT2-087 with continue-on-error the program goes on', async () => {
    const stack = new Stack();
    const answers: string[] = [];
    const outcome = await stack.up(
      async ({ hook, resource }) => {
        await hook('myHook', oh);
        answers.push((await resource(TYPE, 'resA', {}, binds({ afterCreate: ['myHook'] }))).result);
        answers.push((await resource(TYPE, 'resB')).result);
      },
      { policy: { continueOnError: true } },
    );
    expect(answers).toEqual(['success', 'success']);
    expect(outcome.result.summary.result).toBe('failed');
    expect(errorsOf(outcome).join()).toContain('hook "myHook" failed: Oh no');
    expect(names(outcome)).toEqual(['default', 'resA', 'resB']);
  });

  test.each([
    ['LT2-088 after a create', 'afterCreate'],
    ['LT2-089 before a create', 'beforeCreate'],
  ] as const)('%s, errors ignored: a warning', async (_, list) => {
    const stack = new Stack();
    const seen: string[] = [];
    const outcome = await stack.up(async ({ hook, resource }) => {
      await hook('myHook', oh, { ignoreErrors: true });
      await hook('next', () => void seen.push('next'));
      await resource(TYPE, 'resA', {}, binds({ [list]: ['myHook', 'next'] }));
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    const warning = outcome.result.diagnostics.find(({ code }) => code === 'CAIRN-HOOK-FAILED');
    expect(warning).toMatchObject({ severity: 'warning', urn });
    expect(warning?.summary).toContain('hook "myHook" failed: Oh no');
    expect(seen).toEqual(['next']);
    expect(names(outcome)).toEqual(['default', 'resA']);
  });

  test('a hook that nobody registered fails its step', async () => {
    const outcome = await new Stack().up(async ({ resource }) => {
      await resource(TYPE, 'resA', {}, binds({ beforeCreate: ['nobody'] }));
    });
    expect(errorsOf(outcome)).toEqual(['hook "nobody" was not registered']);
    expect(names(outcome)).toEqual(['default']);
  });

  test('a program that has left cannot be called', async () => {
    const outcome = await new Stack().up(async ({ monitor, resource }) => {
      const callback = { target: '127.0.0.1:1', token: 'gone' };
      await monitor.registerResourceHook({ name: 'h', callback, onDryRun: false, ignoreErrors: false });
      await resource(TYPE, 'resA', {}, binds({ beforeCreate: ['h'] }));
    });
    expect(errorsOf(outcome)[0]).toMatch(/^before hook "h" failed: /);
  });

  test('a step that failed has no after-hooks', async () => {
    const seen: string[] = [];
    const world = new MockWorld({ pkgA: {} });
    world.failNext('create', 'resA', new ProviderError('UNKNOWN', 'no'));
    await new Stack(world).up(async ({ hook, resource }) => {
      await hook('before', () => void seen.push('before'));
      await hook('after', () => void seen.push('after'));
      await resource(TYPE, 'resA', {}, binds({ beforeCreate: ['before'], afterCreate: ['after'] }));
    });
    expect(seen).toEqual(['before']);
  });
});

describe('registering', () => {
  test('names are not empty and not taken, also not by the other kind', async () => {
    const messages: string[] = [];
    const outcome = await new Stack().up(async ({ hook, errorHook }) => {
      const note = (error: Error) => void messages.push(error.message);
      await hook('a', oh);
      await errorHook('b', () => true);
      await hook('a', oh).catch(note);
      await errorHook('a', () => true).catch(note);
      await hook('b', oh).catch(note);
      await hook('', oh).catch(note);
      await errorHook('', () => true).catch(note);
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(messages).toEqual([
      'resource hook already registered for name "a"',
      'resource hook already registered for name "a"',
      'error hook already registered for name "b"',
      'a resource hook needs a name',
      'an error hook needs a name',
    ]);
  });
});

describe('components', () => {
  test('hooks before it is registered, after its outputs are', async () => {
    const seen: string[] = [];
    const stack = new Stack();
    const program =
      (v: string): ProgramFunction =>
      async ({ hook, component, outputs }) => {
        const note = (name: string) => (request: ResourceHookRequest) =>
          void seen.push(`${name} ${String(request.newInputs?.v)} ${String(request.newOutputs?.out)}`);
        for (const name of ['bc', 'ac', 'bu', 'au']) await hook(name, note(name));
        const all = binds({
          beforeCreate: ['bc'],
          afterCreate: ['ac'],
          beforeUpdate: ['bu'],
          afterUpdate: ['au'],
        });
        const { urn: self } = await component('my:m:Comp', 'comp', { inputs: propertyMap({ v }), ...all });
        seen.push('registered');
        await outputs(self, { out: `${v}!` });
        seen.push('outputs');
      };
    await stack.up(program('a'));
    expect(seen).toEqual(['bc a undefined', 'registered', 'ac a a!', 'outputs']);
    seen.length = 0;
    await stack.up(program('b'));
    expect(seen).toEqual(['bu b undefined', 'registered', 'au b b!', 'outputs']);
    seen.length = 0;
    await stack.up(program('b'));
    expect(seen).toEqual(['registered', 'outputs']);
  });

  test('LT2-082 hooks of a remote component travel to its constructor, error hooks do not', async () => {
    const calls: Calls = { seen: [] };
    const box: { monitor?: Monitor } = {};
    const passed: unknown[] = [];
    const behaviour: MockBehaviour = {
      construct: async ({ name, parent = '', options }) => {
        const monitor = box.monitor as Monitor;
        passed.push(options.hooks);
        const { urn: self } = await monitor.registerResource(
          registerRequest({ type: 'pkgA:m:typB', name, parent, custom: false, hooks: options.hooks }),
        );
        expect(calls.seen).toEqual([]);
        const outputs = propertyMap({ foo: 'bar' });
        await monitor.registerResourceOutputs({ urn: self, outputs });
        return { urn: asUrn(self), outputs, outputDependencies: {} };
      },
    };
    const stack = new Stack(new MockWorld({ pkgA: { behaviour } }));
    const outcome = await stack.up(async ({ monitor, hook, resource }) => {
      box.monitor = monitor;
      await hook('myHook', (request) => void calls.seen.push(request));
      const options = binds({ afterCreate: ['myHook'], onError: ['retry'] });
      await resource('pkgA:m:typA', 'resA', {}, { custom: false, remote: true, ...options });
    });
    expect(outcome.result.summary.result).toBe('succeeded');
    expect(passed).toEqual([hooksOf({ afterCreate: ['myHook'] })]);
    expect(calls.seen).toHaveLength(1);
    expect(calls.seen[0]).toMatchObject({
      urn: makeUrn({ ...home, type: 'pkgA:m:typB', name: 'resA' }),
      type: 'pkgA:m:typB',
      newOutputs: { foo: 'bar' },
    });
    expect(names(outcome)).toEqual(['default', 'resA']);
  });

  test('a failing after-hook of a component fails the run; its outputs stand', async () => {
    const stack = new Stack();
    const outcome = await stack.up(async ({ hook, component, outputs }) => {
      await hook('myHook', oh);
      const { urn: self } = await component('my:m:Comp', 'comp', binds({ afterCreate: ['myHook'] }));
      await outputs(self, { out: 1 });
    });
    expect(errorsOf(outcome)).toEqual(['after hook "myHook" failed: Oh no']);
    expect(entry(stack.snapshot, 'comp').outputs).toEqual({ out: 1 });
  });
});
