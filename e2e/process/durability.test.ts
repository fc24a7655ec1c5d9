import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function stackWith(files: Record<string, string>, env: Record<string, string> = {}): Promise<Sandbox> {
  const box = sandbox(files);
  boxes.push(box);
  Object.assign(box.env, env);
  giveStack(box);
  return box;
}

const UP = ['up', '--yes', '--skip-preview'];
const DESTROY = ['destroy', '--yes', '--skip-preview'];
const CHECKPOINT = 'stacks/shop/dev.json';
const JOURNALS = 'journals/shop/dev';

const stored = (box: Sandbox, file: string): string => path.join(box.state, '.pulumi', file);
const contentOf = (box: Sandbox, file = CHECKPOINT): Buffer => readFileSync(stored(box, file));
const filesOf = (box: Sandbox, folder: string): string[] =>
  existsSync(stored(box, folder)) ? readdirSync(stored(box, folder)).toSorted() : [];

function expectRefused(end: Finished, code: string, ...parts: RegExp[]): void {
  expect(end.text).toContain(`error[${code}`);
  for (const part of parts) expect(end.text).toMatch(part);
  expect(end.text).not.toMatch(/CAIRN-INTERNAL/);
  expect(end.code).not.toBe(0);
}

interface Known {
  readonly done: ReadonlySet<string>;
  readonly pending: ReadonlySet<string>;
}

/** Names of resources in the state and of those in doubt, as `stack export` shows them. */
async function known(box: Sandbox): Promise<Known> {
  const { deployment } = JSON.parse(expectOk(await box.cairn(['stack', 'export'])).stdout);
  const name = (row: { urn: string }): string => row.urn.slice(row.urn.lastIndexOf('::') + 2);
  return {
    done: new Set((deployment.resources ?? []).map(name)),
    pending: new Set(
      (deployment.pending_operations ?? []).map((row: { resource: { urn: string } }) => name(row.resource)),
    ),
  };
}

/** Journals that were begun, oldest first. */
const journalsOf = (box: Sandbox): string[] =>
  filesOf(box, JOURNALS).filter((name) => filesOf(box, `${JOURNALS}/${name}`).includes('operation.json'));

/** Bytes that the newest journal has recorded. */
function journalSize(box: Sandbox): number {
  const newest = journalsOf(box).at(-1);
  const segment = newest === undefined ? '' : stored(box, `${JOURNALS}/${newest}/000001.log`);
  return existsSync(segment) ? statSync(segment).size : 0;
}

/** When to kill: once the command's own journal exists and has so many bytes, or once such a file is beside it. */
type Instant = number | 'fold.json' | 'sealed.json';

/** Kills the command at the instant; false when it ended well before. */
async function killAt(box: Sandbox, words: readonly string[], instant: Instant): Promise<boolean> {
  const before = new Set(journalsOf(box));
  const running = box.start(words);
  const { process: child } = running;
  const reached = (): boolean => {
    const newest = journalsOf(box).at(-1);
    if (newest === undefined || before.has(newest)) return false;
    return typeof instant === 'number'
      ? journalSize(box) >= instant
      : filesOf(box, `${JOURNALS}/${newest}`).includes(instant);
  };
  while (child.exitCode === null && !reached()) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  const end = await running.finished;
  if (end.signal !== 'SIGKILL') expectOk(end);
  return end.signal === 'SIGKILL';
}

