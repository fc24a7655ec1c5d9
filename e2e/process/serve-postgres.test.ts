import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';

const why = whyNoPostgres();
const withServer = why === undefined ? describe : describe.skip;
const BATCHES = 40;
const STACKS = ['s1', 's2', 's3', 's4'];

interface Served {
  readonly running: Running;
  readonly url: string;
}

withServer(`the service over PostgreSQL${why === undefined ? '' : ` (skipped: ${why})`}`, () => {
  let server: Postgres;
  let box: Sandbox;
  const services: Running[] = [];
  beforeAll(async () => {
    server = await startPostgres({ syncs: true });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    box = sandbox();
    mkdirSync(path.join(box.directory, 'blobs'));
  });
  afterEach(() => {
    for (const { process } of services.splice(0)) process.kill('SIGKILL');
    box.remove();
  });

  const store = (): string[] => [
    ...['--store', `postgres://${server.user}@${server.host}:${server.port}/postgres`],
    ...['--blobs', `file://${path.join(box.directory, 'blobs')}`],
  ];
  const env = (): Record<string, string> => ({ CAIRN_SERVE_MASTER_KEY: KEY, PGPASSWORD: server.password });

  async function serve(): Promise<Served> {
    const running = box.start(['serve', ...store(), '--listen', '127.0.0.1:0'], { env: env() });
    services.push(running);
    let line = '';
    running.process.stdout?.on('data', (chunk: string) => (line += chunk));
    await running.shown(/^http:\/\/127\.0\.0\.1:\d+\n/m);
    return { running, url: line.trim() };
  }

  test('a process that is killed loses nothing that it acknowledged, and another continues its updates', async () => {
    const [first, second] = await Promise.all([serve(), serve()]);
    const made = await box.process(['serve', 'token', 'new', 'alice', ...store()], { env: env() });
    const auth = `token ${expectOk(made).stdout.trim()}`;
    const updates = await Promise.all(STACKS.map((stack) => started(first.url, stack, auth)));
    const failures = await Promise.all(
      updates.map(async ({ route, holder }, place) => {
        // Each client changes to the other process after a failure of its own.
        let failed = 0;
        for (let batch = 1; batch <= BATCHES;) {
          if (batch === BATCHES / 2 && place === 0) first.running.process.kill('SIGKILL');
          const url = (place + batch + failed) % 2 === 0 ? first.url : second.url;
          const body = { entries: [entry(batch)] };
          const answer = await send(url, 'PATCH', `${route}/journalentries`, holder, body);
          if (answer?.status === 200) batch += 1;
          else expect([answer?.status, (failed += 1) <= BATCHES]).toEqual([undefined, true]);
        }
        return failed;
      }),
    );
    expect(Math.max(...failures)).toBeGreaterThan(0);
    const third = await serve();
    for (const { path: at, route, holder } of updates) {
      expect(
        (await send(third.url, 'POST', `${route}/complete`, holder, { status: 'succeeded' }))?.status,
      ).toBe(200);
      const exported = await send(second.url, 'GET', `${at}/export`, auth);
      const { deployment } = (await exported?.json()) as { deployment: { resources: { urn: string }[] } };
      expect(deployment.resources.map(({ urn }) => urn.split('::').at(-1))).toEqual(
        Array.from({ length: BATCHES }, (_each, index) => `r${index + 1}`),
      );
    }
  });

  test('an older version takes the place of a state that the store of blobs has lost', async () => {
    const { url } = await serve();
    const made = await box.process(['serve', 'token', 'new', 'alice', ...store()], { env: env() });
    const login = { CAIRN_BACKEND_URL: url, CAIRN_ACCESS_TOKEN: expectOk(made).stdout.trim() };
    const cairn = (...words: readonly string[]): Promise<Finished> =>
      box.cairn([...words, '--stack', 'dev'], { env: login });
    expectOk(await box.cairn(['stack', 'init', 'dev'], { env: login }));
    const blobs = (): readonly string[] =>
      readdirSync(path.join(box.directory, 'blobs'), { recursive: true }) as string[];
    const upTo = async (content: string): Promise<Finished> => {
      box.write('index.ts', programOf(content));
      return cairn('up', '--yes', '--skip-preview');
    };
    expectOk(await upTo('first'));
    const before = new Set(blobs());
    expectOk(await upTo('second'));
    for (const blob of blobs().filter((name) => !before.has(name)))
      rmSync(path.join(box.directory, 'blobs', blob));
    const lost = await upTo('third');
    expect([lost.code, lost.text]).toEqual([1, expect.stringContaining('has lost or damaged a state')]);
    expect(readFileSync(path.join(box.directory, 'page.txt'), 'utf8')).toBe('second');
    const file = path.join(box.directory, 'old.json');
    expectOk(await cairn('stack', 'export', '--version', '1', '--file', file));
    expectOk(await cairn('stack', 'import', '--file', file));
    expectOk(await cairn('refresh', '--yes', '--skip-preview'));
    expectOk(await upTo('third'));
    expect(readFileSync(path.join(box.directory, 'page.txt'), 'utf8')).toBe('third');
  });

  test('a wrong password, a missing database and one that does not run name the next step', async () => {
    const address = (port: number, name: string): string =>
      `postgres://${server.user}@${server.host}:${port}/${name}`;
    const rows: readonly (readonly [string, string, RegExp])[] = [
      [address(server.port, 'postgres'), 'wrong', /CAIRN-STORE-CREDENTIALS\][^]*PGPASSWORD/],
      [
        address(server.port, 'none'),
        server.password,
        /CAIRN-STORE-FAILED\][^]*"none" does not exist[^]*createdb/,
      ],
      [address(1, 'postgres'), server.password, /CAIRN-STORE-UNAVAILABLE\][^]*hint: Check the address/],
    ];
    for (const [url, password, text] of rows) {
      const words = ['serve', 'org', 'ls', '--store', url, ...store().slice(2)];
      const refused = await box.process(words, { env: { ...env(), PGPASSWORD: password } });
      expect(refused.text).toMatch(text);
      expect(refused.text).not.toContain('CAIRN-INTERNAL');
    }
  });

  test('a database without a place for states, and a place beside a bucket, are refused', async () => {
    const refused = async (words: string[], text: string): Promise<void> =>
      expect(await box.process(['serve', ...words], { env: env() })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(text),
      });
    await refused(store().slice(0, 2), 'no place for states is given');
    await refused(
      ['--store', `file://${box.directory}`, ...store().slice(2)],
      'the store keeps states itself',
    );
  });
});

