import { StreamCaller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { LoaderClient } from '@cairn/wire/schemas-client';
import type { Provider } from '@cairn/wire';
import type { EngineEvent } from '../model/events.js';
import type { AnsweringPass } from '../ports.js';
import { createEngineEndpoint } from './engine-endpoint.js';

/** Makes a pass that records the messages it receives. */
function pass(name: string): AnsweringPass & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    emit: (event: EngineEvent) => {
      if (event.t === 'diagnostic') heard.push(event.diagnostic.summary);
    },
    providers: {
      load: async () =>
        ({ getSchema: async () => JSON.stringify({ name }), close: async () => {} }) as unknown as Provider,
    },
    status: { publishViewSteps: async () => {} },
  };
}

const message = (text: string) =>
  ({ severity: 'info', message: text, urn: '', streamId: 0, ephemeral: false }) as const;
const question = { package: 'test', version: '', downloadUrl: '', parameterization: undefined };

test('plugins have one address for all passes, and the pass that runs answers [PLUG-12]', async () => {
  const endpoint = createEngineEndpoint();
  const [preview, run] = [pass('preview'), pass('run')];
  const first = await endpoint.answer(preview);
  const caller = new StreamCaller(first.addresses.engine);
  const engine = new EngineClient(caller);
  const loader = new LoaderClient(caller);
  try {
    await engine.setRootResource('of the preview');
    await engine.log(message('one'));
    expect(JSON.parse(await loader.getSchema(question))).toEqual({ name: 'preview' });

    first.leave();
    await engine.log(message('two'));
    await expect(loader.getSchema(question)).rejects.toThrow(/between the preview and the run/);
    await expect(engine.getRootResource()).rejects.toMatchObject({ status: 'FAILED_PRECONDITION' });

    const second = await endpoint.answer(run);
    expect([second.addresses.engine, second.addresses.onPort().engine]).toEqual([
      first.addresses.engine,
      first.addresses.onPort().engine,
    ]);
    await engine.log(message('three'));
    expect(JSON.parse(await loader.getSchema(question))).toEqual({ name: 'run' });
    expect(await engine.getRootResource()).toBe('');
    expect([preview.heard, run.heard]).toEqual([['one'], ['two', 'three']]);
    // Ending a pass that is already over does not end any other pass.
    first.leave();
    await engine.log(message('four'));
    expect(run.heard).toEqual(['two', 'three', 'four']);
  } finally {
    caller.close();
    await endpoint.close();
  }
  await expect(
    new EngineClient(new StreamCaller(first.addresses.engine)).log(message('five')),
  ).rejects.toMatchObject({
    status: 'UNAVAILABLE',
  });
});
