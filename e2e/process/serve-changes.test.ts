import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';
import { makePipes, release, written } from '../support/pipes.js';
import { serveStore } from '../support/served.js';
import type { ServedProcess, ServedStore } from '../support/served.js';

/** Every create adds a line to a file, so that a repeated step shows. */
const program = `
import { LocalCommand } from '@cairn/provider-local';
const make = (name: string) => ({ create: \`echo \${name} >> done.txt\`, delete: \`echo no \${name} >> done.txt\` });
const first = new LocalCommand('first', make('first'));
const slow = new LocalCommand('slow', {
  ...make('slow'),
  create: 'test -e go.txt || { echo ready > ready.pipe; read word < go.pipe; test "$word" = go || exit 1; }; echo slow >> done.txt',
}, { dependsOn: [first] });
new LocalCommand('last', make('last'), { dependsOn: [slow] });
`;

const UP = ['up', '--yes', '--skip-preview'];
const why = whyNoPostgres();

interface ListedChange {
  readonly id: string;
  readonly kind: string;
  readonly result?: string;
  readonly running: boolean;
}

describe.each(['a bucket', 'PostgreSQL'] as const)('changes through a service over %s', (kind) => {
  const storeTest = kind === 'PostgreSQL' && why !== undefined ? test.skip : test;
  let server: Postgres | undefined;
  let store: Sandbox;
  let service: ServedProcess;
  let box: Sandbox;
  let stack: string;

  beforeAll(async () => {
    store = sandbox();
    if (kind === 'PostgreSQL' && why !== undefined) return;
    if (kind === 'PostgreSQL') server = await startPostgres();
    service = await serveStore(store, storeOf());
  });
  afterAll(async () => {
    service?.running.process.kill('SIGKILL');
    store.remove();
    await server?.close();
  });
  beforeEach(async () => {
    box = sandbox({ 'index.ts': program });
    if (kind === 'PostgreSQL' && why !== undefined) return;
    makePipes(box, 'ready.pipe', 'go.pipe');
    stack = `dev${(stacks += 1)}`;
    expectOk(await cairn('stack', 'init', stack, '--secrets-provider', 'passphrase'));
  });
  afterEach(() => box.remove());

  function storeOf(): ServedStore {
    if (server === undefined) return { words: ['--store', String(store.env['CAIRN_BACKEND_URL'])], env: {} };
    const blobs = path.join(store.directory, 'blobs');
    mkdirSync(blobs);
    const { user, host, port, password } = server;
    const url = `postgres://${user}@${host}:${port}/postgres`;
    return { words: ['--store', url, '--blobs', `file://${blobs}`], env: { PGPASSWORD: password } };
  }

  const env = () => ({ env: service.client });
  const cairn = (...words: string[]): Promise<Finished> => box.cairn(words, env());
  const done = (): string[] => readFileSync(path.join(box.directory, 'done.txt'), 'utf8').trim().split('\n');
  const changes = async (): Promise<readonly ListedChange[]> =>
    JSON.parse(expectOk(await cairn('changes', '--json')).stdout) as ListedChange[];

  /** An update in the middle of its slow step. */
  async function midway(): Promise<Running> {
    const running = box.start(UP, env());
    await written(box, 'ready.pipe', running);
    return running;
  }

  /** An update whose process is gone. Its slow step is over without an effect. */
  async function killed(): Promise<void> {
    const running = await midway();
    running.process.kill('SIGKILL');
    await running.finished;
    box.write('go.txt', '');
  }

  storeTest('a client that is killed half-way is resumed, and does nothing twice', async () => {
    await killed();
    const listed = expectOk(await cairn('changes')).stdout;
    expect(listed).toMatch(/Update dev\d/);
    expect(await changes()).toMatchObject([{ id: '1', kind: 'up', running: false }]);
    expect(expectOk(await cairn('preview')).stderr).toMatch(
      /change 1 \(up\) ended early: \d+ done, 1 in doubt/,
    );
    const asked = await cairn('resume', '1');
    expect([asked.code, asked.text]).toEqual([
      10,
      expect.stringContaining('cancelled the update of process'),
    ]);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(asked.stdout)?.[1] ?? '';
    expectOk(await cairn('change', 'resolve', step, '--not-created'));
    const resumed = expectOk(await cairn('resume'));
    expect(resumed.stdout).toMatch(/^Resuming change \d+ \(dev\d\):/);
    expect(done()).toEqual(['first', 'slow', 'last']);
    expect((await cairn('resume')).stderr).toContain('has no change to resume');
    expect(expectOk(await cairn('preview', '--expect-no-changes')).stdout).toContain('4 unchanged');
  });

  storeTest('a client that is killed half-way is rolled back', async () => {
    await killed();
    const asked = await cairn('rollback', '--yes');
    const renamed = await cairn('stack', 'rename', 'other');
    expect([renamed.code, renamed.text]).toEqual([1, expect.stringContaining('a step is in doubt')]);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(asked.stdout)?.[1] ?? '';
    expectOk(await cairn('change', 'resolve', step, '--not-created'));
    const end = await cairn('rollback', '--yes');
    expect([end.code, end.text]).toEqual([0, expect.stringMatching(/first undone: deleted/)]);
    expect(done()).toContain('no first');
  });

  storeTest('a running change is followed and aborted from elsewhere', async () => {
    const running = await midway();
    expect(await changes()).toMatchObject([{ id: '1', kind: 'up', running: true }]);
    const following = box.start(['follow', '1'], env());
    await following.shown(/Doing +create slow/);
    expect(expectOk(await cairn('abort', '1')).text).toContain('to stop and to roll back');
    await running.shown(/asks to stop: no further step starts/);
    release(box, 'go.pipe');
    const end = await running.finished;
    expect([end.code, end.text]).toEqual([11, expect.stringMatching(/first undone: deleted/)]);
    expect((await following.finished).code).toBe(11);
    expect(await changes()).toMatchObject([{ id: '1', running: false, result: 'rolled-back' }]);
    const again = await cairn('abort', '1');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('it was rolled back')]);
    expect(existsSync(path.join(box.directory, 'last.txt'))).toBe(false);
  });

  storeTest(
    'clients that wait get the stack in the order of asking, without one that is killed',
    async () => {
      const holder = await midway();
      const clients: Running[] = [];
      for (const asked of ['', '; alice asked', ...[1, 2].map((more) => `; alice and ${more} more asked`)]) {
        const words = [...UP, '--wait-for-lock', '10m', '--message', `client ${clients.length + 1}`];
        const client = box.start(words, env());
        const said = `waiting up to 10 min for stack "${stack}": the operation update of alice \\(since .*\\) runs${asked}`;
        await client.shown(new RegExp(said));
        clients.push(client);
      }
      const [, killed] = clients;
      killed?.process.kill('SIGKILL');
      await killed?.finished;
      const impatient = await cairn(...UP);
      expect([impatient.code, impatient.text]).toEqual([
        1,
        expect.stringContaining('is currently locked by'),
      ]);
      release(box, 'go.pipe');
      for (const client of [holder, ...clients.filter((each) => each !== killed)])
        expectOk(await client.finished);
      const history = expectOk(await cairn('stack', 'history', '--json')).stdout;
      const messages = (JSON.parse(history) as { message: string }[]).map(({ message }) => message);
      expect(messages.slice(0, 3)).toEqual([4, 3, 1].map((number) => `client ${number}`));
      expect(done()).toEqual(['first', 'slow', 'last']);
    },
  );
});

