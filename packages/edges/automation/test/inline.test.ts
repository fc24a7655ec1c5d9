import { inspect } from 'node:util';
import { Config, CustomResource, log, secret } from '@cairn/sdk';
import { openWorkspace } from '../src/index.js';
import type { Operation, OperationEvent } from '../src/index.js';
import { box, eventsOf } from './box.js';

const pet = (name: string, length: number) => new CustomResource('cairn-random:index:Pet', name, { length });

test('up, a change, its preview, refresh and destroy of a program that is a function', async () => {
  let length = 1;
  const workspace = await openWorkspace({
    ...box(),
    project: 'shop',
    program: () => ({ pet: pet('pet', length).outputOf<string>('result') }),
  });
  const stack = await workspace.createStack('dev');

  const up = stack.up({ message: 'the first' });
  const { events, error } = await eventsOf(up);
  const { outputs, changes, change } = await up;
  expect(error).toBeUndefined();
  expect([changes, change]).toEqual([{ create: 2 }, 1]);
  expect(events.map((event) => ('step' in event ? `${event.type} ${event.step.name}` : event.type))).toEqual([
    'begin',
    'step-started shop-dev',
    'step-ended shop-dev',
    'step-started pet',
    'step-ended pet',
    'outputs shop-dev',
    'end',
  ]);
  const name: string = outputs.pet.value;
  expect(name).toMatch(/^\w+$/);
  expect((await stack.outputs()).pet.value).toBe(name);

  length = 2;
  const shown = await stack.preview();
  expect([shown.changes.replace, shown.outputs.pet.value]).toEqual([1, undefined]);
  expect((await stack.outputs()).pet.value).toBe(name);
  expect((await stack.up()).outputs.pet.value).toMatch(/^\w+-\w+$/);
  expect((await stack.refresh()).changes).toEqual({ refresh: 2 });
  expect((await stack.preview({ of: 'destroy' })).changes).toEqual({ delete: 2 });
  expect((await stack.destroy({ remove: true })).changes).toEqual({ delete: 2 });
  expect(await workspace.listStacks()).toEqual([]);
  await workspace.close();
});

test('secrets are in no event, result or error, and an output shows one only when it is asked for', async () => {
  const planted = 'planted-3f9a1c';
  const workspace = await openWorkspace({
    ...box(),
    project: 'shop',
    program: async () => {
      const given = new Config().requireSecret('token');
      new CustomResource('cairn-random:index:Pet', 'pet', { length: 1, prefix: given });
      await log.info(`the token is ${planted}`);
      return { token: given, plain: 1, own: secret({ deep: 'own-secret-77' }) };
    },
  });
  const stack = await workspace.createStack('dev');
  await stack.config.set('token', { secret: planted });
  const told: unknown[] = [];
  const hear = async (operation: Operation<unknown>) => {
    const { events } = await eventsOf(operation);
    expect(events.some((event) => event.type === 'step-ended')).toBe(true);
    told.push(events, await operation);
  };
  await hear(stack.preview());
  const up = stack.up();
  await hear(up);
  const { outputs } = await up;
  expect([outputs.token.value, outputs.token.secret]).toEqual([planted, true]);
  expect([outputs.own.value, outputs.own.secret]).toEqual([{ deep: 'own-secret-77' }, true]);
  expect([outputs.plain.value, outputs.plain.secret]).toEqual([1, false]);
  told.push(await stack.outputs());
  await hear(stack.refresh());
  await hear(stack.destroy());
  for (const text of [JSON.stringify(told), inspect(told, { depth: Infinity })]) {
    expect(text).toContain('the token is [secret]');
    expect(text).not.toContain(planted);
    expect(text).not.toContain('own-secret-77');
  }
  await workspace.close();
});

/** The switch has no default: a kind of event that is missing here does not compile. */
function subjectOf(event: OperationEvent): string {
  switch (event.type) {
    case 'step-started':
    case 'step-ended':
    case 'step-failed':
    case 'outputs':
      return event.step.name;
    case 'policy-violation':
    case 'policy-remediation':
      return event.policy;
    case 'diagnostic':
      return event.diagnostic.summary;
    case 'program-output':
    case 'waiting':
      return event.text;
    case 'begin':
    case 'end':
      return event.operation;
  }
}

test('the kinds of events are a closed union: a switch over them is complete', async () => {
  const program = () => void pet('pet', 1);
  const workspace = await openWorkspace({ ...box(), project: 'shop', program });
  const { events } = await eventsOf((await workspace.createStack('dev')).up());
  expect(events.map(subjectOf)).toEqual(['up', 'shop-dev', 'shop-dev', 'pet', 'pet', 'shop-dev', 'up']);
});
