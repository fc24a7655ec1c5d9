import { asUrn } from '@cairn/addresses';
import { Secret, propertyMap } from '@cairn/values';
import { TRANSPORTS, withLoopback } from '../../test/loopback.js';
import type { ViewOp, ViewStep } from '../contracts/resource-status.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/resource_status.js';
import { serviceClient } from '../rpc/caller.js';
import { ResourceStatusClient, ViewPublishers } from './client.js';
import { decodeView, encodeView } from './messages.js';
import { resourceStatusService } from './server.js';

const OPS: readonly ViewOp[] = [
  'same',
  'create',
  'update',
  'delete',
  'replace',
  'create-replacement',
  'delete-replaced',
  'read',
  'read-replacement',
  'refresh',
  'read-discard',
  'discard-replaced',
  'remove-pending-replace',
  'import',
  'import-replacement',
];
const view = {
  type: 't:m:View',
  name: 'v',
  parentType: 't:m:Other',
  parentName: 'o',
  inputs: propertyMap({ s: new Secret('x') }),
  outputs: propertyMap({ u: asUrn('urn:pulumi:s::p::t::n') }),
};
const steps: readonly ViewStep[] = OPS.map((op, index) => ({
  op,
  status: (['ok', 'partial-failure', 'unknown'] as const)[index % 3] as ViewStep['status'],
  error: index % 2 === 0 ? '' : 'went wrong',
  type: 't:m:View',
  name: 'v',
  old: index % 2 === 0 ? undefined : view,
  new: index % 3 === 0 ? undefined : view,
  keys: ['a'],
  diffs: ['a', 'b'],
  detailedDiff: index % 2 === 0 ? undefined : { 'a.b': { kind: 'update-replace', inputDiff: true } },
}));

test.each(TRANSPORTS)('steps of views arrive as they were sent, %s', async (transport) => {
  const seen: unknown[] = [];
  const service = resourceStatusService({
    publishViewSteps: async (token, published) => {
      if (token !== 'good') throw new StatusError('NOT_FOUND', 'no such step');
      seen.push(...published);
    },
  });
  await withLoopback([service], transport, async (caller) => {
    const client = new ResourceStatusClient(caller);
    await client.publishViewSteps('good', steps);
    expect(seen).toEqual(steps);
    await expect(client.publishViewSteps('bad', [])).rejects.toMatchObject({ status: 'NOT_FOUND' });
  });
});

test('an operation or a status that nobody knows is refused', async () => {
  const service = resourceStatusService({ publishViewSteps: async () => {} });
  await withLoopback([service], 'unary', async (caller) => {
    const raw = serviceClient(pb.ResourceStatusDefinition, caller);
    const step = pb.ViewStep.fromPartial({ name: 'v', op: pb.ViewStep_Op.CREATE });
    await raw.publishViewSteps({ token: '', steps: [step] });
    for (const wrong of [
      { ...step, op: 0 as const },
      { ...step, status: 9 as never },
    ]) {
      await expect(raw.publishViewSteps({ token: '', steps: [wrong] })).rejects.toMatchObject({
        status: 'INVALID_ARGUMENT',
      });
    }
  });
});

test('a request without an address has nowhere to publish', async () => {
  const publishers = new ViewPublishers();
  expect(publishers.at('', 'token')).toBeUndefined();
  expect(publishers.at('127.0.0.1:1', 'token')).toMatchObject({ address: '127.0.0.1:1', token: 'token' });
  expect(decodeView(encodeView(view))).toEqual(view);
});
