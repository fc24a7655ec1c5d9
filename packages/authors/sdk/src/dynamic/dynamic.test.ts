import { CustomResource, dynamicProvider, dynamicResource, isOutput, output, secret } from '../index.js';
import type { Output } from '../index.js';
import { testProgram } from '../testing/index.js';

const boxes = dynamicProvider({
  config: ['shelf', 'other:token'],
  create: async (inputs: { size: number; label?: string }) => ({
    id: `box-${inputs.size}`,
    outputs: { ...inputs, serial: 7, then: 'no promise' },
  }),
});
class Box extends dynamicResource('Box', boxes) {}

test('inputs may be outputs, and outputs have the types of what create answers', async () => {
  const tested = await testProgram(
    () => {
      const box = new Box('one', { size: output(3), label: secret('x') }, { protect: true });
      const serial: Output<number> = box.serial;
      // @ts-expect-error create answers with no such output
      const missing: unknown = box.colour;
      expect([isOutput(missing), box instanceof CustomResource, 'then' in box]).toEqual([true, true, false]);
      return {
        serial,
        id: box.id,
        size: box.size.apply((size) => size + 1),
        awaited: Promise.resolve(box.serial),
      };
    },
    { mocks: { resource: ({ inputs }) => ({ outputs: { ...inputs, serial: 7 } }) } },
  );
  expect(tested.outputs).toMatchObject({ serial: 7, size: 4 });
  expect(tested.resource('cairn-dynamic:index:Box', 'one')).toMatchObject({
    inputs: { size: 3, label: 'x' },
    secretInputs: ['label'],
    options: { protect: true },
  });
  // @ts-expect-error an input of another type
  expect(() => new Box('two', { size: 'three' })).toThrow('so Cairn must run it');
});

test('one provider instance stands for all resources of a type, with the settings it asks for', async () => {
  const tested = await testProgram(
    () => {
      new Box('one', { size: 1 });
      new Box('two', { size: 2 });
    },
    { config: { shelf: 'upper', 'other:token': 'hush', unasked: 'x' }, secretConfig: ['other:token'] },
  );
  const instances = tested.resources.filter(({ type }) => type === 'pulumi:providers:cairn-dynamic');
  expect(
    instances.map(({ name, inputs, secretInputs }) => ({ name, config: inputs['config'], secretInputs })),
  ).toEqual([
    {
      name: 'Box',
      config: { shelf: 'upper', 'other:token': 'hush' },
      secretInputs: ['config["other:token"]'],
    },
  ]);
  expect(tested.resource('two').options).toMatchObject({
    provider: expect.stringContaining('::Box::') as string,
  });
});
