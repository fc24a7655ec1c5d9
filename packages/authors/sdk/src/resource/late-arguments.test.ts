import { Secret, UNKNOWN } from '@cairn/values';
import { deferredOutput } from '../output/deferred.js';
import { output, secret } from '../output/combine.js';
import { sourceOf } from '../output/brand.js';
import type { Output, OutputHandle } from '../output/brand.js';
import { map, run } from '../testdata/fake-engine.js';
import type { FakeEngine } from '../testdata/fake-engine.js';
import { ComponentResource, CustomResource } from './resource.js';

/** Arguments of local components that are pending at the declaration [REG-19]. */

class Local extends ComponentResource {
  readonly child: CustomResource;
  constructor(name: string, args: object, child: object = {}) {
    super('test:index:Local', name, args);
    this.child = new CustomResource('test:index:Thing', `${name}-child`, child, { parent: this });
    this.registerOutputs({ id: this.child.id });
  }
}

const thing = (name: string) => new CustomResource('test:index:Thing', name);
const outputsOf = (engine: FakeEngine, name: string) =>
  engine.outputs.find(({ urn }) => urn.endsWith(`::${name}`));
const value = (of: Output<string>) => sourceOf(of as OutputHandle<string>);

/** An engine that does not accept inputs later. */
const simple = {
  onEngine: (engine: FakeEngine) => {
    engine.monitor.supportsFeature = async () => false;
  },
};

test('neither the component nor its children wait for them: they go with the outputs', async () => {
  let told: (text: string) => void = () => {};
  const later = new Promise<string>((resolve) => (told = resolve));
  const { engine, code } = await run(async () => {
    const args = { text: 'a', list: [1, { deep: true }], hidden: secret('s'), json: output('{}') };
    const { child } = new Local('local', {
      ...args,
      size: thing('thing').id,
      later,
      deep: { later },
      sealed: secret(later),
      none: later.then(() => undefined),
      failed: later.then(() => Promise.reject(new Error('not used by anybody'))),
      now: new Date(),
      then: later.then(() => new Date()),
      call: () => 1,
    });
    expect(await value(child.id)).toMatchObject({ value: 'local-child-id' });
    told('late');
  });
  expect(code).toBe(0);
  expect(engine.registration('local')).toMatchObject({
    inputs: map({ text: 'a', list: [1, { deep: true }], hidden: new Secret('s'), json: '{}' }),
    lateInputs: ['size', 'later', 'deep', 'sealed', 'none', 'failed', 'then'],
    dependencies: [],
  });
  expect(outputsOf(engine, 'local')).toMatchObject({
    outputs: map({ id: 'local-child-id' }),
    lateInputs: map({
      size: 'thing-id',
      later: 'late',
      deep: { later: 'late' },
      sealed: new Secret('late'),
      failed: UNKNOWN,
    }),
  });
});

test('a component without any says nothing of them, and the engine is not asked', async () => {
  const asked: string[] = [];
  const { engine } = await run(() => void new Local('local', { text: 'a' }), {
    onEngine: ({ monitor }) => {
      monitor.supportsFeature = async (id) => asked.push(id) > 0;
    },
  });
  expect(engine.registration('local').lateInputs).toEqual([]);
  expect(outputsOf(engine, 'local')).not.toHaveProperty('lateInputs');
  expect(asked).toEqual([]);
});

test('one that nobody resolves is an error that names the component', async () => {
  const { engine, code } = await run(() => void new Local('local', { at: new Promise(() => {}) }));
  expect(code).toBe(32);
  expect(engine.logs.map(({ message }) => message)).toEqual([
    expect.stringMatching(/something that is never resolved: outputs of local \[test:index:Local\]/),
  ]);
});

test('an engine that takes none later gets them with the registration, and what they depend on', async () => {
  const { engine, code } = await run(async () => {
    const size = thing('thing').id;
    new Local('local', { text: 'a', size, failed: Promise.reject(new Error('not used by anybody')) });
    new Local('other', { size });
  }, simple);
  expect(code).toBe(0);
  expect(engine.registration('local')).toMatchObject({
    inputs: map({ text: 'a', size: 'thing-id' }),
    lateInputs: [],
    dependencies: [expect.stringContaining('::thing')],
    propertyDependencies: { text: [], size: [expect.stringContaining('::thing')] },
  });
  expect(outputsOf(engine, 'local')).not.toHaveProperty('lateInputs');
  const names = engine.registrations.map(({ name }) => name);
  expect(names.indexOf('local')).toBeGreaterThan(names.indexOf('thing'));
});

test.each([
  ['the first goes on without', (_id: unknown) => ({}), { of: 'first-child-id' }],
  ['both do where their children wait too', (back: unknown) => ({ back }), {}],
])('of components that wait for one another with such an engine, %s', async (_title, child, inputs) => {
  const { engine, code } = await run(() => {
    const [back, say] = deferredOutput<string>();
    const first = new Local('first', { back }, child(back));
    const second = new Local('second', { of: first.child.id });
    say(second.child.id);
  }, simple);
  expect(code).toBe(0);
  expect(engine.registration('first').inputs).toEqual({});
  expect(engine.registration('second').inputs).toEqual(map(inputs));
  expect(engine.registration('first-child').inputs).toEqual(map(child('second-child-id') as never));
});
