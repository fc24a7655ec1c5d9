import { CustomResource } from '@cairn/sdk';
import { ConflictError, OperationError, StackLockedError, openWorkspace } from '../src/index.js';
import type { InlineProgram } from '../src/index.js';
import { box, eventsOf } from './box.js';

const pet = (name: string, options = {}, length = 1) =>
  new CustomResource('cairn-random:index:Pet', name, { length }, options);
const urn = (name: string): string => `urn:pulumi:dev::shop::cairn-random:index:Pet::${name}`;

/** Creates the workspace of a program, and a second one on the same stacks, as another part of a service would. */
async function two<R>(program: InlineProgram<R>) {
  const place = box();
  const mine = await openWorkspace({ ...place, project: 'shop', program });
  const others = await openWorkspace({ ...place, project: 'shop', program: () => void pet('b') });
  return { stack: await mine.createStack('dev'), other: await others.selectStack('dev') };
}

const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );

test('what waits for approval ends as waiting, with the task; after approve, resume does what is left', async () => {
  const workspace = await openWorkspace({
    ...box(),
    project: 'shop',
    program: () => {
      pet('free');
      pet('gated', { gate: 'the data team agrees' });
    },
  });
  const stack = await workspace.createStack('dev');
  const error = await failureOf(stack.up());
  expect(error).toBeInstanceOf(OperationError);
  const { code, result } = error as OperationError;
  expect([code, result.status]).toEqual(['CAIRN-WAITING', 'waiting']);
  expect(result.waiting).toEqual([
    { task: expect.stringMatching(/^\d+$/), urn: urn('gated'), kind: 'gate', why: expect.any(String) },
  ]);
  expect(result.waiting[0]?.why).toContain('the data team agrees');
  const { change, waiting } = result;
  await expect(stack.approve(change ?? 0, '99999')).rejects.toMatchObject({ code: expect.any(String) });
  await stack.approve(change ?? 0, waiting[0]?.task ?? '');
  const resumed = await stack.resume();
  expect([resumed.status, resumed.changes.create]).toEqual(['succeeded', 1]);
  const { deployment } = await stack.exportState();
  expect(JSON.stringify(deployment)).toContain(urn('gated'));
});

test('beside an operation on some resources one on others runs; who wants the same gets a ConflictError', async () => {
  const blocker = withResolvers();
  let length = 1;
  const { stack, other } = await two(async () => {
    pet('a', {}, length);
    pet('b');
    if (length === 2) await blocker.promise;
  });
  await stack.up();
  length = 2;
  const slow = stack.up({ targets: [urn('a')] });
  for await (const event of slow) if (event.type === 'step-ended' && event.step.name === 'a') break;
  expect((await other.up({ targets: [urn('b')] })).status).toBe('succeeded');
  const conflict = await failureOf(other.up({ targets: [urn('a')] }));
  expect(conflict).toBeInstanceOf(ConflictError);
  expect(conflict).toMatchObject({ code: 'CAIRN-CHANGE-CONFLICT' });
  expect(String(conflict)).toContain(urn('a'));
  blocker.resolve(undefined);
  expect((await slow).status).toBe('succeeded');
});

test('unlock lets others in; who held the lock is cut off and can change nothing any more', async () => {
  const blocker = withResolvers();
  const { stack, other } = await two(async () => {
    pet('a');
    await blocker.promise;
    pet('late');
  });
  const slow = stack.up();
  for await (const event of slow) if (event.type === 'step-ended' && event.step.name === 'a') break;
  expect(await failureOf(other.up())).toBeInstanceOf(StackLockedError);
  await other.unlock();
  const next = await eventsOf(other.up());
  expect(next.error).toBeUndefined();
  blocker.resolve(undefined);
  expect(await failureOf(slow)).toBeInstanceOf(Error);
  expect(JSON.stringify((await other.exportState()).deployment)).not.toContain(urn('late'));
});

function withResolvers() {
  let resolve: (value?: unknown) => void = () => undefined;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}