/** Returns everything below a folder, unpacked, as one text. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name)))
    .map((bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('latin1'))
    .join('\n');
}

describe('killed at many instants', () => {
  const SECRET = 'planted-5f0c2d';
  const names = Array.from({ length: 15 }, (_, at) => [`file-${at}`, `made-${at}`]).flat();
  const program = `
    import { Config } from '@cairn/sdk';
    import { LocalCommand, LocalFile } from '@cairn/provider-local';
    const token = new Config().requireSecret('token');
    for (let at = 0; at < 15; at += 1) {
      const file = new LocalFile('file-' + at, { path: 'file-' + at, content: 'x' });
      new LocalCommand('made-' + at, {
        create: 'echo made-' + at + ' >> creates.log && : > made-' + at,
        delete: 'rm made-' + at,
        environment: { TOKEN: token },
      }, { dependsOn: at % 3 === 0 ? [file] : [] });
    }`;
  let box: Sandbox;
  const onDisk = (): string[] => names.filter((name) => existsSync(path.join(box.directory, name)));
  const doubted = (text: string): string[] =>
    [...text.matchAll(/whether \w+ "([^"]+)"/g)].map((found) => found[1] as string);

  beforeAll(async () => {
    box = await stackWith({ 'index.ts': program });
    expectOk(await box.cairn(['config', 'set', '--secret', 'token', SECRET]));
  });
  afterEach(() => expect(everythingIn(box.state)).not.toContain(SECRET));

  test('what exists is in the state or in doubt, and nothing is made twice in silence', async () => {
    const inDoubt = new Set<string>();
    let kills = 0;
    for (const instant of [0, 5_000, 12_000, 'fold.json'] as const) {
      if (await killAt(box, [...UP, '--parallel', '3'], instant)) kills += 1;
      const { done, pending } = await known(box);
      for (const name of pending) inDoubt.add(name);
      expect(onDisk().filter((name) => !done.has(name) && !pending.has(name))).toEqual([]);
      const missing = [...done].filter((name) => names.includes(name) && !onDisk().includes(name));
      expect(missing).toEqual([]);
    }
    expect(kills).toBeGreaterThanOrEqual(3);
    const last = expectOk(await box.cairn(UP));
    for (const name of doubted(last.text)) inDoubt.add(name);
    expect(onDisk()).toEqual(names);
    const runs = readFileSync(path.join(box.directory, 'creates.log'), 'utf8').trim().split('\n');
    const twice = runs.filter((name, at) => runs.indexOf(name) !== at);
    expect(twice.filter((name) => !inDoubt.has(name))).toEqual([]);
    expect([...(await known(box)).done]).toEqual(expect.arrayContaining(names));
  });

  test('destroying goes on where it was killed, and leaves nothing', async () => {
    for (const instant of [0, 2_000, 'fold.json'] as const) {
      await killAt(box, [...DESTROY, '--parallel', '3'], instant);
      const { done, pending } = await known(box);
      expect(onDisk().filter((name) => !done.has(name) && !pending.has(name))).toEqual([]);
      const gone = [...done].filter((name) => names.includes(name) && !onDisk().includes(name));
      expect(gone.filter((name) => !pending.has(name))).toEqual([]);
    }
    const waits = await box.cairn(DESTROY);
    // Cairn cannot look at what a command did: it asks about deletes that were in flight.
    for (const [, step = '', name = ''] of waits.stdout.matchAll(/^([0-9a-f]{8}) (made-\d+) waits/gm)) {
      const answer = onDisk().includes(name) ? '--not-done' : '--done';
      expectOk(await box.cairn(['change', 'resolve', step, answer]));
    }
    expectOk(await box.cairn(DESTROY));
    expect(onDisk()).toEqual([]);
    expect((await known(box)).done.size).toBe(0);
  });
});

/** A program that reports that it runs, then waits until the test writes the pipe. */
const WAITING = `
  import { readFileSync } from 'node:fs';
  console.log('program is in');
  readFileSync('go.pipe');`;
const pipeIn = (box: Sandbox, name: string): string => {
  const pipe = path.join(box.directory, name);
  execFileSync('mkfifo', [pipe]);
  return pipe;
};

