import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakeClock, memoryStore } from '@cairn/changes';
import { logRegisterStore, openRegister } from '@cairn/changes-daemon';
import type { NoticeJson, Register } from '@cairn/changes-daemon';
import { SMTPServer } from 'smtp-server';
import type { NoticeTarget } from '../src/config/agent-config.js';
import { NotifyManager } from '../src/managers/notify.js';
import type { ManagerContext } from '../src/managers/context.js';
import { Tasks } from '../src/managers/tasks.js';
import { DELIVERIES, isNoticeDelivery } from '../src/notify/delivery-rows.js';
import type { NoticeDelivery } from '../src/notify/delivery-rows.js';
import { noticeMessage } from '../src/notify/notice-message.js';
import { noticeSender } from '../src/notify/senders.js';
import type { SendNotice } from '../src/notify/senders.js';
import { RunLedger } from '../src/runs/ledger.js';

const NOTICE: NoticeJson = {
  ...{ id: '1', type: 'run-failed', key: '7', occurrences: 1, 'expire-after-ms': 1 },
  ...{ 'first-occurred': '2026-01-01T00:00:00Z', 'last-occurred': '2026-01-01T00:00:00Z' },
  'last-repeated': '2026-01-01T00:00:00Z',
  'last-data': { stack: 'dev', why: 'it <broke> & fell\nBcc: all@example.com' },
};
const DELIVERY: NoticeDelivery = {
  ...{ id: 'd1', target: 'ops', notice: NOTICE, at: '2026-01-01T00:00:00Z', status: 'due', attempts: 0 },
};

const servers: { close(): unknown }[] = [];
afterAll(() => servers.forEach((server) => server.close()));

interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function receiver(
  answer: (response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly posted: Posted[] }> {
  const posted: Posted[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      posted.push({ headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push({ close: () => (server.closeAllConnections(), server.close()) });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, posted };
}

const sender = (variables: Readonly<Record<string, string>>, isAllowed = true): SendNotice =>
  noticeSender({
    ...{ agent: 'agent-1', version: '1', isAllowed: () => isAllowed },
    secretOf: (name) => variables[name] ?? '',
  });
const HOOK: NoticeTarget = { name: 'ops', kind: 'webhook', address: 'URL', secret: 'KEY' };

test('a webhook is signed, and has the notice as clients see it', async () => {
  const { url, posted } = await receiver((response) => response.writeHead(204).end());
  expect(await sender({ URL: url, KEY: 'secret' })(HOOK, DELIVERY)).toBe('204');
  const [{ headers, body } = { headers: {}, body: '' }] = posted;
  expect(JSON.parse(body)).toEqual({ agent: 'agent-1', notice: NOTICE });
  const signature = createHmac('sha256', 'secret').update(body).digest('hex');
  expect(headers).toMatchObject({
    ...{ 'cairn-delivery': 'd1', 'cairn-notice': 'run-failed', 'cairn-signature': `sha256=${signature}` },
  });
});

test('Slack gets a text in which nothing is a command', async () => {
  const { url, posted } = await receiver((response) => response.end('ok'));
  await sender({ URL: url })({ name: 'chat', kind: 'slack', address: 'URL' }, DELIVERY);
  const { text } = JSON.parse(posted[0]?.body ?? '') as { text: string };
  expect(text).toContain('a run failed: dev (7)\n');
  expect(text).toContain('why: it &lt;broke&gt; &amp; fell Bcc: all@example.com\n');
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['500', (response) => response.writeHead(500).end(), /it answered 500/],
  [
    'a redirect to the metadata of a cloud',
    (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    /it answered 302: redirects are not followed/,
  ],
  ['nothing, and closes', (response) => void response.destroy(), /socket hang up/],
])('a target that answers %s has not taken it', async (_what, answer, error) => {
  const { url, posted } = await receiver(answer);
  await expect(sender({ URL: url })(HOOK, DELIVERY)).rejects.toThrow(error);
  expect(posted).toHaveLength(1);
});

test('an answer without an end is taken for its status', async () => {
  const { url } = await receiver((response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  });
  expect(await sender({ URL: url })(HOOK, DELIVERY)).toBe('200');
});

test.each(['http://169.254.169.254/latest', 'http://[::1]/', 'http://10.0.0.1/', 'http://localhost:1/'])(
  'nothing is sent to %s',
  async (url) => {
    await expect(sender({ URL: url }, false)(HOOK, DELIVERY)).rejects.toThrow(
      'is not on the public internet',
    );
    const mail = { name: 'm', kind: 'mail', address: 'MAIL', from: 'a@b.c', recipients: ['d@e.f'] } as const;
    const server = url.replace('http:', 'smtp:');
    await expect(sender({ MAIL: server }, false)(mail, DELIVERY)).rejects.toThrow(
      'is not on the public internet',
    );
  },
);

test('a mail has one subject and no header of a value', async () => {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  const { port } = server.server.address() as AddressInfo;
  const target = {
    name: 'mail',
    kind: 'mail',
    address: 'MAIL',
    from: 'agent@example.com',
    recipients: ['ops@example.com', 'dev@example.com'],
  } as const;
  const send = sender({ MAIL: `smtp://127.0.0.1:${port}` });
  expect(await send(target, DELIVERY)).toMatch(/^250 /);
  const [mail = ''] = mails;
  const [head = '', body = ''] = mail.split('\r\n\r\n');
  expect(head).toMatch(/^Subject: Cairn: a run failed: dev \(7\)\r?$/m);
  expect(head).toMatch(/^To: ops@example.com, dev@example.com\r?$/m);
  expect(head).toMatch(/^Message-ID: <d1@agent-1>\r?$/m);
  expect(head).not.toMatch(/^Bcc:/m);
  expect(body).toContain('why: it <broke> & fell Bcc: all@example.com');
  // A link is in the mail of its person only.
  const link = { run: '7', person: 'ada', until: '2026-01-02T00:00:00Z', digest: 'd', base: 'b' };
  const url = 'https://agent.example/approve/token';
  const linked = noticeSender({
    ...{ agent: 'agent-1', version: '1', isAllowed: () => true, urlOf: () => url },
    secretOf: () => `smtp://127.0.0.1:${port}`,
  });
  await linked(target, { ...DELIVERY, link, to: ['ops@example.com'] });
  expect(mails[1]).toMatch(/^To: ops@example.com\r?$/m);
  expect(mails[1]).toContain(url);
  // A password goes over no connection without TLS.
  await expect(sender({ MAIL: `smtp://me:pass@127.0.0.1:${port}` })(target, DELIVERY)).rejects.toThrow(/TLS/);
  expect(mails).toHaveLength(2);
});

test('a value cannot make a line of its own', () => {
  const { subject, text } = noticeMessage('a', {
    ...NOTICE,
    key: 'x\r\nTo: all',
    'last-data': { why: 'a\u2028b' },
  });
  expect([subject, text].join('\n')).not.toMatch(/[\r\u2028]|\nTo:/);
});

/** Manager with a fake clock over a register in memory. */
class Targets {
  readonly clock = new FakeClock(Date.UTC(2026, 0, 1));
  readonly sent: string[] = [];
  readonly logs: string[] = [];
  fails: ReadonlySet<string> = new Set();
  register!: Register;
  manager!: NotifyManager;
  #stored: Uint8Array | undefined;
  #ids = 0;
  #tasks!: Tasks;

  async start(targets: readonly NoticeTarget[]): Promise<void> {
    this.register = await openRegister({
      store: logRegisterStore({
        read: () => Promise.resolve(this.#stored),
        append: () => Promise.resolve(false),
        replace: (bytes) => Promise.resolve(void (this.#stored = bytes)),
      }),
      clock: this.clock,
      logs: () => memoryStore(),
      archive: () => Promise.resolve(),
      machine: { kinds: {} },
    });
    const now = (): Date => this.clock.now();
    this.#tasks = new Tasks(
      1,
      () => undefined,
      (error) => this.logs.push(String(error)),
    );
    const context = {
      config: { notify: targets },
      ...{ ledger: new RunLedger(this.register, now), tasks: this.#tasks, now },
      ...{ newId: () => `d${(this.#ids += 1)}`, ensureBefore: () => undefined, isStopping: () => false },
      log: (text: string) => void this.logs.push(text),
    } as unknown as ManagerContext;
    this.manager = new NotifyManager(context, this.register, (target, { id, notice }) => {
      this.sent.push(`${target.name} ${id} ${notice.type} ${notice.key}`);
      return this.fails.has(target.name)
        ? Promise.reject(new Error('it answered 500'))
        : Promise.resolve('200');
    });
    await this.pass();
  }

  /** Makes passes until nothing is due. */
  async pass(): Promise<void> {
    for (let before = -1; before !== this.sent.length;) {
      before = this.sent.length;
      this.manager.ensure();
      await this.#tasks.idle();
    }
  }

  get rows(): readonly NoticeDelivery[] {
    return [...this.register.entries(DELIVERIES, isNoticeDelivery).values()];
  }
}

const OPS = { name: 'ops', kind: 'webhook', address: 'A' } as const;
const CHAT = { name: 'chat', kind: 'slack', address: 'B', types: ['drift-found'] } as const;

test('each target gets the notices that it asks for, once, and repeated ones as they are repeated', async () => {
  const targets = new Targets();
  await targets.start([OPS, CHAT]);
  const { notices } = targets.register;
  notices.add('run-failed', '7');
  notices.add('drift-found', 'dev', { repeatAfterMs: 86_400_000 });
  notices.add('upkeep-paused', '-');
  await targets.pass();
  expect([...targets.sent].sort()).toEqual([
    'chat d3 drift-found dev',
    'ops d1 run-failed 7',
    'ops d2 drift-found dev',
  ]);
  // Within its time the same drift is counted and not sent again.
  await targets.clock.advance(3_600_000);
  notices.add('drift-found', 'dev', { repeatAfterMs: 86_400_000 });
  await targets.pass();
  expect(targets.sent).toHaveLength(3);
  await targets.clock.advance(86_400_000);
  notices.add('drift-found', 'dev', { repeatAfterMs: 86_400_000 });
  await targets.pass();
  expect(targets.sent).toHaveLength(5);
  // Another agent sends nothing of it again.
  const calls = targets.sent.length;
  await targets.register.stored();
  await targets.pass();
  expect(targets.sent).toHaveLength(calls);
});

test('a target that fails is tried again with pauses, then warned about, and sent to again by hand', async () => {
  const targets = new Targets();
  await targets.start([OPS, { ...OPS, name: 'other' }]);
  targets.fails = new Set(['ops']);
  targets.register.notices.add('run-failed', '7');
  await targets.pass();
  // The other target does not wait for it.
  expect(targets.sent).toEqual(['ops d1 run-failed 7', 'other d2 run-failed 7']);
  const times: number[] = [];
  for (let hours = 0; hours < 24; hours += 1 / 60) {
    const before = targets.sent.length;
    await targets.clock.advance(60_000);
    await targets.pass();
    if (targets.sent.length > before) times.push(Math.round(hours * 60));
  }
  // 10 s, 1 min, 10 min, 1 h and 6 h after one another, within a minute.
  expect(times.map((time, at) => time - (times[at - 1] ?? 0))).toEqual([0, 1, 10, 60, 360]);
  expect(targets.rows.find(({ target }) => target === 'ops')).toMatchObject({
    ...{ status: 'failed', attempts: 6, last: { answer: 'it answered 500' } },
  });
  const { warnings } = targets.register;
  expect(warnings.all().map(({ message }) => message)).toEqual([
    'target ops takes no notices: it answered 500. Send them again with `cairn agent redeliver`.',
  ]);
  expect(warnings.okay(warnings.pending().at)).toBe(1);
  expect(warnings.pending().warnings).toEqual([]);
  targets.fails = new Set();
  targets.manager.redeliver('d1');
  await targets.pass();
  expect(targets.rows.find(({ target }) => target === 'ops')).toMatchObject({ status: 'sent', attempts: 1 });
});

test('a new target hears nothing of the past, and the oldest deliveries are forgotten', async () => {
  const targets = new Targets();
  await targets.start([]);
  targets.register.notices.add('run-failed', '1');
  await targets.start([OPS]);
  targets.register.notices.add('run-failed', '2');
  await targets.pass();
  expect(targets.sent).toEqual(['ops d1 run-failed 2']);
  for (let at = 0; at < 110; at += 1) {
    targets.register.notices.add('run-failed', `k${at}`);
    await targets.pass();
  }
  expect(targets.rows).toHaveLength(100);
  expect(targets.rows.some(({ id }) => id === 'd1')).toBe(false);
});
