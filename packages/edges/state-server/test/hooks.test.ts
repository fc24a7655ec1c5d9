import { createHmac } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { hookPoster, rotateKeys, stackKeys, masterKeyOf } from '../src/index.js';
import { startReceiver } from './hook-receiver.js';
import type { HookReceiver } from './hook-receiver.js';
import {
  MASTER_KEY,
  S,
  endServices,
  isShared,
  newFolder,
  startTestService,
  startUpdate,
  storeTest,
} from './service.js';
import type { TestService } from './service.js';

const STACKS = '/api/stacks/organization/shop';
const ORG = '/api/orgs/organization/hooks';
const HOOKS = `${S}/hooks`;
const post = hookPoster(['127.0.0.0/8'], 'v0.1.0');
const receivers: HookReceiver[] = [];

afterEach(async () => {
  await endServices();
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

async function receiver(): Promise<HookReceiver> {
  const started = await startReceiver();
  receivers.push(started);
  return started;
}

/** Service whose calls are those of an administrator, with a stack. */
async function world(folder = newFolder(), options: Parameters<typeof startTestService>[1] = { post }) {
  const service = await startTestService(folder, options);
  const auth = `token ${await service.tokenFor('admin')}`;
  const call = (method: string, route: string, body?: unknown) =>
    service.call(method, route, { auth, ...(body !== undefined && { body }) });
  await call('POST', STACKS, { stackName: 'dev' });
  return { service, call };
}

/** Runs an update to its end, with a summary of what it did. */
async function runUpdate(
  service: TestService,
  {
    status = 'succeeded',
    changes = { create: 2 },
    ...options
  }: Parameters<typeof startUpdate>[1] & {
    readonly status?: string;
    readonly changes?: Readonly<Record<string, number>>;
  } = {},
): Promise<string> {
  const { route, id, auth } = await startUpdate(service, options);
  const events = [{ sequence: 0, timestamp: 1, summaryEvent: { resourceChanges: changes } }];
  await service.call('POST', `${route}/events/batch`, { auth, body: { events } });
  expect((await service.call('POST', `${route}/complete`, { auth, body: { status } })).status).toBe(200);
  return id;
}

const kinds = ({ received }: HookReceiver): unknown[] =>
  received.map(({ headers, body }) => {
    const { result, action, driftDetected } = JSON.parse(body) as Record<string, unknown>;
    const what = [result, action, driftDetected].find((each) => each !== undefined);
    return [headers['pulumi-webhook-kind'], what];
  });

storeTest(
  'a webhook is made, shown, changed and removed, as the command of other clients does it',
  async () => {
    const { call } = await world();
    const names = { organizationName: 'organization', projectName: 'shop', stackName: 'dev' };
    const request = {
      ...names,
      ...{ name: '', displayName: 'chat', payloadUrl: 'https://hooks.test/x', active: true, format: 'raw' },
      ...{ filters: ['update_failed'], groups: ['deployments'], secret: 'psst' },
      ...{ hasSecret: false, secretCiphertext: '' },
    };
    const made = await call('POST', HOOKS, request);
    const { secret: _, ...shown } = request;
    const hook = { ...shown, name: expect.stringMatching(/^[0-9a-f]{12}$/) as string, hasSecret: true };
    expect([made.status, made.body]).toEqual([200, hook]);
    const at = `${HOOKS}/${String(made.body['name'])}`;
    expect((await call('GET', at)).body).toEqual(made.body);
    expect((await call('GET', HOOKS)).body).toEqual([made.body]);
    expect((await call('GET', ORG)).body).toEqual([]);
    // The command sends all of it, without lists that are empty.
    const { filters: _filters, ...whole } = { ...made.body, displayName: 'team' } as Record<string, unknown>;
    const changed = { ...made.body, displayName: 'team', filters: [] };
    expect((await call('PATCH', at, whole)).body).toEqual(changed);
    expect((await call('PATCH', at, { active: false })).body).toEqual({ ...changed, active: false });
    expect((await call('PATCH', at, { secret: '__remove-secret' })).body).toMatchObject({ hasSecret: false });
    expect((await call('DELETE', at)).status).toBe(200);
    expect((await call('GET', at)).status).toBe(404);
  },
);

storeTest('wrong webhooks are refused, and nothing changes', async () => {
  const { call } = await world();
  const good = { displayName: 'chat', payloadUrl: 'https://hooks.test/x' };
  const { body } = await call('POST', HOOKS, good);
  const at = `${HOOKS}/${String(body['name'])}`;
  const refused: readonly (readonly [number, string, string, object?])[] = [
    [409, 'POST', HOOKS, good],
    [400, 'POST', HOOKS, { ...good, displayName: '' }],
    [400, 'POST', HOOKS, { ...good, payloadUrl: 'hooks.test' }],
    [400, 'POST', HOOKS, { ...good, payloadUrl: 'file:///etc/passwd' }],
    [400, 'POST', HOOKS, { ...good, payloadUrl: 'https://ann:psst@hooks.test/' }],
    [400, 'POST', HOOKS, { ...good, payloadUrl: `https://hooks.test/${'x'.repeat(2048)}` }],
    [400, 'POST', HOOKS, { ...good, format: 'pulumi_deployments' }],
    [400, 'POST', HOOKS, { ...good, filters: ['environment_created'] }],
    [400, 'POST', HOOKS, { ...good, groups: ['policies'] }],
    [400, 'POST', HOOKS, { ...good, stackName: 'prod' }],
    [400, 'POST', ORG, { ...good, stackName: 'dev' }],
    [404, 'GET', `${ORG}/${String(body['name'])}`],
    [404, 'PATCH', `${HOOKS}/nothing`, good],
    [404, 'DELETE', `${HOOKS}/nothing`],
    [404, 'POST', `${HOOKS}/nothing/ping`],
    [404, 'POST', `${at}/deliveries/nothing/redeliver`],
  ];
  const found: unknown[] = [];
  for (const [, method, route, request] of refused)
    found.push([(await call(method, route, request)).body['code'], method, route, request]);
  expect(found).toEqual(refused.map(([code, ...row]) => [code, row[0], row[1], row[2]]));
  expect((await call('GET', HOOKS)).body).toEqual([body]);
});

storeTest('webhooks learn of what they ask for, signed with their secret', async () => {
  const [all, failures, everywhere] = [await receiver(), await receiver(), await receiver()];
  const { service, call } = await world(newFolder(), { post, url: 'https://state.test' });
  const hook = (displayName: string, { url }: HookReceiver, more: object = {}) => ({
    ...{ displayName, payloadUrl: `${url}/in?a=b`, ...more },
  });
  await call('POST', HOOKS, hook('all', all, { secret: 'psst' }));
  await call('POST', HOOKS, hook('off', all, { active: false }));
  await call('POST', HOOKS, hook('failures', failures, { filters: ['update_failed', 'drift_detected'] }));
  await call('POST', ORG, hook('everywhere', everywhere, { groups: ['stacks'] }));
  const id = await runUpdate(service);
  await runUpdate(service, { status: 'failed' });
  await runUpdate(service, { dryRun: true });
  await runUpdate(service, { dryRun: true, kind: 'refresh', changes: { same: 3, refresh: 1 } });
  await runUpdate(service, { dryRun: true, kind: 'refresh', changes: { same: 3, update: 1 } });
  await call('POST', STACKS, { stackName: 'other' });
  await runUpdate(service, { stack: 'other', kind: 'destroy' });
  await call('DELETE', `${S}?force=true`);
  await service.service.sweep();
  expect(kinds(all)).toEqual(
    expect.arrayContaining([
      ...[
        ['stack_update', 'succeeded'],
        ['stack_update', 'failed'],
        ['stack_preview', 'succeeded'],
      ],
      ...[
        ['stack_preview', 'succeeded'],
        ['drift_detection', 'succeeded'],
        ['stack_preview', 'succeeded'],
        ['drift_detection', 'succeeded'],
      ],
    ]),
  );
  expect(all.received).toHaveLength(7);
  expect(kinds(failures)).toEqual([
    ['stack_update', 'failed'],
    ['drift_detection', 'succeeded'],
  ]);
  expect(kinds(everywhere)).toHaveLength(8);
  expect(kinds(everywhere)).toEqual(
    expect.arrayContaining([
      ['stack', 'created'],
      ['stack', 'deleted'],
    ]),
  );
  const first = all.received.find(({ body }) => body.includes(id));
  expect(first?.url).toBe('/in?a=b');
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'cairn/v0.1.0',
    'pulumi-webhook-kind': 'stack_update',
    'pulumi-webhook-signature': createHmac('sha256', 'psst')
      .update(first?.body ?? '')
      .digest('hex'),
  });
  expect(JSON.parse(first?.body ?? '')).toEqual({
    user: { name: 'writer-user', githubLogin: 'writer-user', avatarUrl: '' },
    organization: { name: 'organization', githubLogin: 'organization', avatarUrl: '' },
    ...{ projectName: 'shop', stackName: 'dev', updateId: id, kind: 'update', result: 'succeeded' },
    ...{ resourceChanges: { create: 2 }, isPreview: false },
    updateUrl: 'https://state.test/s/organization/shop/dev/history',
  });
  expect(failures.received[0]?.headers).not.toHaveProperty('pulumi-webhook-signature');
  // The webhooks of a stack go with it.
  await call('POST', STACKS, { stackName: 'dev' });
  expect((await call('GET', HOOKS)).body).toEqual([]);
});