describe('locks', () => {
  test('of two commands at once exactly one works', async () => {
    const box = await stackWith({ 'index.ts': WAITING });
    const pipe = pipeIn(box, 'go.pipe');
    const both = [box.start(UP), box.start(UP)] as const;
    const loser = await Promise.race(both.map((running) => running.finished));
    expectRefused(loser, 'CAIRN-STATE-LOCKED');
    const winner = both.find((running) => running.process.exitCode === null) as Running;
    await winner.shown('program is in');
    writeFileSync(pipe, 'go');
    expectOk(await winner.finished);
    expect(filesOf(box, 'locks/organization/shop/dev')).toEqual([]);
  });

  test('killed in its preview, before anything was begun: the next command takes over and says so', async () => {
    const box = await stackWith({ 'index.ts': WAITING });
    pipeIn(box, 'go.pipe');
    const running = box.start(['up', '--yes']);
    await running.shown('program is in');
    running.process.kill('SIGKILL');
    await running.finished;
    expect(journalsOf(box)).toEqual([]);
    box.write('index.ts', '');
    const next = expectOk(await box.cairn(UP));
    expect(next.text).toContain(
      `removed the lock of process ${running.process.pid}, which is no longer running`,
    );
  });

  test('a paused command that wakes up after `cairn cancel` overwrites nothing and begins nothing', async () => {
    const slow = `
      import { LocalCommand, LocalFile } from '@cairn/provider-local';
      const slow = new LocalCommand('slow', { create: 'echo in > in.pipe; cat go.pipe' });
      new LocalFile('late', { path: 'late.txt', content: 'x' }, { dependsOn: [slow] });`;
    const box = await stackWith({ 'index.ts': slow });
    const [started, go] = [pipeIn(box, 'in.pipe'), pipeIn(box, 'go.pipe')];
    const stale = box.start(UP);
    execFileSync('cat', [started]);
    stale.process.kill('SIGSTOP');
    expectOk(await box.cairn(['cancel', '--yes']));
    box.write(
      'index.ts',
      `import { LocalFile } from '@cairn/provider-local';
       new LocalFile('mine', { path: 'mine.txt', content: 'x' });`,
    );
    const waiting = await box.cairn(UP);
    expect([waiting.code, waiting.text]).toEqual([
      10,
      expect.stringMatching(/slow waits: .*while creating\]/),
    ]);
    expectOk(await box.cairn(['change', 'resolve', '1/3', '--not-created']));
    expectOk(await box.cairn(UP));
    const before = contentOf(box);
    stale.process.kill('SIGCONT');
    writeFileSync(go, 'go');
    expectRefused(await stale.finished, 'CAIRN-LEASE-LOST', /the newest is 4, and it was taken over/);
    expect(contentOf(box)).toEqual(before);
    expect(existsSync(path.join(box.directory, 'late.txt'))).toBe(false);
    expectOk(await box.cairn(UP));
  });
});

describe('a journal', () => {
  const files = (count: number): string => `
    import { LocalFile } from '@cairn/provider-local';
    for (let at = 0; at < ${count}; at += 1)
      new LocalFile('file-' + String(at).padStart(4, '0'), { path: 'd/' + String(at).padStart(4, '0'), content: 'x' });`;

  test('takes as many bytes per step in a stack of 200 as in one of 20', async () => {
    const perStep = async (count: number): Promise<number> => {
      const box = await stackWith({ 'index.ts': files(count) });
      expectOk(await box.cairn(UP));
      return journalSize(box) / count;
    };
    const [few, many] = [await perStep(20), await perStep(200)];
    expect(many).toBeLessThanOrEqual(few);
  });

  test('damaged in its middle is refused with nothing written; without the damage it is taken over', async () => {
    const box = await stackWith({ 'index.ts': files(20) });
    expect(await killAt(box, [...UP, '--parallel', '1'], 4_000)).toBe(true);
    const segment = stored(box, `${JOURNALS}/${journalsOf(box).at(-1)}/000001.log`);
    const whole = readFileSync(segment);
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(1_000) ^ 1, 1_000);
    writeFileSync(segment, damaged);
    const before = contentOf(box);
    for (const words of [UP, DESTROY]) expectRefused(await box.cairn(words), 'CAIRN-JOURNAL-CORRUPT');
    expect(contentOf(box)).toEqual(before);
    expect(readFileSync(segment)).toEqual(damaged);
    writeFileSync(segment, whole);
    expect(expectOk(await box.cairn(UP)).text).toMatch(/change 1 \(up\) ended early/);
  });

  test('is kept for as many operations as asked; histories stay whole', async () => {
    const box = await stackWith({ 'index.ts': files(1) }, { CAIRN_JOURNAL_RETENTION: '2' });
    for (const words of [UP, UP, DESTROY]) expectOk(await box.cairn(words));
    expect(journalsOf(box)).toEqual(['00000002', '00000003']);
    const history = JSON.parse(expectOk(await box.cairn(['stack', 'history', '--json'])).stdout);
    expect(history.map((row: { kind: string }) => row.kind)).toEqual(['destroy', 'update', 'update']);
    // The second update leaves the state as it is.
    expect(filesOf(box, 'backups/shop/dev')).toHaveLength(2);
    expect(filesOf(box, 'stacks/shop')).toEqual(['dev.json', 'dev.json.bak']);
  });
});

