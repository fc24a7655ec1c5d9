import { base64Crypter } from '@cairn/crypters';
import { DEV, Recorder, START, failureOf, keysOf, lease, newStack, open, textAt, thing } from './world.js';

const LOCKS = '.pulumi/locks/organization/shop/dev/';
const PULUMI_LOCK =
  '{"pid":77,"username":"bob","hostname":"laptop","timestamp":"2030-01-01T10:00:00.5+01:00"}';

test('a lock file is what the other tool reads and is gone after release [STORE-11]', async () => {
  const { store, backend } = await newStack();
  const held = await lease(backend);
  const [key, ...more] = await keysOf(store, LOCKS);
  expect(more).toEqual([]);
  expect(key).toMatch(/\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.json$/);
  expect(await textAt(store, key ?? '')).toMatch(
    /^\{"pid":10,"username":"ann","hostname":"build-1","timestamp":"20\d\d-[^"]+","cairn":true,"lease":\{"renewals":0,"term":60\}\}$/,
  );
  await held.release();
  await held.release();
  expect(await keysOf(store, LOCKS)).toEqual([]);
});

test('of two processes one gets the lease; the other is told who has it, since when, and what to do', async () => {
  const { store, backend, dead } = await newStack();
  const held = await lease(backend);
  const failure = await failureOf(lease(await open(store, { pid: 11, dead })));
  expect(failure.code).toBe('CAIRN-STATE-LOCKED');
  expect(failure.causes).toEqual([
    expect.stringMatching(/^ann@build-1 \(process 10\) since 20.*: mem:\/\/\/\.pulumi\/locks\//),
  ]);
  expect(failure.hint).toContain('cairn cancel');
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
  await held.release();
  await (await lease(await open(store, { pid: 11, dead }))).release();
});

test('of many processes at once exactly one gets the lease, and no lock is left by the others [STORE-11]', async () => {
  const { store, dead } = await newStack();
  const tries = await Promise.allSettled(
    [11, 12, 13, 14, 15].map(async (pid) => lease(await open(store, { pid, dead }))),
  );
  const won = tries.filter((result) => result.status === 'fulfilled');
  expect(won).toHaveLength(1);
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
});

test.each([
  ['another host', PULUMI_LOCK, 'Wait until it is done'],
  [
    "another tool's dead process here",
    PULUMI_LOCK.replace('laptop', 'build-1'),
    'no longer runs on this machine',
  ],
  ['a file that is not JSON', 'junk', 'cairn cancel'],
])('a lock of %s is not taken over', async (_title, text, hint) => {
  const { store, dead } = await newStack();
  dead.add(77);
  await store.put(`${LOCKS}5e1f0000-0000-4000-8000-000000000000.json`, Buffer.from(text));
  const backend = await open(store, { pid: 11, dead });
  const failure = await failureOf(lease(backend));
  expect(failure.code).toBe('CAIRN-STATE-LOCKED');
  expect(failure.hint).toContain(hint);
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
});

test('the lock of a dead process of ours on this host is taken over, journal or not, and a note says so', async () => {
  const { store, backend, dead } = await newStack();
  await lease(backend);
  dead.add(10);
  const held = await lease(await open(store, { pid: 11, dead }));
  expect(held.notes.map((note) => note.summary)).toEqual([
    'removed the lock of process 10, which is no longer running',
  ]);
  expect(await keysOf(store, LOCKS)).toHaveLength(1);
});

test('an operation whose lock was removed begins nothing, and leaves the stack usable', async () => {
  const { store, backend, dead } = await newStack();
  const paused = await lease(backend);
  await backend.cancel(DEV);
  const other = await lease(await open(store, { pid: 11, dead }));
  const failure = await failureOf(paused.begin(START));
  expect(failure.code).toBe('CAIRN-LEASE-LOST');
  expect(failure.summary).toContain('was lost to another process');
  expect(await keysOf(store, '.pulumi/journals/')).toEqual([]);
  await (await other.begin(START)).finish({ result: 'succeeded', resourceChanges: {} });
});

test('a step does not begin once the lock was removed; steps that had begun still end', async () => {
  const { store, backend } = await newStack();
  const log = await (await lease(backend)).begin(START);
  const recorder = new Recorder();
  await log.store.append([recorder.begin(1, thing('a'))]);
  await backend.cancel(DEV);
  await expect(log.store.append([recorder.begin(2, thing('b'))])).rejects.toThrow(
    'was lost to another process',
  );
  await log.store.append([recorder.created(1, thing('a'))]);
  await log.finish({ result: 'failed', resourceChanges: {} });
  const state = await textAt(store, '.pulumi/stacks/shop/dev.json');
  expect(state).toContain('Thing::a');
  expect(state).not.toContain('Thing::b');
});

test('the lock of a live operation is not taken over, though it has a journal', async () => {
  const { store, backend, dead } = await newStack();
  await (await lease(backend)).begin(START);
  expect((await failureOf(lease(await open(store, { pid: 11, dead })))).code).toBe('CAIRN-STATE-LOCKED');
});

test('the lock of a dead operation on another host is not taken over', async () => {
  const { store, backend, dead } = await newStack();
  await (await lease(backend)).begin(START);
  dead.add(10);
  const elsewhere = { pid: 11, dead, hostname: 'build-2' };
  const failure = await failureOf(lease(await open(store, elsewhere, { CAIRN_LEASE_TAKEOVER: 'never' })));
  expect(failure.hint).toContain('Wait until it is done');
  expect(failure.hint).toContain('CAIRN_LEASE_TAKEOVER=always');
});

test('cancel removes every lock, readable or not', async () => {
  const { store, backend } = await newStack();
  await store.put(`${LOCKS}a.json`, Buffer.from(PULUMI_LOCK));
  await store.put(`${LOCKS}b.json`, Buffer.from('junk'));
  expect((await backend.bucket.locks(DEV)).map((holder) => holder.username)).toEqual(['bob', '']);
  expect(await backend.cancel(DEV)).toBe(true);
  expect(await backend.cancel(DEV)).toBe(false);
  expect(await keysOf(store, LOCKS)).toEqual([]);
});

test('a lease that cannot be opened gives the lock back', async () => {
  const { store, backend } = await newStack();
  const refuse = backend.lease(DEV, { openCrypter: () => Promise.reject(new Error('no passphrase')) });
  await expect(refuse).rejects.toThrow('no passphrase');
  await store.put('.pulumi/stacks/shop/dev.json', Buffer.from('{"version":3,"checkpoint":{"lat'));
  expect((await failureOf(lease(backend))).code).toBe('CAIRN-STATE-CORRUPT');
  expect(await keysOf(store, LOCKS)).toEqual([]);
});

test('one backend leases a stack once at a time', async () => {
  const { backend } = await newStack();
  const held = await lease(backend);
  expect((await failureOf(lease(backend))).code).toBe('CAIRN-STATE-LOCKED');
  await held.release();
  await (await backend.lease(DEV, { openCrypter: async () => base64Crypter })).release();
});

test('who is refused is told which change runs', async () => {
  const { store, backend, dead } = await newStack();
  const held = await lease(backend);
  await held.begin({ ...START, operation: 'rollback' });
  const failure = await failureOf(lease(await open(store, { pid: 11, dead })));
  expect(failure.causes).toEqual([expect.stringContaining(', it is running change 1 (rollback): ')]);
});

test('a lock from the future is said to be from there', async () => {
  const { store, dead } = await newStack();
  const text = PULUMI_LOCK.replace('2030', '2099');
  await store.put(`${LOCKS}5e1f0000-0000-4000-8000-000000000000.json`, Buffer.from(text));
  const failure = await failureOf(lease(await open(store, { pid: 11, dead })));
  expect(failure.causes).toEqual([
    expect.stringContaining('in the future: the clock of one of the machines is wrong'),
  ]);
});