storeTest('webhooks get the notices of runs that they ask for, once each', async () => {
  const target = await receiver();
  const { service, call } = await world();
  const hook = {
    displayName: 'chat',
    payloadUrl: target.url,
    filters: ['approval_wanted', 'run_failed', 'afterwards_failed'],
  };
  await call('POST', ORG, hook);
  await call('POST', STACKS, { stackName: 'other' });
  const notices = ['approval-wanted', 'run-held', 'run-failed', 'afterwards-failed', 'of-another-agent'].map(
    (type) => ({
      ...{ type, key: '1', data: { why: 'psst' } },
    }),
  );
  // Runs of two stacks with one number, in one second.
  for (const stack of ['dev', 'other']) {
    const at = `${S.replace(/dev$/, stack)}/deployments`;
    const made = await call('POST', at, { operation: 'update', inheritSettings: true });
    const claimed = await call('POST', '/api/orgs/organization/agents/claim', { agent: 'one', wait: 0 });
    const { fence } = claimed.body['run'] as { readonly fence: number };
    const report = { agent: 'one', fence, notices };
    expect((await call('POST', `${at}/${String(made.body['id'])}/attend`, report)).status).toBe(200);
  }
  await service.service.sweep();
  await service.service.sweep();
  const bodies = target.received.map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>);
  expect(bodies.map(({ stackName, notice, run }) => [stackName, notice, run]).sort()).toEqual([
    ['dev', 'afterwards_failed', 1],
    ['dev', 'approval_wanted', 1],
    ['dev', 'run_failed', 1],
    ['other', 'afterwards_failed', 1],
    ['other', 'approval_wanted', 1],
    ['other', 'run_failed', 1],
  ]);
  expect(bodies[0]).toMatchObject({ user: { name: 'admin-user' } });
  expect(JSON.stringify(target.received)).not.toContain('psst');
});

