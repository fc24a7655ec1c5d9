import { Secret, UNKNOWN } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ErrorHookRequest, ResourceHookRequest } from '@cairn/wire';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import { CustomResource, ErrorHook, ResourceHook } from '../index.js';
import type { ErrorHookArgs, ResourceHookArgs } from '../index.js';
import { map, run } from '../testdata/fake-engine.js';
import type { FakeEngine } from '../testdata/fake-engine.js';

const TYPE = 'test:index:Thing';

const request = (newInputs: PropertyMap): ResourceHookRequest => ({
  urn: 'urn:pulumi:dev::shop::test:index:Thing::a',
  id: 'i',
  name: 'a',
  type: TYPE,
  newInputs,
  oldInputs: undefined,
  newOutputs: undefined,
  oldOutputs: undefined,
  oldOptions: undefined,
  newOptions: undefined,
});
const errorRequest: ErrorHookRequest = {
  ...request(map({ v: 1 })),
  failedOperation: 'create',
  errors: ['second', 'first'],
};

/** Runs a program. When it waits for the end, `use` calls its hooks as the engine does. */
async function calling(
  program: () => unknown,
  use: (engine: FakeEngine, connections: CallbackConnections) => Promise<void>,
) {
  const connections = new CallbackConnections();
  const box: { engine?: FakeEngine } = {};
  try {
    return await run(program, {
      behaviour: { end: () => use(box.engine as FakeEngine, connections) },
      onEngine: (engine) => (box.engine = engine),
    });
  } finally {
    connections.close();
  }
}

test('a hook is registered before the resource that names it, and called with plain values', async () => {
  const seen: ResourceHookArgs[] = [];
  let answers: unknown;
  const { engine, code } = await calling(
    () => {
      const hook = new ResourceHook('mine', (args) => void seen.push(args), { onDryRun: true });
      new CustomResource(TYPE, 'a', {}, { hooks: { beforeCreate: [hook], afterDelete: [hook] } });
    },
    async ({ hooks }, connections) => {
      const inputs = map({ plain: ['x'], hidden: new Secret('s'), open: UNKNOWN });
      answers = await connections.resourceHook(hooks[0]!.callback, request(inputs));
    },
  );
  expect(code).toBe(0);
  expect(engine.hooks).toMatchObject([{ name: 'mine', onDryRun: true, ignoreErrors: false }]);
  expect(engine.registration('a').hooks).toMatchObject({
    beforeCreate: ['mine'],
    afterCreate: [],
    afterDelete: ['mine'],
    onError: [],
  });
  expect(answers).toEqual({ error: '' });
  expect(seen).toEqual([
    expect.objectContaining({ id: 'i', name: 'a', type: TYPE, newInputs: { plain: ['x'], hidden: 's' } }),
  ]);
});

test('functions get a name of their own; what they throw is their answer', async () => {
  let answer: unknown;
  const { engine } = await calling(
    () => {
      const oh = () => Promise.reject(new Error('Oh no'));
      new CustomResource(TYPE, 'a', {}, { hooks: { afterCreate: [oh, () => {}] } });
    },
    async ({ hooks }, connections) => {
      answer = await connections.resourceHook(hooks[0]!.callback, request(map({})));
    },
  );
  const names = [`${TYPE}_a_afterCreate_0`, `${TYPE}_a_afterCreate_1`];
  expect(engine.hooks.map(({ name }) => name)).toEqual(names);
  expect(engine.registration('a').hooks?.afterCreate).toEqual(names);
  expect(answer).toEqual({ error: 'Oh no' });
});

test('an error hook says whether to try again', async () => {
  const seen: ErrorHookArgs[] = [];
  let answer: unknown;
  const { engine } = await calling(
    () => {
      const retry = new ErrorHook('retry', (args) => {
        seen.push(args);
        return args.errors.length < 3;
      });
      new CustomResource(TYPE, 'a', {}, { hooks: { onError: [retry] } });
    },
    async ({ errorHooks }, connections) => {
      answer = await connections.errorHook(errorHooks[0]!.callback, errorRequest);
    },
  );
  expect(engine.registration('a').hooks?.onError).toEqual(['retry']);
  expect(answer).toEqual({ error: '', retry: true });
  expect(seen).toEqual([
    expect.objectContaining({ failedOperation: 'create', errors: ['second', 'first'], newInputs: { v: 1 } }),
  ]);
});

test.each([
  [
    'a function around a delete',
    { beforeDelete: [() => {}] },
    'hooks.beforeDelete takes instances of ResourceHook only',
  ],
  [
    'a function as an error hook',
    { onError: [() => true] },
    'hooks.onError takes instances of ErrorHook only',
  ],
])('%s is refused: a later run could not find it', async (_, hooks, message) => {
  const { engine, code } = await run(() => {
    new CustomResource(TYPE, 'a', {}, { hooks: hooks as never });
  });
  expect(code).toBe(32);
  expect(engine.logs.map((log) => log.message).join()).toContain(message);
  expect(engine.registrations.map(({ name }) => name)).toEqual(['shop-dev']);
});
