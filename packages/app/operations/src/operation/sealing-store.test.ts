import { memoryStore } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { base64Crypter } from '@cairn/crypters';
import { resourceEntry } from '@cairn/state';
import { Secret } from '@cairn/values';
import { SecretMask } from '../masking/mask-secrets.js';
import { sealingStore } from './sealing-store.js';

const STAMP = { seq: 1, tx: 1, at: '2024-01-01T00:00:00Z' };

test('secrets are sealed in entries, and masked in what others said', async () => {
  const store = memoryStore();
  const state = resourceEntry({
    type: 'a:b:C',
    custom: true,
    urn: 'urn:pulumi:dev::shop::a:b:C::n' as never,
    inputs: { password: new Secret('s3cret') },
    initErrors: ['s3cret is too weak'],
  });
  const entry = { kind: 'success', sequenceId: 1, operationId: 1, state };
  const outcome = { task: '1', direction: 'do', result: 'error', status: 'error', ms: 1 } as const;
  const records: ChangeRecord[] = [
    { ...STAMP, record: 'log', task: '1', lines: ['the s3cret', 'nothing'] },
    {
      ...STAMP,
      record: 'outcome',
      ...outcome,
      reason: 'no s3cret',
      progress: { label: 'with s3cret', done: 1, total: 2 },
      entry,
    },
    { ...STAMP, record: 'status', task: '1', status: 'hold', reason: 's3cret' },
    { ...STAMP, record: 'progress-id', task: '1', id: 's3cret-id' },
  ];
  const secrets = new SecretMask();
  secrets.configured(['s3cret']);
  await sealingStore(store, Promise.resolve(base64Crypter), secrets.mask).append(records);
  expect(store.records).toMatchObject([
    { lines: ['the [secret]', 'nothing'] },
    {
      reason: 'no [secret]',
      progress: { label: 'with [secret]', done: 1, total: 2 },
      entry: {
        state: { initErrors: ['[secret] is too weak'], inputs: { password: { ciphertext: 'InMzY3JldCI=' } } },
      },
    },
    { reason: '[secret]' },
    { id: 's3cret-id' },
  ]);
});
