import { Asset, OutputValue, ResourceReference, propertyMap, secret } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { CallbackOptions, TransformResponse } from '@cairn/wire';
import { CallbackConnections } from '@cairn/wire/callbacks-client';
import {
  ComponentResource,
  CustomResource,
  invoke,
  isOutput,
  output,
  registerInvokeTransform,
  registerResourceTransform,
} from '../index.js';
import type { Output, ResourceTransform } from '../index.js';
import { run } from '../testdata/fake-engine.js';
import type { FakeEngine } from '../testdata/fake-engine.js';

const TYPE = 'test:index:Thing';
const urn = (name: string) => `urn:pulumi:dev::shop::${TYPE}::${name}` as never;

const options: CallbackOptions = {
  dependsOn: [],
  protect: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  version: '',
  aliases: [],
  provider: '',
  providers: {},
  customTimeouts: undefined,
  pluginDownloadUrl: '',
  pluginChecksums: {},
  retainOnDelete: undefined,
  deletedWith: '',
  replaceWith: [],
  replacementTrigger: undefined,
  deleteBeforeReplace: undefined,
  additionalSecretOutputs: [],
  hideDiffs: [],
  importId: '',
  hooks: undefined,
};

/** Runs a program. When it waits for the end, `use` calls its transforms as the engine does. */
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

/** Returns the result of a transform of properties, all the way through the engine's side of the connection. */
async function through(transform: ResourceTransform, properties: PropertyMap): Promise<TransformResponse> {
  let response: TransformResponse | undefined;
  const { code } = await calling(
    () => void new CustomResource(TYPE, 'a', {}, { transforms: [transform] }),
    async (engine, connections) => {
      const [callback] = engine.registration('a').transforms;
      const request = { type: TYPE, name: 'a', custom: true, parent: 'p', properties, options };
      response = await connections.transform(callback!, request);
    },
  );
  expect(code).toBe(0);
  return response!;
}

const marked = propertyMap({
  plain: { list: [1, null, 'x'] } as never,
  hidden: new OutputValue('s', true, [urn('b')]),
  open: new OutputValue(undefined, false, [urn('b')]),
  reference: new ResourceReference({ urn: urn('b'), id: 'i' }),
  asset: new Asset({ text: 'hello' }),
});

test('what a transform hands on untouched is exactly what came', async () => {
  const { properties, options: answered } = await through(({ props, opts, type, name, custom, parent }) => {
    expect([type, name, custom, parent]).toEqual([TYPE, 'a', true, 'p']);
    expect(
      Object.entries(props)
        .filter(([, value]) => isOutput(value))
        .map(([key]) => key),
    ).toEqual(['hidden', 'open', 'reference']);
    return { props: { ...props }, opts: { ...opts, protect: true } };
  }, marked);
  expect(properties).toMatchObject({
    plain: { list: [1, null, 'x'] },
    hidden: marked['hidden'],
    open: marked['open'],
    reference: { urn: urn('b'), id: 'i' },
    asset: { text: 'hello' },
  });
  expect(answered).toEqual({ ...options, protect: true });
});

test('what it makes of an output keeps its secret and its dependencies; undefined drops a property', async () => {
  const { properties, options: answered } = await through(
    ({ props }) => ({
      props: {
        made: (props['hidden'] as Output<string>).apply((text) => `${text}!`),
        fresh: output(1),
        plain: undefined,
      },
    }),
    marked,
  );
  expect(properties).toEqual(
    propertyMap({ made: new OutputValue('s!', true, [urn('b')]), fresh: new OutputValue(1, false, []) }),
  );
  expect(answered).toBeUndefined();
});

test('a transform that answers nothing leaves everything; one that throws says so', async () => {
  expect(await through(() => undefined, marked)).toEqual({ properties: undefined, options: undefined });
  await expect(
    through(() => {
      throw new Error('no way');
    }, marked),
  ).rejects.toThrow('no way');
});

test('the engine knows a transform before anything that is declared after it; a function is served once', async () => {
  const seen: string[] = [];
  const transform: ResourceTransform = ({ name }) => void seen.push(name);
  const { engine, code } = await calling(
    () => {
      registerResourceTransform(transform);
      const group = new ComponentResource('test:index:Group', 'group', {}, { transforms: [transform] });
      new CustomResource(TYPE, 'a', {}, { parent: group, transforms: [transform, () => undefined] });
      registerInvokeTransform(({ args }) => ({ args: { ...args, more: true } }));
      return { answer: invoke('test:index:ask', { question: 1 }) };
    },
    async ({ invokeTransforms, registration }, connections) => {
      expect(typeof registration).toBe('function');
      const request = { token: 't', args: propertyMap({ question: secret(1) }), options: options as never };
      const answer = await connections.transformInvoke(invokeTransforms[0]!, request);
      expect(answer.args).toMatchObject({ more: true });
    },
  );
  expect(code).toBe(0);
  // Only the stack itself was registered before.
  expect(engine.transforms.map(({ registered }) => registered <= 1)).toEqual([true]);
  const [group, a] = ['group', 'a'].map((name) => engine.registration(name).transforms);
  expect(group).toEqual([engine.transforms[0]?.callback]);
  expect(a).toEqual([engine.transforms[0]?.callback, expect.anything()]);
  expect(engine.invokes).toHaveLength(1);
});