describe('documents', () => {
  let box: Sandbox;
  let exported = '';
  beforeAll(async () => {
    box = await stackWith(
      {
        'index.ts': `import { RandomPassword, RandomPet } from '@cairn/provider-random';
          new RandomPet('pet'); new RandomPassword('password', { length: 12 });`,
      },
      { PULUMI_DIY_BACKEND_GZIP: 'true' },
    );
    expectOk(await box.cairn(UP));
    exported = expectOk(await box.cairn(['stack', 'export'])).stdout;
  });

  test('a compressed store is read, written and exported; import of an export changes nothing', async () => {
    expect(filesOf(box, 'stacks/shop')).toContain('dev.json.gz');
    expect(filesOf(box, 'stacks/shop')).not.toContain('dev.json');
    expectOk(await box.cairn(['stack', 'import'], { input: exported }));
    const second = expectOk(await box.cairn(['stack', 'export'])).stdout;
    // Of an import only the time and the ciphertexts are new.
    const steady = (text: string): string => text.replace(/"(time|ciphertext)": "[^"]+"/g, '"$1"');
    expect(steady(second)).toBe(steady(exported));
    expect(expectOk(await box.cairn(['preview'])).text).toMatch(/unchanged/);
  });

  test('a state that was cut off is called so, and state repair puts back what the last change left; a wrong mark is renewed', async () => {
    const plain = await stackWith({
      'index.ts': `import { RandomPet } from '@cairn/provider-random'; new RandomPet('pet');`,
    });
    expectOk(await plain.cairn(UP));
    const whole = contentOf(plain);
    writeFileSync(stored(plain, CHECKPOINT), whole.subarray(0, 300));
    expectRefused(
      await plain.cairn(UP),
      'CAIRN-STATE-CORRUPT',
      /the file was cut off/,
      /disk was full/,
      /`cairn state repair`/,
    );
    expectRefused(
      await plain.cairn(['resume']),
      'CAIRN-STATE-CORRUPT',
      /the file was cut off/,
      /`cairn state repair`/,
    );
    const unasked = await plain.cairn(['state', 'repair']);
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      expect.stringMatching(/the state after change 1[^]*CAIRN-NEEDS-CONFIRMATION[^]*pass --yes\.$/m),
    ]);
    expect(contentOf(plain)).toHaveLength(300);
    const repaired = expectOk(await plain.cairn(['state', 'repair', '--yes']));
    expect(repaired.stderr).toMatch(/The copy \S+ of .* can be read: 3 resources/);
    expect(repaired.stderr).toContain('the state after change 1');
    expect(contentOf(plain)).toEqual(whole);

    const marked = whole.toString().replace(/"magic":"[0-9a-f]+"/, '"magic":"00"');
    writeFileSync(stored(plain, CHECKPOINT), marked);
    expectRefused(await plain.cairn(UP), 'CAIRN-STATE-INTEGRITY', /magic cookie/);
    expect(expectOk(await plain.cairn(['state', 'repair', '--yes'])).stderr).toContain('renewed the mark');
    expect(contentOf(plain).toString()).not.toContain('"magic":"00"');
    expect(expectOk(await plain.cairn(UP)).text).toMatch(/unchanged/);
  });

  type Document = { version: unknown; deployment: { resources: Record<string, unknown>[] } };
  test.each<[string, (document: Document) => unknown]>([
    ['a list', () => []],
    ['without a deployment', () => ({ version: 3 })],
    ['of a version to come', (document) => ({ ...document, version: 99 })],
    [
      'with resources that are none',
      (document) => ((document.deployment.resources = [7 as never]), document),
    ],
    [
      'with the same resource twice',
      (document) => (
        document.deployment.resources.push({ ...document.deployment.resources.at(-1) }),
        document
      ),
    ],
    [
      'with a parent that is its child',
      ({ deployment, ...rest }) => {
        const last = deployment.resources.at(-1) as Record<string, unknown>;
        last['parent'] = last['urn'];
        return { ...rest, deployment };
      },
    ],
    [
      'with a URN that is none',
      (document) => (((document.deployment.resources.at(-1) ?? {})['urn'] = '../../etc'), document),
    ],
  ])('a document %s is refused, and the state stays', async (_what, edit) => {
    const document = JSON.parse(exported) as Document;
    const before = contentOf(box, 'stacks/shop/dev.json.gz');
    expectRefused(await box.cairn(['stack', 'import'], { input: JSON.stringify(edit(document)) }), 'CAIRN-');
    expect(contentOf(box, 'stacks/shop/dev.json.gz')).toEqual(before);
  });
});