const programOf = (content: string): string =>
  `import { LocalFile } from '@cairn/provider-local';\nnew LocalFile('page', { path: 'page.txt', content: '${content}' });\n`;

const KEY = randomBytes(32).toString('base64');

/** Sends a request. Undefined if the process is gone. */
async function send(
  url: string,
  method: string,
  route: string,
  auth: string,
  body?: object,
): Promise<Response | undefined> {
  const headers = { authorization: auth, 'content-type': 'application/json' };
  return fetch(url + route, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(
    () => undefined,
  );
}

async function started(
  url: string,
  stack: string,
  auth: string,
): Promise<{ readonly path: string; readonly route: string; readonly holder: string }> {
  const at = `/api/stacks/organization/shop/${stack}`;
  await send(url, 'POST', '/api/stacks/organization/shop', auth, { stackName: stack });
  const created = await send(url, 'POST', `${at}/update`, auth, { options: { dryRun: false } });
  const { updateID } = (await created?.json()) as { updateID: string };
  const route = `${at}/update/${updateID}`;
  const { token } = (await (await send(url, 'POST', route, auth, { journalVersion: 1 }))?.json()) as {
    token: string;
  };
  return { path: at, route, holder: `update-token ${token}` };
}

function entry(number: number): object {
  const state = {
    ...{ urn: `urn:pulumi:dev::shop::test:index:Thing::r${number}`, custom: false, type: 'test:index:Thing' },
  };
  return {
    version: 1,
    kind: 1,
    sequenceID: number,
    operationID: number,
    removeOld: null,
    removeNew: null,
    state,
  };
}
