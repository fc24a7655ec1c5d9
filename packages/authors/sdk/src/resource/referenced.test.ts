import { ResourceReference, Secret, UNKNOWN, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { sourceOf } from '../output/brand.js';
import type { Output, OutputHandle } from '../output/brand.js';
import { map, run } from '../testdata/fake-engine.js';
import { registerResourceClass } from './classes.js';
import { ComponentResource, CustomResource, ProviderResource, Resource } from './resource.js';

const resolve = async (out: unknown) => sourceOf(out as OutputHandle<unknown>);
const urnOf = (type: string, name: string) =>
  `urn:pulumi:dev::shop::test:index:Remote$${type}::${name}` as never;
const reference = (name: string, id: string | typeof UNKNOWN | undefined, type = 'test:index:Thing') =>
  new ResourceReference({ urn: urnOf(type, name), ...(id !== undefined && { id }) });

class Remote extends ComponentResource {
  constructor(name = 'r') {
    super('test:index:Remote', name, {}, {}, true);
  }
}
class Thing extends CustomResource {
  constructor() {
    super('test:index:Known', 'never', {});
    throw new Error('the constructor is not called');
  }
  get size(): Output<number> {
    return this.outputOf('size');
  }
}

/**
 * Engine behaviour for a component with `outputs`. `states` contains the engine's states of other resources, by name.
 */
const behaviour = (outputs: PropertyMap, states: Readonly<Record<string, PropertyMap>>, unknown = false) => ({
  register: async ({ name }: { readonly name: string }) => (name === 'r' ? { outputs } : {}),
  invoke: async ({ args }: { readonly args: PropertyMap }) => {
    const name = String(args['urn']).split('::').at(-1) ?? '';
    const state = states[name];
    if (state === undefined) throw new Error(`unknown resource ${name}`);
    return {
      result: propertyMap({ urn: args['urn'] ?? '', id: '', provider: '', state }),
      failures: [],
      unknown,
    };
  },
});

describe('an output that refers to a resource is that resource [VAL-4]', () => {
  test('of its class when that is known, asked for once, and handed on as what it was', async () => {
    registerResourceClass('test:index:Known', Thing);
    const outputs = map({ known: reference('k', 'k-1', 'test:index:Known') });
    const { engine } = await run(
      async () => {
        const remote = new Remote();
        const known = remote.outputOf<Thing>('known');
        const thing = (await resolve(known)).value as Thing;
        expect([thing instanceof Thing, Resource.isInstance(thing)]).toEqual([true, true]);
        expect((await resolve(thing.id)).value).toBe('k-1');
        expect(await resolve(thing.size)).toMatchObject({ value: 3, secret: false });
        // Lifted, and as an input of other resources, which depend on it.
        expect((await resolve(known.size)).value).toBe(3);
        new CustomResource('test:index:Thing', 'user', { of: known, size: known.size });
      },
      { behaviour: behaviour(outputs, { k: map({ size: 3 }) }) },
    );
    expect(engine.invokes.map(({ token }) => token)).toEqual(['pulumi:pulumi:getResource']);
    expect(engine.registration('user')).toMatchObject({
      inputs: { of: reference('k', 'k-1', 'test:index:Known'), size: 3 },
      dependencies: expect.arrayContaining([urnOf('test:index:Known', 'k')]) as never,
    });
  });

  test('of a plain class otherwise: custom with an id, a component without, a provider by its type', async () => {
    const types = {
      a: reference('a', 'a-1'),
      b: reference('b', undefined),
      p: reference('p', 'p-1', 'pulumi:providers:test'),
    };
    const states = { a: map({}), b: map({}), p: map({}) };
    await run(
      async () => {
        const remote = new Remote();
        const [a, b, p] = await Promise.all(
          ['a', 'b', 'p'].map(async (key) => (await resolve(remote.outputOf(key))).value),
        );
        expect([
          a instanceof CustomResource,
          b instanceof ComponentResource,
          p instanceof ProviderResource,
        ]).toEqual([true, true, true]);
        new CustomResource(
          'test:index:Thing',
          'user',
          {},
          { provider: p as ProviderResource, dependsOn: [b as ComponentResource] },
        );
      },
      { behaviour: behaviour(map(types), states) },
    ).then(({ engine }) =>
      expect(engine.registration('user')).toMatchObject({
        provider: `${urnOf('pulumi:providers:test', 'p')}::p-1`,
        dependencies: [urnOf('test:index:Thing', 'b')],
      }),
    );
  });

  test('in lists and maps, and in what is secret; the same resource is the same object', async () => {
    const a = reference('a', 'a-1');
    const outputs = map({ list: [a, { deep: a }], hidden: new Secret(a) });
    await run(
      async () => {
        const remote = new Remote();
        const [first, { deep }] = (await resolve(remote.outputOf('list'))).value as [
          Resource,
          { deep: Resource },
        ];
        expect(first).toBe(deep);
        expect(await resolve(first.outputOf('inner'))).toMatchObject({ value: 'x', secret: true });
        const hidden = remote.outputOf<CustomResource>('hidden');
        expect(await resolve(hidden)).toMatchObject({ value: first, secret: true });
        expect(await resolve(hidden.id)).toMatchObject({ value: 'a-1', secret: true });
      },
      { behaviour: behaviour(outputs, { a: map({ inner: new Secret('x') }) }) },
    );
    expect.assertions(4);
  });

  test('in a preview: ids and outputs that are not known stay so, the resource can be used', async () => {
    const outputs = map({ a: reference('a', UNKNOWN) });
    const { engine } = await run(
      async () => {
        const a = new Remote().outputOf<CustomResource>('a');
        expect((await resolve(a)).value).toBeInstanceOf(CustomResource);
        expect((await resolve(a.id)).value).toBe(UNKNOWN);
        expect((await resolve(a.apply((it) => it.outputOf('later')))).value).toBe(UNKNOWN);
        new CustomResource('test:index:Thing', 'user', { of: a });
      },
      { behaviour: behaviour(outputs, { a: map({}) }), settings: { dryRun: true } },
    );
    expect(engine.registration('user').inputs['of']).toEqual(reference('a', UNKNOWN));
  });

  test('that the engine does not know: who reads an output of it is told', async () => {
    await run(
      async () => {
        const gone = (await resolve(new Remote().outputOf('gone'))).value as Resource;
        await expect(resolve(gone.outputOf('x'))).rejects.toThrow(
          'cannot get gone [test:index:Thing], to which an output refers: unknown resource gone',
        );
      },
      { behaviour: behaviour(map({ gone: reference('gone', 'g') }), {}) },
    );
    expect.assertions(1);
  });
});

test('a constructed component is told what an argument depends on, and a resource says so itself [VAL-4]', async () => {
  const { engine } = await run(async () => {
    const a = new CustomResource('test:index:Thing', 'a');
    const props = { bare: a, list: [a], output: a.outputOf('x') };
    new ComponentResource('test:index:Remote', 'remote', props, {}, true);
    new CustomResource('test:index:Thing', 'custom', { bare: a });
  });
  const urn = ['urn:pulumi:dev::shop::test:index:Thing::a'];
  expect(engine.registration('remote').propertyDependencies).toEqual({ bare: [], list: [], output: urn });
  expect(engine.registration('custom').propertyDependencies).toEqual({ bare: urn });
});
