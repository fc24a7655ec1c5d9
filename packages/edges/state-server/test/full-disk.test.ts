import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { MANIFEST, S, endServices, newFolder, resource, startTestService, startUpdate } from './service.js';

let mounted: string | undefined;
afterEach(async () => {
  leave();
  await endServices();
});

/** Mounts a disk of 600 kB. */
function mount(): string {
  const folder = path.join(newFolder(), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', folder], { stdio: 'ignore' });
  return (mounted = folder);
}

/** Lets go of the disk, which the service may still use. */
function leave(): void {
  if (mounted !== undefined) execFileSync('umount', ['--lazy', mounted]);
  mounted = undefined;
}

/** Tells whether this user may mount a disk. */
function mayMount(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    mount();
    leave();
    return true;
  } catch {
    return false;
  }
}

const diskTest = mayMount() ? test : test.skip;

diskTest('a disk that is full is answered with 503, and nothing that was stored is lost', async () => {
  const disk = mount();
  const { call, ...service } = await startTestService(disk);
  await call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const stateOf = (bytes: number): object => {
    const large = resource('a', { outputs: { text: randomBytes(bytes / 2).toString('hex') } });
    return { version: 3, deployment: { manifest: MANIFEST, resources: [large] } };
  };
  expect((await call('POST', `${S}/import`, { body: stateOf(1000) })).status).toBe(200);
  const before = (await call('GET', `${S}/export`)).text;
  const refused = await call('POST', `${S}/import`, { body: stateOf(1_000_000) });
  expect([refused.status, refused.body['code']]).toEqual([503, 503]);
  expect(refused.text).not.toContain(disk);
  expect((await call('GET', `${S}/export`)).text).toBe(before);
  const { route, auth } = await startUpdate({ call, ...service });
  const entry = (id: number, bytes: number): object => ({
    ...{ version: 1, kind: 1, sequenceID: id, operationID: id },
    state: resource(`r${id}`, { outputs: { text: randomBytes(bytes / 2).toString('hex') } }),
  });
  const send = async (...entries: object[]): Promise<number> =>
    (await call('PATCH', `${route}/journalentries`, { auth, body: { entries } })).status;
  expect(await send(entry(1, 100))).toBe(200);
  expect(await send(entry(2, 1_000_000))).toBe(503);
  expect(await send(entry(3, 100))).toBe(200);
  expect((await call('POST', `${route}/complete`, { auth, body: { status: 'failed' } })).status).toBe(200);
  const { text } = await call('GET', `${S}/export`);
  expect(['r1', 'r2', 'r3'].map((name) => text.includes(`Thing::${name}"`))).toEqual([true, false, true]);
});
