import { sampleProvider } from '@cairn/testkit/sample';
import { RefusedInputs, testProvider } from './index.js';

const BOX = 'index:Box';
const given = { label: 'a', login: 'hunter2' };

test('handlers are called with what an engine gives them, in plain values', async () => {
  const world = { boxes: new Map() };
  const provider = await testProvider(sampleProvider(world), { config: { region: 'north' } });
  expect(await provider.preview(BOX, 'b', given)).toEqual({
    label: 'a',
    login: 'hunter2',
    size: 1,
    kind: 'open',
  });
  const box = await provider.create(BOX, 'b', given);
  expect(box).toMatchObject({
    id: 'box-1',
    inputs: { label: 'a', size: 1 },
    outputs: { greeting: 'hello a' },
  });
  const wider = { ...given, size: 3 };
  expect(await provider.diff(box, wider)).toMatchObject({
    changes: 'some',
    changedKeys: ['size'],
    replaceKeys: [],
  });
  const changed = await provider.update(box, wider);
  expect(world.boxes.get('box-1')).toEqual({ label: 'a', size: 3 });
  world.boxes.set('box-1', { label: 'a', size: 9 });
  expect((await provider.read(changed))?.inputs).toMatchObject({ size: 9, login: 'hunter2' });
  expect((await provider.import(BOX, 'b', 'box-1'))?.inputs).toEqual({ label: 'a', size: 9, kind: 'open' });
  expect(await provider.invoke('index:lookup', { id: 'box-1' })).toEqual({
    label: 'a',
    region: 'north',
    login: 'l',
  });
  await provider.delete(changed);
  expect(await provider.read(changed)).toBeUndefined();
  await provider.close();
});

test('what is refused is told by property', async () => {
  const definition = sampleProvider({ boxes: new Map() });
  await expect(testProvider(definition)).rejects.toThrow('region: is required');
  const provider = await testProvider(definition, { config: { region: 'north' } });
  await expect(provider.create(BOX, 'b', { label: '', size: 0 })).rejects.toThrow(RefusedInputs);
  await expect(provider.create(BOX, 'b', { label: 'none' })).rejects.toThrow('nothing was done');
  await expect(provider.invoke('index:lookup', {})).rejects.toThrow('id: is required');
});
