import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { startServiceHere } from '../support/service-here.js';
import type { ServiceHere } from '../support/service-here.js';

interface Sent {
  readonly body: string;
  readonly signature: string | undefined;
}

const SECRET = 'a key for signatures';

let box: Sandbox;
let service: ServiceHere;
let status = 200;
const sent: Sent[] = [];

const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    sent.push({ body, signature: request.headers['pulumi-webhook-signature'] as string | undefined });
    response.writeHead(status).end('received');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  box = sandbox({ 'index.ts': 'export const greeting = "hello";' });
  service = await startServiceHere(box);
  box.env['CAIRN_ACCESS_TOKEN'] = await service.token('admin');
  box.env['WRITER_TOKEN'] = await service.token('writer', 'bob');
  expectOk(await cairn('stack', 'init', 'dev'));
});
afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  box.remove();
});
beforeEach(() => {
  status = 200;
  sent.length = 0;
});

const cairn = (...words: readonly string[]): Promise<Finished> =>
  box.cairn(words, { env: { CAIRN_BACKEND_URL: service.url } });
const hook = (...words: readonly string[]): Promise<Finished> => cairn('stack', 'webhook', ...words);

async function json<T>(...words: readonly string[]): Promise<T> {
  return JSON.parse(expectOk(await hook(...words, '--json')).stdout) as T;
}

function receiverUrl(at: string): string {
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${at}`;
}

const made = (name: string): Promise<{ readonly id: string }> =>
  json('new', '--name', name, '--url', receiverUrl(`/${name}`), '--secret', SECRET);

test('a webhook is made, listed, changed, tried and removed', async () => {
  expect(expectOk(await hook('ls')).stdout).toBe('ID  NAME  URL  FORMAT  EVENTS  ACTIVE\n');
  const url = receiverUrl('/ops');
  const { id } = await json<{ readonly id: string }>(
    ...['new', '--name', 'ops', '--url', url, '--secret', SECRET, '--event', 'update_failed'],
  );
  const about = { id, name: 'ops', url, format: 'raw', active: true, eventGroups: [] };
  expect(await json('ls')).toEqual({ webhooks: [{ ...about, events: ['update_failed'] }], count: 1 });
  const changed = await json('edit', id, '--active=false', '--add-event', 'update_succeeded');
  expect(changed).toMatchObject({
    ...{ ...about, active: false, events: ['update_failed', 'update_succeeded'], hasSecret: true },
    ...{ organizationName: 'organization', projectName: 'shop', stackName: 'dev' },
  });
  expect(await json('edit', id, '--active', '--remove-event', 'update_failed')).toMatchObject({
    ...{ active: true, events: ['update_succeeded'], url },
  });
  const shown = expectOk(await hook('get', id)).stdout;
  expect(shown).toMatch(/^Events: +update_succeeded$/m);
  expect(shown).not.toContain(SECRET);
  expect(expectOk(await hook('ping', id)).stdout).toMatch(/^Answer: +received$/m);
  const [first] = sent;
  const signature = createHmac('sha256', SECRET)
    .update(first?.body ?? '')
    .digest('hex');
  expect(first?.signature).toBe(signature);
  expect(await json('edit', id, '--secret', '')).toMatchObject({ hasSecret: false });
  expect(expectOk(await hook('rm', id, '--yes')).stderr).toContain(`Removed webhook ${id}`);
  expect(await json('ls')).toEqual({ webhooks: [], count: 0 });
});

test('a delivery that failed is listed and sent again', async () => {
  const { id } = await made('chat');
  status = 503;
  expect(expectOk(await hook('ping', id)).stdout).toMatch(/^Status: +503$/m);
  status = 200;
  const { deliveries } = await json<{ readonly deliveries: readonly { readonly id: string }[] }>(
    ...['delivery', 'ls', id],
  );
  expect(deliveries).toMatchObject([{ kind: 'ping', responseCode: 503 }]);
  const again = await json('delivery', 'redeliver', id, deliveries[0]?.id ?? '');
  expect(again).toMatchObject({ kind: 'ping', responseCode: 200, responseBody: 'received' });
  const [before, after] = sent.map(({ body }) => body);
  expect(after).toBe(before);
  const listed = expectOk(await hook('delivery', 'ls', id))
    .stdout.trimEnd()
    .split('\n');
  expect(listed[0]).toMatch(/^ID +KIND +TIME +TOOK +STATUS$/);
  // Both were made within a second, which is as exact as the ids that they are sorted by.
  expect(
    listed
      .slice(1)
      .map((line) => line.slice(-3))
      .sort(),
  ).toEqual(['200', '503']);
  expect(await json('delivery', 'ls', id, '--count', '1')).toMatchObject({ count: 1 });
});

test.each([
  [['get', 'nope'], 'Webhook not found'],
  [['new', '--url', 'http://127.0.0.1:1/'], '--name is missing'],
  [['new', '--name', 'x', '--url', 'ftp://x'], 'payloadUrl: is no http address'],
  [
    ['new', '--name', 'x', '--url', 'https://x', '--event', 'moonrise'],
    'is no event that this service sends',
  ],
  [['new', '--name', 'x', '--url', 'https://x', '--hook-format', 'xml'], 'format: is not raw'],
  [['rm', 'x'], 'needs a confirmation'],
])('cairn stack webhook %j is refused', async (words, why) => {
  const refused = await hook(...words);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(why);
  expect((await json<{ readonly webhooks: readonly { name: string }[] }>('ls')).webhooks).not.toContainEqual(
    expect.objectContaining({ name: 'x' }),
  );
});

test('only administrators use webhooks, and only a state service has them', async () => {
  const env = { CAIRN_BACKEND_URL: service.url, CAIRN_ACCESS_TOKEN: String(box.env['WRITER_TOKEN']) };
  const refused = await box.cairn(['stack', 'webhook', 'ls'], { env });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('403');
  expectOk(await box.cairn(['stack', 'init', 'local']));
  const none = await box.cairn(['stack', 'webhook', 'ls']);
  expect(none.stderr).toContain('is not a state service');
});
