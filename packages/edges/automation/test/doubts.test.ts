import { CustomResource } from '@cairn/sdk';
import { OperationError, openWorkspace } from '../src/index.js';
import type { DoubtAnswer, RefreshOptions } from '../src/index.js';
import { box } from './box.js';

const SLOW = 'urn:pulumi:dev::shop::cairn-local:index:Command::slow';

/** Creates a stack with a command in doubt that `up` did not wait for. */
async function stackInDoubt() {
  const workspace = await openWorkspace({
    ...box(),
    project: 'shop',
    program: () => {
      const ran = new CustomResource('cairn-local:index:Command', 'slow', { create: 'sleep 20; echo done' });
      return { said: ran.outputOf<string>('stdout') };
    },
  });
  const stack = await workspace.createStack('dev');
  const operation = stack.up();
  try {
    for await (const event of operation)
      if (event.type === 'step-started' && event.step.name === 'slow') operation.cancel('leave');
  } catch (error) {
    if (error instanceof OperationError) return { stack, error };
    throw error;
  }
  throw new Error('the operation was not ended');
}

test.each<[string, DoubtAnswer, string | undefined]>([
  ['it was done', { created: 'an-id', outputs: { stdout: 'told', stderr: '' } }, 'told'],
  ['it was not done', 'not-created', undefined],
])('a step that is not waited for is in doubt, and goes on as somebody says: %s', async (_, answer, said) => {
  const { stack, error } = await stackInDoubt();
  expect([error.code, error.result.status]).toEqual(['CAIRN-CANCELLED', 'cancelled']);
  expect(error.result.inDoubt).toMatchObject([{ urn: SLOW, step: 'create' }]);
  const resolved = await stack.resolve(SLOW, answer);
  expect([resolved.kind, resolved.status]).toEqual(['resolve', 'succeeded']);
  const { deployment } = await stack.exportState();
  expect(JSON.stringify(deployment).includes('an-id')).toBe(said !== undefined);
  if (said === undefined) return;
  const { outputs, changes } = await stack.resume();
  expect([outputs.said.value, changes.create]).toEqual([said, undefined]);
});

test.each<[RefreshOptions, string]>([
  [{ clearPendingCreates: true }, 'succeeded'],
  // The provider of commands cannot return outputs for an id, so Cairn refuses the answer.
  [{ importPendingCreates: { [SLOW]: 'an-id' } }, 'cannot record what was created'],
])('a refresh is told what became of creates without a known end: %j', async (options, said) => {
  const { stack } = await stackInDoubt();
  const pending = async () => JSON.stringify(await stack.exportState()).includes('"creating"');
  expect(await pending()).toBe(true);
  const refreshed = async (): Promise<string> => (await stack.refresh(options)).status;
  const ended = await refreshed().catch((error: Error) => error.message);
  expect(ended).toContain(said);
  expect(await pending()).toBe(said !== 'succeeded');
});
