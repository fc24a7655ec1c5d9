import { setTimeout as pause } from 'node:timers/promises';
import { emptyMap } from '@cairn/values';
import { deferredOutput } from '../output/deferred.js';
import { ComponentResource, CustomResource } from '../resource/resource.js';
import { FakeEngine, map } from '../testdata/fake-engine.js';
import { call, invoke } from '../invoke.js';
import { constructComponent } from './construct.js';

/** Components requested by a program elsewhere, with an engine that accepts no late arguments [REG-19]. */

const PATIENCE = 50;

class Inner extends ComponentResource {
  readonly child: CustomResource;
  constructor(name: string, args: object, parent: ComponentResource) {
    super('test:index:Inner', name, args, { parent });
    this.child = new CustomResource('test:index:Thing', `${name}-child`, {}, { parent: this });
    this.registerOutputs({});
  }
}

const settings = {
  ...{ project: 'shop', stack: 'dev', organization: 'organization', rootDirectory: process.cwd() },
  ...{ dryRun: false, parallel: 16, config: {}, configSecretKeys: [] },
};

function fakeEngine(): FakeEngine {
  const engine = new FakeEngine(settings, {});
  engine.monitor.supportsFeature = async () => false;
  return engine;
}

function construct(
  inside: (outer: ComponentResource) => void,
  signal = new AbortController().signal,
  stackTraceHandle?: string,
  engine = fakeEngine(),
) {
  const made = constructComponent(
    (name, args) =>
      new (class Outer extends ComponentResource {
        constructor() {
          super('test:index:Outer', name, args);
          inside(this);
          this.registerOutputs({ done: true });
        }
      })(),
    {
      ...{ settings, monitor: engine.monitor, engine: engine.engine, signal, patience: PATIENCE },
      ...{ type: 'test:index:Outer', name: 'outer', parent: undefined, stackTraceHandle },
      ...{ inputs: emptyMap, inputDependencies: {} },
      options: {
        ...{ aliases: [], dependencies: [], ignoreChanges: [], replaceOnChanges: [] },
        ...{ additionalSecretOutputs: [], replaceWith: [], providers: {}, protect: undefined },
        ...{ customTimeouts: undefined, deletedWith: '', retainOnDelete: undefined, hooks: undefined },
        ...{ deleteBeforeReplace: undefined, replacementTrigger: undefined },
      } as never,
    },
  );
  return { engine, made };
}

test('components inside that wait for one another are registered without what they wait for', async () => {
  const { engine, made } = construct((outer) => {
    const [back, say] = deferredOutput<string>();
    const first = new Inner('first', { back }, outer);
    const second = new Inner('second', { of: first.child.id }, outer);
    say(second.child.id);
  });
  expect(await made).toMatchObject({ outputs: map({ done: true }) });
  expect(engine.registration('first').inputs).toEqual({});
  expect(engine.registration('second').inputs).toEqual(map({ of: 'first-child-id' }));
});

test('while the engine works on something inside, they wait on', async () => {
  let answer: () => void = () => {};
  const slow = new Promise<void>((resolve) => (answer = resolve));
  const engine = fakeEngine();
  const register = engine.monitor.registerResource;
  engine.monitor.registerResource = async (request) => {
    if (request.name === 'slow') await slow;
    return register(request);
  };
  const inside = (outer: ComponentResource) => {
    const thing = new CustomResource('test:index:Thing', 'slow', {}, { parent: outer });
    new Inner('waits', { of: thing.id }, outer);
  };
  const { made } = construct(inside, undefined, undefined, engine);
  await pause(2 * PATIENCE);
  expect(engine.registrations.map(({ name }) => name)).toEqual(['outer']);
  answer();
  await made;
  expect(engine.registration('waits').inputs).toEqual(map({ of: 'slow-id' }));
});

test('a resource that waits for what nobody resolves is named when the wait is given up', async () => {
  const giveUp = new AbortController();
  const { made } = construct(
    (outer) =>
      void new CustomResource('test:index:Thing', 'stuck', { at: new Promise(() => {}) }, { parent: outer }),
    giveUp.signal,
  );
  setImmediate(() => giveUp.abort());
  await expect(made).rejects.toThrow(/still waits for stuck \[test:index:Thing\]/);
});

test.each(['handle-1', undefined])(
  'what a component asks for carries the handle %p of its caller',
  async (handle) => {
    const { engine, made } = construct(
      (outer) => {
        new CustomResource('test:index:Thing', 'thing', {}, { parent: outer });
        new CustomResource('test:index:Thing', 'found', {}, { parent: outer, id: 'found-id' });
        invoke('test:index:question', {}, { parent: outer });
        call('test:index:Outer/method', {}, outer);
      },
      undefined,
      handle,
    );
    await made;
    const { registrations, reads, invokes, calls } = engine;
    const asked = [...registrations, ...reads, ...invokes, ...calls];
    expect([registrations.length, reads.length, invokes.length, calls.length]).toEqual([2, 1, 1, 1]);
    expect(asked.map((request) => request.parentStackTraceHandle)).toEqual(asked.map(() => handle));
  },
);
