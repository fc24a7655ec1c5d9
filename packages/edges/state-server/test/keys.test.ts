import { randomUUID } from 'node:crypto';
import { startAwsKms, startGcpKms, startHashiVault } from '@cairn/testkit/servers';
import { masterKeyOf, rotateKeys, stackKeys } from '../src/index.js';
import type { MasterKey, StackKeys } from '../src/index.js';
import { S, endServices, newFolder, startTestService, startUpdate, storeTest } from './service.js';
import type { TestService } from './service.js';

afterEach(endServices);

const local = (byte: number): MasterKey =>
  masterKeyOf(Buffer.alloc(32, byte).toString('base64'), 'the test', {});
const old = local(1);
const next = local(2);
const NAMES = ['dev', 'prod', 'test'];
const SECRET = { plaintext: Buffer.from('hunter2').toString('base64') };
const TERRAFORM = '/tf/organization/shop/net';
const at = (stack: string): string => S.replace(/dev$/, stack);

async function encryptAll(service: TestService): Promise<readonly object[]> {
  const ciphertexts: object[] = [];
  for (const stackName of NAMES) {
    await service.call('POST', '/api/stacks/organization/shop', { body: { stackName } });
    ciphertexts.push((await service.call('POST', `${at(stackName)}/encrypt`, { body: SECRET })).body);
  }
  return ciphertexts;
}

async function expectOpen(folder: string, keys: StackKeys, ciphertexts: readonly object[]): Promise<void> {
  const service = await startTestService(folder, { keys });
  for (const [index, body] of ciphertexts.entries())
    expect((await service.call('POST', `${at(NAMES[index] ?? '')}/decrypt`, { body })).body).toEqual(SECRET);
  await service.stop();
}

storeTest('master keys rotate beside a running update, in steps that can be repeated', async () => {
  const folder = newFolder();
  const service = await startTestService(folder, { keys: stackKeys(old) });
  const ciphertexts = await encryptAll(service);
  const { id } = await startUpdate(service);
  const state = { body: { version: 4, serial: 1, lineage: 'a', resources: [] } };
  expect((await service.call('POST', TERRAFORM, state)).status).toBe(200);
  const keys = stackKeys(next, [old]);
  let left = 2;
  const broken: StackKeys = {
    ...keys,
    rewrap: (stackId, key) => {
      left -= 1;
      return left === 0 ? Promise.reject(new Error('the process is gone')) : keys.rewrap(stackId, key);
    },
  };
  await expect(rotateKeys(service.store, broken)).rejects.toThrow('the process is gone');
  expect(await rotateKeys(service.store, keys)).toEqual({ rotated: 3, current: 1 });
  expect(await rotateKeys(service.store, keys)).toEqual({ rotated: 0, current: 4 });
  expect((await service.call('GET', S)).body).toMatchObject({ activeUpdate: id });
  // The service before the rotation does not have the new key, and says so.
  const refused = await service.call('POST', `${S}/encrypt`, { body: SECRET });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 409, message: expect.stringContaining(`it needs master key ${next.id}`) as string },
  });
  await service.stop();
  const after = await startTestService(folder, { keys: stackKeys(next) });
  expect((await after.call('GET', TERRAFORM)).body).toEqual(state.body);
  await after.stop();
  await expectOpen(folder, stackKeys(next), ciphertexts);
});

storeTest('a stack whose master key was retired and removed opens again once the key is back', async () => {
  const folder = newFolder();
  const service = await startTestService(folder, { keys: stackKeys(old) });
  const ciphertexts = await encryptAll(service);
  await service.stop();
  const without = await startTestService(folder, { keys: stackKeys(next) });
  for (const path of ['decrypt', 'encrypt'])
    expect(await without.call('POST', `${S}/${path}`, { body: {} })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(`it needs master key ${old.id}`) as string },
    });
  // The log names it too.
  expect(without.lines.join('')).toContain(`it needs master key ${old.id}`);
  await without.stop();
  await expectOpen(folder, stackKeys(next, [old]), ciphertexts);
});

test.each([
  ['awskms', 'awskms:///stacks', () => startAwsKms(['stacks'])],
  ['hashivault', 'hashivault://stacks', () => startHashiVault(['stacks'])],
  [
    'gcpkms',
    'gcpkms://projects/p/locations/l/keyRings/r/cryptoKeys/stacks',
    () => startGcpKms(['projects/p/locations/l/keyRings/r/cryptoKeys/stacks']),
  ],
])('a key of %s seals data keys, each for its stack only', async (_kind, url, start) => {
  const server = await start();
  try {
    const master = masterKeyOf(url, url, server.env);
    const [one, other] = [randomUUID(), randomUUID()];
    const key = await stackKeys(master).create(one);
    const opened = await stackKeys(local(3), [master]).open(one, key);
    const again = await stackKeys(master).open(one, key);
    expect(again.decrypt(opened.encrypt(Buffer.from('hunter2')))?.toString()).toBe('hunter2');
    await expect(stackKeys(master).open(other, key)).rejects.toThrow('cannot open the key of the stack');
    const moved = await stackKeys(local(3), [master]).rewrap(one, key);
    const local3 = await stackKeys(local(3)).open(one, moved ?? key);
    expect(local3.decrypt(opened.encrypt(Buffer.from('hunter2')))?.toString()).toBe('hunter2');
  } finally {
    await server.close();
  }
});

test.each([
  ['short', 'c2hvcnQ=', 'it is not 32 bytes'],
  ['of another scheme', 'ftp://key', 'no known secrets provider "ftp://"'],
  ['of Vault without a server', 'hashivault://', 'it does not name a key'],
])('a master key that is %s is refused', (_case, text, message) => {
  expect(() => masterKeyOf(text, 'CAIRN_SERVE_MASTER_KEY', {})).toThrow(message);
});
