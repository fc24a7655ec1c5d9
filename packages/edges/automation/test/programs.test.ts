import { setTimeout as pause } from 'node:timers/promises';
import { ComponentResource, CustomResource, ResourceHook, getStack, log } from '@cairn/sdk';
import { OperationError, openWorkspace } from '../src/index.js';
import type { InlineProgram, InlineRun } from '../src/index.js';
import { box, eventsOf } from './box.js';

const pet = (name: string, options = {}) =>
  new CustomResource('cairn-random:index:Pet', name, { length: 1 }, options);

async function stackOf<R>(program: InlineProgram<R>) {
  const workspace = await openWorkspace({ ...box(), project: 'shop', program });
  return workspace.createStack('dev');
}

const never = (): Promise<never> => new Promise(() => undefined);

async function failureOf(operation: PromiseLike<unknown>): Promise<OperationError> {
  const error: unknown = await operation.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(OperationError);
  return error as OperationError;
}

test('a program that throws fails the operation with its message and its line, and what it declared stays', async () => {
  const stack = await stackOf(async () => {
    pet('first');
    await pause(1);
    throw new TypeError('no such region');
  });
  const { code, message, result } = await failureOf(stack.up());
  expect([code, result.status]).toEqual(['CAIRN-PROGRAM-FAILED', 'failed']);
  expect(message).toMatch(/no such region/);
  expect(message).toMatch(/programs\.test\.ts:\d+/);
});

test('a resource that fails is named with its step, and the loop over events ends with the error', async () => {
  const stack = await stackOf(() => {
    new CustomResource('cairn-random:index:Password', 'short', { length: -1 });
  });
  const operation = stack.up();
  const { error } = await eventsOf(operation);
  expect(error).toBeInstanceOf(OperationError);
  const { result, diagnostics } = await failureOf(operation);
  expect(result.status).toBe('failed');
  expect(diagnostics.map(({ urn }) => urn)).toContain(
    'urn:pulumi:dev::shop::cairn-random:index:Password::short',
  );
});

test('two programs at once, and one of them on two stacks: everything is told to its own operation', async () => {
  const said = async (project: string) => {
    const workspace = await openWorkspace({
      ...box(),
      project,
      program: async ({ stack }: InlineRun) => {
        await pause(5);
        expect(getStack()).toBe(stack);
        await log.info(`here is ${project}/${stack}`);
        const made = pet(`pet-of-${stack}`);
        await pause(5);
        if (stack === 'bad') throw new Error(`${project}/${stack} is broken`);
        return { who: made.urn };
      },
    });
    return async (name: string) => {
      const stack = await workspace.createStack(name);
      const { events, error } = await eventsOf(stack.up());
      const lines = events.flatMap((event) =>
        event.type === 'diagnostic' ? [event.diagnostic.summary] : [],
      );
      return { lines, error, urns: events.flatMap((event) => ('step' in event ? [event.step.urn] : [])) };
    };
  };
  const [shop, mill] = [await said('shop'), await said('mill')];
  const [one, two, bad, other] = await Promise.all([shop('one'), shop('two'), shop('bad'), mill('one')]);
  expect(one.lines).toEqual(['here is shop/one']);
  expect(two.lines).toEqual(['here is shop/two']);
  expect(other.lines).toEqual(['here is mill/one']);
  expect([one.error, two.error, other.error]).toEqual([undefined, undefined, undefined]);
  expect(String(bad.error)).toContain('shop/bad is broken');
  expect(bad.lines[0]).toBe('here is shop/bad');
  for (const [found, name] of [
    [one, 'one::shop'],
    [two, 'two::shop'],
    [other, 'one::mill'],
  ] as const)
    expect(found.urns.every((urn) => urn.startsWith(`urn:pulumi:${name}::`))).toBe(true);
});

test('a program that never ends is cancelled: its signal is aborted, and what it declares later is refused', async () => {
  let late: unknown;
  let heard = false;
  const stack = await stackOf(async ({ signal }) => {
    pet('first');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    heard = true;
    try {
      pet('late');
    } catch (error) {
      late = error;
    }
    await new Promise(() => undefined);
  });
  const abort = new AbortController();
  const operation = stack.up({ signal: abort.signal });
  for await (const event of operation) if (event.type === 'step-ended' && event.step.name === 'first') break;
  abort.abort();
  const { code, result } = await failureOf(operation);
  expect([code, result.status, result.changes]).toEqual(['CAIRN-CANCELLED', 'cancelled', { create: 2 }]);
  await pause(1);
  expect(heard).toBe(true);
  expect(String(late)).toContain('cannot declare late [cairn-random:index:Pet]: its operation was ended');
});

test.each([
  [
    'an input that never comes',
    () => void pet('stuck', { parent: pet('p'), dependsOn: never() }),
    'stuck [cairn-random:index:Pet]',
  ],
  ['a promise of its own', () => never(), 'the program has not returned'],
])('with a timeout a program that waits for %s fails with what it waits for', async (_, program, said) => {
  const workspace = await openWorkspace({ ...box(), project: 'shop', program, timeout: 300 });
  const stack = await workspace.createStack('dev');
  const { code, message, result } = await failureOf(stack.up());
  expect([code, result.status]).toEqual(['CAIRN-PROGRAM-FAILED', 'failed']);
  expect(message).toContain('for 0.3 s nothing was running');
  expect(message).toContain(said);
});

test('a timeout does not end a program whose steps take longer than it, nor one that works', async () => {
  const program = async () => {
    const slow = new CustomResource('cairn-local:index:Command', 'slow', { create: 'sleep 1; echo done' });
    await pause(10);
    return { said: slow.outputOf<string>('stdout') };
  };
  const workspace = await openWorkspace({ ...box(), project: 'shop', program, timeout: 400 });
  const stack = await workspace.createStack('dev');
  expect((await stack.up()).outputs.said.value).toContain('done');
});

test.each([0, -1, Number.NaN])('a timeout of %d is refused', async (timeout) => {
  const opened = openWorkspace({ ...box(), project: 'shop', program: () => undefined, timeout });
  await expect(opened).rejects.toMatchObject({ code: 'CAIRN-USAGE' });
});

test('stack.cancel ends what runs on the stack; without anything that runs it says so', async () => {
  const stack = await stackOf(
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  );
  expect(await stack.cancel()).toBe(false);
  const operation = stack.up();
  for await (const event of operation) if (event.type === 'step-ended') break;
  expect(await stack.cancel()).toBe(true);
  expect((await failureOf(operation)).code).toBe('CAIRN-CANCELLED');
});

test('an operation that is disposed of is cancelled and waited for', async () => {
  const stack = await stackOf(() => new Promise(() => undefined));
  const operation = stack.preview();
  await operation[Symbol.asyncDispose]();
  expect((await failureOf(operation)).result.status).toBe('cancelled');
});

test('components, their outputs and hooks that the engine calls work as in a process of their own', async () => {
  const called: string[] = [];
  class Home extends ComponentResource {
    constructor(name: string) {
      super('shop:index:Home', name);
      const hook = new ResourceHook('seen', ({ name: of }) => void called.push(of));
      pet(`${name}-pet`, { parent: this, hooks: { afterCreate: [hook] } });
      this.registerOutputs({ size: 1 });
    }
  }
  const stack = await stackOf(() => ({ home: new Home('home').urn }));
  const { outputs, changes } = await stack.up();
  expect([called, changes]).toEqual([['home-pet'], { create: 3 }]);
  expect(outputs.home.value).toBe('urn:pulumi:dev::shop::shop:index:Home::home');
});