/** Mail server that keeps mails, and refuses as many as `refuse` says. */
async function mailbox(): Promise<{ readonly url: string; readonly mails: string[]; refuse: number }> {
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] },
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        if (box.refuse > 0) {
          box.refuse -= 1;
          return done(Object.assign(new Error('later'), { responseCode: 451 }));
        }
        box.mails.push(text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receivers.push({ stop: () => new Promise((resolve) => server.close(resolve)) } as HookReceiver);
  const { port } = server.server.address() as AddressInfo;
  const box = { url: `smtp://127.0.0.1:${port}`, mails: [] as string[], refuse: 0 };
  return box;
}

storeTest('a mail and a webhook have links that approve as their readers, once, with a click', async () => {
  const target = await receiver();
  const box = await mailbox();
  const mail = { server: box.url, from: 'cairn@example.com' };
  const { service, call } = await world(newFolder(), {
    ...{ post: hookPoster(['127.0.0.0/8'], 'v0.1.0', { mail }), url: 'https://cairn.example.com' },
  });
  await service.tokenFor('reader');
  const to = (name: string, payloadUrl: string, more: object = {}) =>
    call('POST', HOOKS, { displayName: name, payloadUrl, filters: ['approval_wanted'], ...more });
  const links = (user: string) => ({ cairn: { links: user } });
  for (const [url, more, why] of [
    ['mailto:nobody', {}, 'is not mailto:'],
    ['mailto:a@b.c?cc=d@e.f', {}, 'is not mailto:'],
    ['mailto:a@b.c', { secret: 'x' }, 'a mail has no signature'],
    ['mailto:a@b.c', { format: 'slack' }, 'mail is the form of mailto addresses only'],
    ['https://a.example', { format: 'mail' }, 'mail is the form of mailto addresses only'],
    ['mailto:a@b.c,d@e.f', links('ada'), 'needs the form raw, or a mail to one address'],
    ['https://a.example', { ...links('ada'), format: 'slack' }, 'needs the form raw'],
  ] as const)
    expect((await to('bad', url, more)).body['message']).toContain(why);
  const made = await to('writer', 'mailto:w@example.com', links('writer-user'));
  expect(made.body).toMatchObject({ format: 'mail', cairn: { links: 'writer-user' } });
  await to('ops', 'mailto:ops@example.com,dev@example.com');
  await to('reader', target.url, links('reader-user'));
  const at = `${S}/deployments`;
  await call('POST', `${at}/settings`, { cairn: { policy: { rules: [], approvals: 2, others: true } } });
  const { body: asked } = await call('POST', at, { operation: 'update' });
  const claimed = await call('POST', '/api/orgs/organization/agents/claim', { agent: 'one', wait: 0 });
  const { fence, row } = claimed.body['run'] as { readonly fence: number; readonly row: object };
  const waiting = { ...row, digest: 'd1', base: 'b1', steps: [], status: 'waiting' };
  const notices = [{ type: 'approval-wanted', key: '1', data: {} }];
  box.refuse = 2;
  await call('POST', `${at}/${String(asked['id'])}/attend`, {
    ...{ agent: 'one', fence, rows: [waiting], plan: 'the plan', notices },
  });
  await service.service.sweep();
  // The server refused both: they are sent again, as any delivery is.
  const deliveries = `${HOOKS}/${String(made.body['name'])}/deliveries`;
  expect((await call('GET', deliveries)).body).toMatchObject([
    { responseCode: 451, responseBody: expect.stringContaining('later') as string },
  ]);
  expect(box.mails).toEqual([]);
  await service.pass(11_000);
  await service.service.sweep();
  const mailTo = (name: string): string => box.mails.find((text) => text.includes(`To: ${name}`)) ?? '';
  expect(mailTo('w@example.com')).toMatch(
    /^Subject: Cairn: organization\/shop\/dev: run 1 of admin-user waits for an\r?\n approval\r?$/m,
  );
  expect(mailTo('w@example.com')).toContain('https://cairn.example.com/s/organization/shop/dev/runs/1');
  expect(mailTo('ops@example.com')).not.toContain('/approve/');
  const linkIn = (text: string): string =>
    /https:\/\/cairn\.example\.com(\/approve\/[\w./-]+)/.exec(text)?.[1] ?? '';
  const own = linkIn(mailTo('w@example.com'));
  const other = linkIn(target.received[0]?.body ?? '');
  expect(JSON.parse(target.received[0]?.body ?? '')).toMatchObject({ approve: { person: 'reader-user' } });
  // What is kept of deliveries has no link.
  expect((await call('GET', deliveries)).text).not.toContain('/approve/');
  const open = async (route: string, method: 'GET' | 'POST') => {
    const answer = await service.call(method, route, { auth: '' });
    const code = /<code>(link-\w+)<\/code>/.exec(answer.text)?.[1];
    return [answer.status, code ?? /<h1>(.*)<\/h1>/.exec(answer.text)?.[1]];
  };
  const altered = own.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const elsewhere = own.replace(String(made.body['name']), 'another');
  for (const method of ['GET', 'POST'] as const) {
    for (const route of [altered, elsewhere])
      expect(await open(route, method)).toEqual([403, 'link-altered']);
    // A reader of the service may not approve.
    expect(await open(other, method)).toEqual([403, 'link-person']);
  }
  expect(await open(own, 'GET')).toEqual([200, 'Run 1: up of organization/shop/dev']);
  expect(await open(own, 'POST')).toEqual([200, 'Approved']);
  expect(await open(own, 'POST')).toEqual([409, 'link-used']);
  const { cairn } = (await call('GET', `${at}/${String(asked['id'])}`)).body as { cairn: { run: object } };
  expect(cairn.run).toMatchObject({ status: 'waiting', approvals: [{ by: 'writer-user', via: 'link' }] });
  const { body: log } = await call('GET', '/api/orgs/organization/auditlogs');
  expect(JSON.stringify(log)).toContain('approved a deployment');
  // Another reader ends the links of the one before.
  await call('PATCH', `${HOOKS}/${String(made.body['name'])}`, links(''));
  expect(await open(own, 'GET')).toEqual([403, 'link-altered']);
  expect(service.lines.join('')).not.toContain(own.slice(-40));
});