/** Tells whether this user may mount a file system of a size of its own. */
function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const box = sandbox();
  boxes.push(box);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', box.state], { stdio: 'ignore' });
    execFileSync('umount', [box.state]);
    return true;
  } catch {
    return false;
  }
}

(mayMount() ? describe : describe.skip)('a medium (skipped where a user may not mount one)', () => {
  const program = `
    import { LocalFile } from '@cairn/provider-local';
    for (let at = 0; at < 20; at += 1)
      new LocalFile('file-' + at, { path: 'file-' + at, content: String(at).repeat(8000) });`;
  let box: Sandbox;
  const mount = (options: string): void => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', box.state]);
  };
  beforeEach(() => {
    box = sandbox({ 'index.ts': program });
    boxes.push(box);
    mkdirSync(box.state, { recursive: true });
    mount('size=300k');
  });
  afterEach(() => {
    execFileSync('umount', [box.state]);
  });

  test('that is full stops the operation; what was recorded is there when there is room again', async () => {
    giveStack(box);
    expectRefused(await box.cairn([...UP, '--parallel', '2']), 'CAIRN-STORE-FULL', /no space/);
    mount('remount,size=20m');
    const { done, pending } = await known(box);
    const files = readdirSync(box.directory).filter((name) => name.startsWith('file-'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => !done.has(name) && !pending.has(name))).toEqual([]);
    expectOk(await box.cairn(UP));
    expectOk(await box.cairn(DESTROY));
    expect(readdirSync(box.directory).filter((name) => name.startsWith('file-'))).toEqual([]);
  });

  test('that stays full keeps nobody from removing locks: cancel needs no room, and resume and rollback leave none', async () => {
    const locks = (): string[] => filesOf(box, 'locks/organization/shop/dev');
    giveStack(box);
    const up = box.start([...UP, '--parallel', '2']);
    while (up.process.exitCode === null && journalSize(box) === 0)
      await new Promise((resolve) => setImmediate(resolve));
    up.process.kill('SIGKILL');
    await up.finished;
    const left = locks();
    expect(left).toHaveLength(1);
    const lock = contentOf(box, `locks/organization/shop/dev/${left[0]}`);
    const fill = (): void => {
      const filler = stored(box, 'filler');
      for (const size of [1 << 14, 1 << 12, 1]) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
        } catch (thrown) {
          expect((thrown as NodeJS.ErrnoException).code).toBe('ENOSPC');
        }
      }
    };
    fill();
    for (const words of [
      ['resume', '--yes'],
      ['rollback', '--yes'],
    ]) {
      expectRefused(await box.cairn(words), 'CAIRN-STORE-FULL', /no space/);
      expect(locks()).toEqual([]);
      mount('remount,size=20m');
      writeFileSync(stored(box, `locks/organization/shop/dev/${left[0]}`), lock);
      mount('remount,size=300k');
      fill();
    }
    expectOk(await box.cairn(['cancel', '--yes']));
    expect(locks()).toEqual([]);
    mount('remount,size=20m');
    expectOk(await box.cairn(['rollback', '--yes']));
  });

  test('that is read-only is named before anything is made', async () => {
    giveStack(box);
    mount('remount,ro');
    expectRefused(await box.cairn(UP), 'CAIRN-STORE-READ-ONLY', /read-only/);
    expect(existsSync(path.join(box.directory, 'file-0'))).toBe(false);
  });
});
