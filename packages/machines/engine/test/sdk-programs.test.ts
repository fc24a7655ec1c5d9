import { parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { CustomResource, ProviderResource, invoke } from '@cairn/sdk';
import type { CustomResourceOptions, InvokeOptions } from '@cairn/sdk';
import { emptySnapshot } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import { MockWorld, diffAnswer, runScenario, sdkProgram } from '@cairn/testkit';
import type { MockBehaviour, Outcome } from '@cairn/testkit';

/** Programs on the TypeScript SDK against the whole engine (golang_sdk_test.go, for our own SDK). */

const identity = { organization: 'organization', project: 'test', stack: 'test' };

class ResA extends CustomResource {
  constructor(name: string, inputs: object, options?: CustomResourceOptions) {
    super('pkgA:m:typA', name, inputs, options);
  }
}

class ResB extends CustomResource {
  constructor(name: string, options?: CustomResourceOptions) {
    super('pkgB:m:typB', name, {}, options);
  }
}

class Prov extends ProviderResource {}

const replacesOnFoo: MockBehaviour = {
  diff: ({ oldInputs, news }) =>
    oldInputs['foo'] === news['foo']
      ? diffAnswer('none')
      : diffAnswer('some', { replaceKeys: ['foo'], changedKeys: ['foo'] }),
};

/** A stack that programs run on one after the other, each after a preview with the same steps. */
class Stack {
  snapshot: Snapshot = emptySnapshot;

  constructor(readonly providers: MockWorld) {}

  async up(load: () => object): Promise<Outcome> {
    const scenario = { providers: this.providers, prior: this.snapshot, identity };
    const run = (preview: boolean) =>
      runScenario({ ...scenario, preview, ownProgram: sdkProgram(load, identity) });
    const preview = await run(true);
    const outcome = await run(false);
    expect([outcome.complaints, preview.complaints]).toEqual([[], []]);
    expect(preview.trace).toEqual(outcome.trace);
    this.snapshot = outcome.snapshot;
    return outcome;
  }

  /** Names of the provider of each resource. */
  get providersOf(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.snapshot.resources.flatMap(({ urn, provider }) =>
        provider === undefined ? [] : [[urnName(urn), nameOf(provider)]],
      ),
    );
  }
}

function nameOf(reference: ProviderReference): string {
  return urnName(parseProviderReference(reference).urn);
}

test('LT2-202 a replacement, in the order of the provider and delete-first as the program says', async () => {
  const stack = new Stack(new MockWorld({ pkgA: { behaviour: replacesOnFoo } }));
  const program = (foo: string, deleteBeforeReplace?: boolean) => () => {
    const provider = new Prov('pkgA', 'provA', {});
    new ResA('resA', { foo }, { provider, deleteBeforeReplace });
    return {};
  };
  const steps = async (load: () => object) => (await stack.up(load)).trace;
  expect(await steps(program('foo'))).toEqual(['create test-test', 'create provA', 'create resA']);
  expect(await steps(program('bar'))).toEqual([
    'same test-test',
    'same provA',
    'create-replacement resA',
    'replace resA',
    'delete-replaced resA',
  ]);
  expect(await steps(program('baz', true))).toEqual([
    'same test-test',
    'same provA',
    'delete-replaced resA',
    'replace resA',
    'create-replacement resA',
  ]);
});

test('LT2-203 an object that is only read', async () => {
  const behaviour: MockBehaviour = {
    read: ({ id }) => ({ id, inputs: emptyMap, outputs: emptyMap, refreshBeforeUpdate: false }),
  };
  const stack = new Stack(new MockWorld({ pkgA: { behaviour } }));
  const { trace, snapshot } = await stack.up(() => {
    new ResA('resA', {}, { id: 'someId' });
    return {};
  });
  expect(trace).toEqual(['create test-test', 'create provider:pkgA', 'read resA']);
  expect(snapshot.resources.at(-1)).toMatchObject({ external: true, id: 'someId' });
});

test('LT2-204 the own provider goes before the own map, and that before the parent', async () => {
  const asked: string[] = [];
  const behaviour: MockBehaviour = {
    read: ({ id }) => ({ id, inputs: emptyMap, outputs: emptyMap, refreshBeforeUpdate: false }),
    invoke: ({ token }, { instance }) => {
      asked.push(`${token.split(':')[2]} ${String(instance.settings?.['name'])}`);
      return { result: emptyMap, failures: [] };
    },
  };
  const stack = new Stack(new MockWorld({ pkgA: { behaviour }, pkgB: { behaviour } }));
  await stack.up(() => {
    const prov1 = new Prov('pkgA', 'prov1', { name: 'prov1' });
    const prov2 = new Prov('pkgB', 'prov2', { name: 'prov2' });
    const prov3 = new Prov('pkgB', 'prov3', { name: 'prov3' });
    const providers = { pkgA: prov1, pkgB: prov2 };
    const resA = new ResA('resA', {}, { providers } as CustomResourceOptions);
    new ResB('resB', { parent: resA });
    new ResB('resC', { parent: resA, provider: prov3 });
    const readA = new ResA('readA', {}, { id: 'a', providers } as CustomResourceOptions);
    new ResB('readB', { id: 'b', parent: readA });
    new ResB('readC', { id: 'c', parent: readA, provider: prov3 });
    const ask = (name: string, options: InvokeOptions) => invoke(`pkgB:m:${name}`, {}, options);
    return {
      results: [
        ask('own', { provider: prov3 }),
        ask('parents', { parent: resA }),
        ask('both', { parent: resA, provider: prov3 }),
      ],
    };
  });
  expect(stack.providersOf).toEqual({
    resA: 'prov1',
    resB: 'prov2',
    resC: 'prov3',
    readA: 'prov1',
    readB: 'prov2',
    readC: 'prov3',
  });
  const once = ['both prov3', 'own prov3', 'parents prov2'];
  expect([...asked].sort()).toEqual([...once, ...once].sort());
});

test('LT2-205 replaceOnChanges asks for a new object', async () => {
  const behaviour: MockBehaviour = {
    diff: ({ oldInputs, news }) =>
      oldInputs['foo'] === news['foo'] ? diffAnswer('none') : diffAnswer('some', { changedKeys: ['foo'] }),
  };
  const stack = new Stack(new MockWorld({ pkgA: { behaviour } }));
  const program = (foo: string) => () => {
    new ResA('resA', { foo }, { replaceOnChanges: ['foo'] });
    return {};
  };
  expect((await stack.up(program('bar'))).steps).toEqual(['create resA']);
  expect((await stack.up(program('baz'))).steps).toEqual([
    'create-replacement resA',
    'replace resA',
    'delete-replaced resA',
  ]);
});