storeTest('a delivery that fails is tried again, kept, and sent again by hand', async () => {
  const target = await receiver();
  const { service, call } = await world();
  const { body: hook } = await call('POST', HOOKS, { displayName: 'flaky', payloadUrl: target.url });
  const at = `${HOOKS}/${String(hook['name'])}`;
  target.answer = (response) => void response.writeHead(503, { 'x-why': 'busy' }).end('later');
  await runUpdate(service);
  await service.service.sweep();
  expect((await call('GET', `${at}/deliveries`)).body).toMatchObject([
    { kind: 'stack_update', responseCode: 503, responseBody: 'later', requestUrl: `${target.url}` },
  ]);
  const { received } = target;
  // Not before its time, where the clock is that of the test.
  if (!isShared()) {
    await service.pass(9_000);
    await service.service.sweep();
    expect(received).toHaveLength(1);
  }
  await service.pass(11_000);
  target.answer = (response) => void response.writeHead(200).end('thanks');
  await service.service.sweep();
  expect(received).toHaveLength(2);
  expect(received[1]?.headers['pulumi-webhook-id']).toBe(received[0]?.headers['pulumi-webhook-id']);
  const list = (await call('GET', `${at}/deliveries`)).body as unknown as readonly Record<string, unknown>[];
  expect(list).toMatchObject([{ responseCode: 200, payload: received[0]?.body }]);
  const again = await call('POST', `${at}/deliveries/${String(list[0]?.['id'])}/redeliver`);
  expect(again.body).toMatchObject({ kind: 'stack_update', payload: received[0]?.body, responseCode: 200 });
  expect(again.body['id']).not.toBe(list[0]?.['id']);
  const ping = await call('POST', `${at}/ping`);
  expect(ping.body).toMatchObject({ kind: 'ping', responseCode: 200, responseBody: 'thanks' });
  await service.pass(24 * 3_600_000);
  await service.service.sweep();
  expect(received).toHaveLength(4);
  expect((await call('GET', `${at}/deliveries`)).body).toHaveLength(3);
});

