import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { startAzurite, startGcsServer, startS3Server } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Running, Sandbox } from '../support/cairn.js';
import { freeze, thaw } from '../support/freeze.js';
import { makePipes, release, written } from '../support/pipes.js';

/**
 * Two writers, real processes: the first is stopped with all its children in the middle of a step for longer than the
 * term of its lease, and wakes up after the second has taken the stack over.
 */

const program = `
import { LocalCommand } from '@cairn/provider-local';
const a = new LocalCommand('a', { create: 'echo a >> done.txt' });
const b = new LocalCommand('b', {
  create: 'test -e second || { echo ready > ready.pipe; cat go.pipe; }; echo b >> done.txt; echo id-b',
}, { dependsOn: [a] });
new LocalCommand('c', { create: 'echo c >> done.txt' }, { dependsOn: [b] });
`;

const UP = ['up', '--yes', '--skip-preview'];
jest.setTimeout(300_000);

const LEASE = { CAIRN_LEASE_TERM: '2', CAIRN_LEASE_RENEWAL: '0.5' };
const waiting: Running[] = [];
const frozen: (readonly number[])[] = [];
const boxes: Sandbox[] = [];
const servers: { close(): unknown }[] = [];

afterEach(async () => {
  for (const pids of frozen.splice(0)) thaw(pids);
  for (const each of waiting.splice(0)) each.process.kill('SIGKILL');
  for (const box of boxes.splice(0)) box.remove();
  for (const server of servers.splice(0)) await server.close();
});

/** Returns the variables that a command needs to reach the state. `undefined` means the sandbox's directory. */
type Place = () => Promise<Readonly<Record<string, string>> | undefined>;

const PLACES: Readonly<Record<string, Place>> = {
  'a directory': async () => undefined,
  'an S3 bucket': async () => {
    const server = await startS3Server();
    servers.push(server);
    return { ...server.env, CAIRN_BACKEND_URL: server.bucketUrl('bucket') };
  },
  'a Google Cloud bucket': async () => {
    const server = await startGcsServer({ buckets: ['state'] });
    servers.push(server);
    return { ...server.env, CAIRN_BACKEND_URL: 'gs://state' };
  },
  'an Azure container': async () => {
    const server = await startAzurite();
    servers.push(server);
    await server.createContainer('state');
    return { ...server.env, CAIRN_BACKEND_URL: server.address('state') };
  },
};

async function stackIn(place: Place): Promise<Sandbox> {
  const box = sandbox({ 'index.ts': program });
  boxes.push(box);
  Object.assign(box.env, LEASE, await place());
  makePipes(box, 'ready.pipe', 'go.pipe');
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  return box;
}

/** Stops a process with its children while it does not write its lock, which no other may write meanwhile. */
async function frozenBetweenWrites(box: Sandbox, running: Running): Promise<readonly number[]> {
  for (;;) {
    const pids = await freeze(running.process.pid as number);
    if (!readdirSync(box.state, { recursive: true }).some((name) => String(name).endsWith('.tmp')))
      return pids;
    thaw(pids);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const done = (box: Sandbox): string => {
  const file = path.join(box.directory, 'done.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

async function exported(box: Sandbox): Promise<string> {
  return expectOk(await box.cairn(['stack', 'export'])).stdout;
}

const names = (text: string): readonly string[] =>
  [...text.matchAll(/"urn": "urn:[^"]*::(\w)"/g)].map(([, name]) => name ?? '').sort();

/** A directory; CAIRN_ALL_STORES=1, which `npm run test:long` sets, takes every store. */
const ALL = process.env['CAIRN_ALL_STORES'] === '1';

describe.each(Object.entries(PLACES).slice(0, ALL ? undefined : 1))('two writers on %s', (_title, place) => {
  test('the one that was paused past its lease begins nothing, overwrites nothing and says so', async () => {
    const box = await stackIn(place);
    const first = box.start(UP);
    waiting.push(first);
    await written(box, 'ready.pipe', first);
    const pids = await frozenBetweenWrites(box, first);
    frozen.push(pids);

    const second = await box.cairn(UP);
    expect(second.text).toContain('waiting up to 2 s');
    expect(second.text).toMatch(
      /took over the stack from process \d+ on .*: its lock was not renewed for 2 s/,
    );
    expect(second.code).toBe(10);
    const step = /cairn change resolve ([0-9a-f]{8}) --created/.exec(second.text)?.[1] ?? '';
    expect(step).not.toBe('');
    const before = await exported(box);
    expect(names(before)).toEqual(['a', 'b']);

    thaw(pids);
    release(box, 'go.pipe');
    const late = await first.finished;
    expect(late.code).not.toBe(0);
    expect(late.text).toContain('CAIRN-LEASE-LOST');
    expect(late.text).toMatch(/creating urn:\S+::b/);
    expect(late.text).not.toContain('CAIRN-INTERNAL');
    expect(done(box)).toBe('a\nb\n');
    expect(await exported(box)).toBe(before);

    box.write('b.json', '{ "stdout": "", "stderr": "" }');
    expectOk(await box.cairn(['change', 'resolve', step, '--created', 'id-b', '--outputs', 'b.json']));
    box.write('second', '');
    expectOk(await box.cairn(UP));
    expect(done(box)).toBe('a\nb\nc\n');
    expect(names(await exported(box))).toEqual(['a', 'b', 'c']);
    expect((await box.cairn(['cancel', '--yes'])).text).toContain('is not locked');
  });
});

test('a stopped process is not taken over by who does not want to, and is named', async () => {
  const box = await stackIn(async () => undefined);
  const first = box.start(UP);
  waiting.push(first);
  await written(box, 'ready.pipe', first);
  const pids = await frozenBetweenWrites(box, first);
  frozen.push(pids);
  const refused = await box.cairn(UP, { env: { CAIRN_LEASE_TAKEOVER: 'never' } });
  expect(refused.text).toMatch(/CAIRN-STATE-LOCKED[^]*which is stopped on this machine/);
  thaw(pids);
  release(box, 'go.pipe');
  expectOk(await first.finished);
  expect(done(box)).toBe('a\nb\nc\n');
});
