import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { FolderLease, LEASE_MS, isLeaseAlive, leaseFile, parseLease } from '../src/folder/lease.js';
import type { LeaseRow } from '../src/folder/lease.js';

const START = Date.UTC(2026, 0, 1);
let time = START;
const now = (): Date => new Date(time);
let folder = '';
beforeEach(() => {
  time = START;
  folder = mkdtempSync(path.join(tmpdir(), 'agent-lease-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function take(agent = 'a'): Promise<FolderLease> {
  const taken = await FolderLease.take(folder, agent, now);
  if ('holder' in taken) throw new Error(`${taken.holder.agent} has it`);
  return taken.lease;
}

test('a second agent waits until the lease has ended', async () => {
  const first = await take('a');
  expect(await FolderLease.take(folder, 'b', now)).toMatchObject({
    holder: { agent: 'a', pid: process.pid },
  });
  time += LEASE_MS - 1;
  await first.renew();
  time += LEASE_MS - 1;
  expect(await FolderLease.take(folder, 'b', now)).toMatchObject({ holder: { agent: 'a' } });
  time += 1;
  const second = await take('b');
  expect([first.fence, second.fence]).toEqual([1, 2]);
});

test('an agent that has lost its lease writes nothing', async () => {
  const first = await take('a');
  time += LEASE_MS;
  const second = await take('b');
  let writes = 0;
  const write = (): Promise<void> => Promise.resolve(void (writes += 1));
  for (const attempt of [() => first.renew(), () => first.guard(write), () => first.release()])
    await expect(attempt()).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-AGENT-LEASE' }] });
  await second.guard(write);
  expect(writes).toBe(1);
});

test('a released lease is free, and numbers continue from it', async () => {
  await (await take()).release();
  const { fence, lost } = await take();
  expect([fence, lost]).toEqual([2, undefined]);
});

test('a lease tells which agent has not released the one before', async () => {
  const first = await take('a');
  expect(first.lost).toBeUndefined();
  time += LEASE_MS;
  const second = await take('b');
  expect(second.lost).toMatchObject({ agent: 'a', pid: process.pid, fence: 1 });
  await second.renew();
  await second.release();
  expect((await take('c')).lost).toBeUndefined();
});

test('a dead process of this machine holds nothing, one of another machine does', async () => {
  const row = (more: Partial<LeaseRow>): LeaseRow => ({
    agent: 'a',
    host: hostname(),
    pid: 2 ** 22 + 1,
    run: 'x',
    fence: 7,
    since: now().toISOString(),
    until: new Date(time + LEASE_MS).toISOString(),
    ...more,
  });
  expect(isLeaseAlive(row({}), now())).toBe(false);
  expect(isLeaseAlive(row({ pid: process.pid }), now())).toBe(true);
  expect(isLeaseAlive(row({ host: 'elsewhere' }), now())).toBe(true);
  writeFileSync(leaseFile(folder), JSON.stringify(row({})));
  expect((await take()).fence).toBe(8);
});

test.each(['', 'x', '{}', 'null', '[1]'])('a damaged lease %j holds nothing', async (text) => {
  writeFileSync(leaseFile(folder), text);
  expect(parseLease(text)).toBeUndefined();
  await take();
  expect(parseLease(readFileSync(leaseFile(folder), 'utf8'))?.fence).toBe(1);
});