describe('changes of one bucket in two ways', () => {
  let box: Sandbox;
  let service: ServedProcess;

  beforeEach(async () => {
    box = sandbox({ 'index.ts': program });
    makePipes(box, 'ready.pipe', 'go.pipe');
    service = await serveStore(box, {
      words: ['--store', String(box.env['CAIRN_BACKEND_URL'])],
      env: {},
    });
    expectOk(await cairn('direct', 'stack', 'init', 'dev', '--secrets-provider', 'passphrase'));
    expectOk(await cairn('served', 'stack', 'select', 'dev'));
  });
  afterEach(async () => {
    service.running.process.kill('SIGKILL');
    await service.running.finished;
    box.remove();
  });

  const ways = () => ({ direct: {}, served: { env: service.client } });
  type Way = keyof ReturnType<typeof ways>;
  const cairn = (way: Way, ...words: string[]): Promise<Finished> => box.cairn(words, ways()[way]);
  const done = (): string[] => readFileSync(path.join(box.directory, 'done.txt'), 'utf8').trim().split('\n');

  /** Lists the changes in both ways, which have to give the same. The service stores what a process left that died. */
  async function changes(): Promise<readonly ListedChange[]> {
    const [served, direct] = [
      await cairn('served', 'changes', '--json'),
      await cairn('direct', 'changes', '--json'),
    ].map((each) => JSON.parse(expectOk(each).stdout) as ListedChange[]);
    expect(served).toEqual(direct);
    return direct as ListedChange[];
  }

  async function killed(way: Way): Promise<void> {
    const running = box.start(UP, ways()[way]);
    await written(box, 'ready.pipe', running);
    expect(await changes()).toMatchObject([{ id: '1', kind: 'up', running: true }]);
    running.process.kill('SIGKILL');
    await running.finished;
    box.write('go.txt', '');
  }

  /** Answers the step in doubt in one way, and continues in another. */
  async function answered(way: Way): Promise<void> {
    expect(await changes()).toMatchObject([{ id: '1', running: false, result: 'interrupted' }]);
    const asked = await cairn(way, 'resume', '1');
    expect([asked.code, asked.text]).toEqual([
      10,
      expect.stringContaining('slow waits: its provider cannot find out'),
    ]);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(asked.stdout)?.[1] ?? '';
    expectOk(await cairn(way, 'change', 'resolve', step, '--not-created'));
  }

  test.each<readonly [string, Way, Way, Way]>([
    ['through the service is resumed directly', 'served', 'direct', 'direct'],
    ['directly is resumed through the service', 'direct', 'served', 'served'],
    ['through the service is answered directly and resumed through it', 'served', 'direct', 'served'],
  ])('an operation that is killed %s', async (_, first, answering, then) => {
    await killed(first);
    // The service holds the stack until the lease of the update has run out, or someone ends the update.
    if (first === 'served') expectOk(await cairn('served', 'cancel', '--yes'));
    await answered(answering);
    const resumed = expectOk(await cairn(then, 'resume'));
    expect(resumed.stdout).toMatch(/^Resuming change \d+ \(dev\):/);
    expect(done()).toEqual(['first', 'slow', 'last']);
    expect((await changes()).map(({ kind, result }) => `${kind} ${result ?? ''}`)).toEqual([
      ...['up interrupted', 'up waiting', 'resolve succeeded', 'up succeeded'],
    ]);
    for (const way of ['direct', 'served'] as const)
      expect(expectOk(await cairn(way, 'preview', '--expect-no-changes')).stdout).toContain('4 unchanged');
  });

  test.each<readonly [Way, Way]>([
    ['served', 'direct'],
    ['direct', 'served'],
  ])('what was done %s is rolled back %s', async (first, then) => {
    box.write('go.txt', '');
    const failing = program.replace('echo ${name} >>', 'test ${name} != last && echo ${name} >>');
    box.write('index.ts', failing);
    expect((await cairn(first, ...UP)).code).toBe(4);
    expect(await changes()).toMatchObject([{ id: '1', result: 'failed' }]);
    const end = await cairn(then, 'rollback', '--yes');
    expect([end.code, end.text]).toEqual([0, expect.stringMatching(/first undone: deleted/)]);
    expect(done()).toEqual(['first', 'slow', 'no slow', 'no first']);
    expect(await changes()).toMatchObject([{ result: 'failed' }, { kind: 'rollback', result: 'succeeded' }]);
  });

  test('what a service has recorded that is gone for good is in the state of the next operation', async () => {
    await killed('served');
    service.running.process.kill('SIGKILL');
    await service.running.finished;
    expect((await cairn('direct', ...UP)).text).toContain('runs through the state service');
    expectOk(await cairn('direct', 'stack', 'unlock', '--yes'));
    const asked = await cairn('direct', 'resume');
    expect([asked.code, asked.text]).toEqual([
      10,
      expect.stringContaining('slow waits: its provider cannot find out'),
    ]);
    const step = /change resolve ([0-9a-f]{8}) --not-created/.exec(asked.stdout)?.[1] ?? '';
    expectOk(await cairn('direct', 'change', 'resolve', step, '--not-created'));
    expectOk(await cairn('direct', 'resume'));
    expect(done()).toEqual(['first', 'slow', 'last']);
  });

  test('a change of one way is followed and aborted in the other', async () => {
    const running = box.start(UP, ways().served);
    await written(box, 'ready.pipe', running);
    const following = box.start(['follow', '1'], {});
    await following.shown(/Doing +create slow/);
    expect(expectOk(await cairn('direct', 'abort', '1')).text).toContain('to stop and to roll back');
    await running.shown(/asks to stop: no further step starts/);
    release(box, 'go.pipe');
    const end = await running.finished;
    expect([end.code, end.text]).toEqual([11, expect.stringMatching(/first undone: deleted/)]);
    expect((await following.finished).code).toBe(11);
    expect(await changes()).toMatchObject([{ id: '1', running: false, result: 'rolled-back' }]);
  });
});

/** Tests of one kind share a store, so each has a stack of its own. */
let stacks = 0;