storeTest('a receiver that never takes a delivery is left alone after six attempts', async () => {
  const target = await receiver();
  const { service, call } = await world();
  await call('POST', HOOKS, { displayName: 'down', payloadUrl: target.url });
  target.answer = (response) => void response.destroy();
  await runUpdate(service);
  for (let turn = 0; turn < 9; turn += 1) {
    await service.service.sweep();
    await service.pass(7 * 3_600_000);
  }
  expect(target.received).toHaveLength(6);
});

storeTest('a webhook that is turned off gets no further attempt', async () => {
  const target = await receiver();
  const { service, call } = await world();
  const { body } = await call('POST', HOOKS, { displayName: 'down', payloadUrl: target.url });
  target.answer = (response) => void response.writeHead(500).end();
  await runUpdate(service);
  await service.service.sweep();
  await call('PATCH', `${HOOKS}/${String(body['name'])}`, { active: false });
  await service.pass(11_000);
  await service.service.sweep();
  expect(target.received).toHaveLength(1);
});

storeTest('what happened before a crash is sent after it, and sent once', async () => {
  const target = await receiver();
  const folder = newFolder();
  const before = await world(folder, {});
  await before.call('POST', HOOKS, { displayName: 'chat', payloadUrl: target.url });
  await runUpdate(before.service);
  await before.service.service.sweep();
  expect(target.received).toEqual([]);
  await before.service.stop();
  const after = await startTestService(folder, { post });
  await after.service.sweep();
  await after.service.sweep();
  expect(kinds(target)).toEqual([['stack_update', 'succeeded']]);
});

storeTest('addresses and secrets are sealed at rest, and their keys rotate', async () => {
  const target = await receiver();
  const folder = newFolder();
  const { service, call } = await world(folder);
  const payloadUrl = `${target.url}/T00/B00/a-token`;
  const { body } = await call('POST', HOOKS, { displayName: 'chat', payloadUrl, secret: 'hunter2' });
  if (!isShared())
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(readFileSync(path.join(file.parentPath, file.name), 'utf8')).not.toMatch(/hunter2|a-token/);
  expect(JSON.stringify(await service.store.listAccess('hooks', 'organization'))).not.toMatch(
    /hunter2|a-token/,
  );
  const next = masterKeyOf(Buffer.alloc(32, 9).toString('base64'), 'the test', {});
  expect(await rotateKeys(service.store, stackKeys(next, [MASTER_KEY]))).toEqual({ rotated: 2, current: 0 });
  await service.stop();
  const after = await world(folder, { keys: stackKeys(next), post });
  expect((await after.call('POST', `${HOOKS}/${String(body['name'])}/ping`)).body).toMatchObject({
    ...{ responseCode: 204, requestUrl: payloadUrl },
    requestHeaders: expect.stringContaining('pulumi-webhook-signature: ') as string,
  });
});
