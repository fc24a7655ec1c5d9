import { openBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { bucket } from '../support/bucket.js';
import type { Bucket } from '../support/bucket.js';
import { expectOk, newestChange, sandbox } from '../support/cairn.js';
import type { Finished, RunOptions, Sandbox } from '../support/cairn.js';
import { EFFECT, effectsOf } from '../support/effect.js';

/** Real commands on a bucket of the test kit's S3 server, which runs in a process of its own. */

const PROGRAM = `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
let before = [];
for (const name of ['a', 'b', 'c']) {
  const command = new LocalCommand(name, { create: 'exec sh effect.sh create ' + name, delete: 'exec sh effect.sh delete ' + name }, { dependsOn: before });
  before = [command, new LocalFile(name + '-file', { path: name + '.txt', content: name }, { dependsOn: [command] })];
}
`;

const UP = ['up', '--yes', '--skip-preview'];
const buckets: Bucket[] = [];
const boxes: Sandbox[] = [];
afterAll(async () => {
  boxes.forEach((box) => box.remove());
  for (const one of buckets) await one.close();
});

interface Where {
  readonly at: Bucket;
  readonly box: Sandbox;
  readonly run: (words: readonly string[], options?: RunOptions) => Promise<Finished>;
}

/** A sandbox whose backend is what `login` chose. */
async function sandboxAt(serverWords: readonly string[] = []): Promise<Where> {
  const at = await bucket(serverWords);
  buckets.push(at);
  const box = sandbox({ 'index.ts': PROGRAM, 'effect.sh': EFFECT });
  boxes.push(box);
  const env = { ...at.env, CAIRN_BACKEND_URL: undefined };
  const run: Where['run'] = (words, options = {}) =>
    box.cairn(words, { ...options, env: { ...env, ...options.env } });
  return { at, box, run };
}

async function storeOf(at: Bucket): Promise<BlobStore> {
  Object.assign(process.env, at.env);
  return openBlobStore(at.url);
}

test('an update on a bucket is killed, resumed and rolled back; its changes, history and locks are in the bucket', async () => {
  const { at, box, run } = await sandboxAt();
  expect(expectOk(await run(['login', at.url])).stderr).toBe(`Logged in to ${at.url}\n`);
  expectOk(await run(['stack', 'init', 'dev']));
  box.write('kill.txt', 'create b');
  expect((await run(UP)).signal).toBe('SIGKILL');
  const waits = await run(['resume', '--yes']);
  expect([waits.code, waits.text]).toEqual([10, expect.stringMatching(/([0-9a-f]{8}) b waits/)]);
  const task = /([0-9a-f]{8}) b waits/.exec(waits.text)?.[1] ?? '';
  box.write('made-b.json', '{ "stdout": "", "stderr": "" }');
  expectOk(await run(['change', 'resolve', task, '--created', 'made-b', '--outputs', 'made-b.json']));
  // The lost answers and refusals that a network has: nothing of it reaches the user.
  await at.fail({ match: 'PUT .*\\.log\\.p0', hangUp: 'after' });
  await at.fail({ match: 'PUT .*\\.log\\.p0', status: 503, headers: { 'retry-after': '0' }, times: 2 });
  await at.fail({ match: 'GET .*list-type', status: 500 });
  expectOk(await run(['resume', '--yes']));
  expect(effectsOf(box)).toEqual(['create a', 'create b', 'create c']);

  const changes = JSON.parse(expectOk(await run(['changes', '--json'])).stdout) as unknown[];
  expect(changes).toHaveLength(4);
  expect(expectOk(await run(['follow', '--last', 'up'])).code).toBe(0);
  const history = JSON.parse(expectOk(await run(['stack', 'history', '--json'])).stdout) as {
    result: string;
  }[];
  expect(history[0]?.result).toBe('succeeded');

  const store = await storeOf(at);
  const keys = (await store.list('.pulumi/')).map((row) => row.key);
  expect(keys).toContain('.pulumi/stacks/shop/dev.json');
  expect(keys.filter((key) => key.startsWith('.pulumi/locks/'))).toEqual([]);
  const lock = '{"pid":1,"username":"ann","hostname":"elsewhere","timestamp":"2030-01-01T00:00:00Z"}';
  await store.put(
    '.pulumi/locks/organization/shop/dev/6e2c1a4e-0000-4000-8000-000000000000.json',
    Buffer.from(lock),
  );
  const refused = await run(['rollback', '--yes']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('ann@elsewhere')]);
  expectOk(await run(['cancel', '--yes']));
  expectOk(await run(['rollback', await newestChange({ ...box, cairn: run }), '--yes']));
  expect(effectsOf(box).slice(3)).toEqual(['delete c', 'delete b', 'delete a']);
  await store.close();
});

test('a server without conditional writes is told of at login, and is worked on with lock files alone', async () => {
  const { at, run } = await sandboxAt(['--conditions', 'refused']);
  const login = expectOk(await run(['login', at.url]));
  expect(login.stderr).toContain('has no conditional writes: only lock files keep two operations apart');
  expectOk(await run(['stack', 'init', 'dev']));
  const up = expectOk(await run(UP));
  expect(up.text.match(/has no conditional writes/g)).toHaveLength(1);
});

test.each([
  ['a bucket that is not there', 's3://nowhere', {}, 1, 'there is no such bucket'],
  ['a wrong key', 's3://bucket', { AWS_SECRET_ACCESS_KEY: 'wrong' }, 3, 'SignatureDoesNotMatch'],
  ['a parameter that does not exist', 's3://bucket?colour=red', {}, 2, 'unknown parameter "colour"'],
])('%s is told by name', async (_title, start, env, code, words) => {
  const { at, run } = await sandboxAt();
  const url = start + at.url.slice('s3://bucket'.length).replace('?', start.includes('?') ? '&' : '?');
  const login = await run(['login', url], { env });
  expect([login.code, login.stderr]).toEqual([code, expect.stringContaining(words)]);
  expect(login.text).not.toContain(at.env['AWS_SECRET_ACCESS_KEY']);
});
