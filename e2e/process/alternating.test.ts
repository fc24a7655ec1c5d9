import { hostname } from 'node:os';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Running, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { makePipes, written } from '../support/pipes.js';

/**
 * Two tools on one bucket, and one of them is killed. A stand-in replaces the other one and does to the files what the
 * real one was seen to do: it knows checkpoints and locks, and no journals.
 */

interface Resource {
  readonly urn: string;
  readonly id?: string;
}

interface Pending {
  readonly type: string;
  readonly resource: Resource;
}

interface Latest {
  manifest?: object;
  resources?: Resource[];
  pending_operations?: Pending[];
}

const nameOf = ({ urn }: Resource): string => urn.slice(urn.lastIndexOf('::') + 2);

/** The other tool, on one stack. */
class OtherTool {
  readonly checkpoint: string;
  readonly #locks: string;

  constructor(box: Sandbox) {
    this.checkpoint = path.join(box.state, '.pulumi/stacks/shop/dev.json');
    this.#locks = path.join(box.state, '.pulumi/locks/organization/shop/dev');
  }

  /** Tells whether it is locked out: it works on nothing that is locked, by either tool. */
  isLockedOut(): boolean {
    return this.#lockFiles().length > 0;
  }

  /** `cancel`: removes every lock. */
  cancel(): void {
    for (const file of this.#lockFiles()) rmSync(path.join(this.#locks, file));
  }

  /** Returns the names of resources that it sees, and of pending ones. */
  sees(): { readonly resources: readonly string[]; readonly pending: readonly string[] } {
    const { resources = [], pending_operations: pending = [] } = this.#latest();
    return {
      resources: resources.map(nameOf),
      pending: pending.map(({ type, resource }) => `${type} ${nameOf(resource)}`),
    };
  }

  /** Stores a state, as after each of its steps: the one before it becomes `.bak`. Pending creates stay pending. */
  store(change: (latest: Latest) => void): void {
    copyFileSync(this.checkpoint, `${this.checkpoint}.bak`);
    const file = JSON.parse(readFileSync(this.checkpoint, 'utf8')) as { checkpoint: { latest: Latest } };
    change(file.checkpoint.latest);
    writeFileSync(this.checkpoint, JSON.stringify(file));
  }

  /** Leaves its lock behind, of a process that is gone. */
  diesWithItsLock(): void {
    mkdirSync(this.#locks, { recursive: true });
    const lock = {
      pid: 4_194_000,
      username: 'ann',
      hostname: hostname(),
      timestamp: '2030-01-01T00:00:00.5Z',
    };
    writeFileSync(path.join(this.#locks, '57110f5c-d970-4cb4-afbd-09ef518545a6.json'), JSON.stringify(lock));
  }

  #latest(): Latest {
    return (JSON.parse(readFileSync(this.checkpoint, 'utf8')) as { checkpoint: { latest: Latest } })
      .checkpoint.latest;
  }

  #lockFiles(): readonly string[] {
    return existsSync(this.#locks) ? readdirSync(this.#locks) : [];
  }
}

const program = (command: string, onDelete = 'true'): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const before = new LocalFile('before', { path: 'before.txt', content: 'x' });
new LocalCommand('slow', { create: ${JSON.stringify(command)}, delete: ${JSON.stringify(onDelete)} }, { dependsOn: [before] });
`;
const HANGS = 'trap "" INT TERM; echo ready > ready.pipe; exec cat never.pipe';
const UP = ['up', '--yes', '--skip-preview'];

async function stack(): Promise<{ box: Sandbox; other: OtherTool }> {
  const box = sandbox({ 'index.ts': program(HANGS) });
  makePipes(box, 'ready.pipe', 'never.pipe');
  giveStack(box);
  return { box, other: new OtherTool(box) };
}

/** Starts an update whose second create hangs. */
async function hanging(box: Sandbox, env: Record<string, string> = {}): Promise<Running> {
  const running = box.start(UP, { env });
  await written(box, 'ready.pipe', running);
  return running;
}

async function kill(running: Running): Promise<Finished> {
  running.process.kill('SIGKILL');
  return running.finished;
}

/** Waits until another process has stored something. */
async function until(holds: () => boolean, running: Running): Promise<void> {
  let over = false;
  void running.finished.then(() => (over = true));
  while (!holds()) {
    if (over) throw new Error((await running.finished).text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs a command that asks about the create that hangs, and answers that it was not done. */
async function notCreated(box: Sandbox, words: readonly string[]): Promise<void> {
  const asks = await box.cairn(words);
  expect(asks.code).toBe(10);
  const answer = /cairn (change resolve \S+ --not-created)/.exec(asks.stdout)?.[1]?.split(' ') ?? [];
  expectOk(await box.cairn(answer));
}

const HALF = { resources: ['shop-dev', 'default_0_1_0', 'before'], pending: ['creating slow'] };

const NINE = `
import { LocalCommand } from '@cairn/provider-local';
for (const name of ['a', 'b', 'c', 'd']) new LocalCommand(name, { create: 'echo ' + name });
for (const name of ['e', 'f', 'g', 'h', 'i'])
  new LocalCommand(name, { create: 'test -s ../seen.json || cp ' + process.env.CHECKPOINT + ' ../seen.json; exec cat never.pipe' });
`;

test('killed in the middle of nine creates: the other tool finds each, done or pending, and already the first effect', async () => {
  const box = sandbox({ 'index.ts': NINE });
  try {
    makePipes(box, 'never.pipe');
    giveStack(box);
    const other = new OtherTool(box);
    const running = box.start(UP, { env: { CHECKPOINT: other.checkpoint } });
    const done = ['a', 'b', 'c', 'd'];
    const underWay = ['e', 'f', 'g', 'h', 'i'].map((name) => `creating ${name}`);
    const isWritten = (): boolean => {
      const { resources, pending } = other.sees();
      return done.every((name) => resources.includes(name)) && pending.length === underWay.length;
    };
    await until(isWritten, running);
    await kill(running);
    const { resources, pending } = other.sees();
    expect([...resources].sort()).toEqual([...done, 'default_0_1_0', 'shop-dev'].sort());
    expect([...pending].sort()).toEqual(underWay);
    const seen = JSON.parse(readFileSync(path.join(box.directory, '../seen.json'), 'utf8')) as {
      readonly checkpoint: { readonly latest: Latest };
    };
    expect(seen.checkpoint.latest.pending_operations).not.toEqual([]);
    const resumed = await box.cairn(['resume', '--yes'], { env: { CHECKPOINT: other.checkpoint } });
    expect(resumed.code).toBe(10);
    const inDoubt = [...resumed.text.matchAll(/ (\w) waits: .*while (creating)\]/g)].map(
      ([, name, type]) => `${type} ${name}`,
    );
    expect(inDoubt.sort()).toEqual(underWay);
  } finally {
    box.remove();
  }
});

test('killed: the other tool finds what was done and what is pending; once it has worked on, state repair leads out', async () => {
  const { box, other } = await stack();
  try {
    const running = await hanging(box);
    await until(() => other.sees().pending.includes('creating slow'), running);
    await kill(running);
    expect(other.sees()).toEqual(HALF);
    expect(other.isLockedOut()).toBe(true);
    other.cancel();
    other.store(({ resources = [], pending_operations: pending = [] }) => {
      resources.push({ ...(pending[0] as Pending).resource, id: 'made-by-the-other' });
    });
    const theirs = readFileSync(other.checkpoint, 'utf8');

    box.write('index.ts', program('true'));
    const refused = await box.cairn(UP);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('CAIRN-STORE-CONFLICT');
    expect(refused.stderr).toContain('`cairn state repair`');
    const shown = await box.cairn(['state', 'repair']);
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringMatching(/^Change 1 [^]* pass --yes\.$/m)]);
    const repaired = expectOk(await box.cairn(['state', 'repair', '--yes']));
    expect(repaired.stderr).toMatch(
      /Change 1 \(update by process \d+ on .*\) ended early, and the state has been changed/,
    );
    expect(repaired.stderr).toMatch(/creating urn:\S*::before \(id \S+\): done; the state has it/);
    expect(repaired.stderr).toMatch(/creating urn:\S*::slow: unknown whether it was done/);
    expect(repaired.stderr).toContain('Set change 1 aside');
    expect(readFileSync(other.checkpoint, 'utf8')).toBe(theirs);
    expect((await box.cairn(['resume', '1'])).stderr).toContain('CAIRN-CHANGE-ENDED');

    await notCreated(box, UP);
    expectOk(await box.cairn(UP));
    expect(other.sees()).toMatchObject({
      resources: expect.arrayContaining(['before', 'slow']) as unknown,
      pending: [],
    });
  } finally {
    box.remove();
  }
});

test('killed, every step written through: whoever goes on with it starts from before it, also when the other tool has removed the lock', async () => {
  const { box, other } = await stack();
  try {
    await kill(await hanging(box, { CAIRN_CHECKPOINT: 'each-step' }));
    expect(other.sees()).toEqual(HALF);
    other.cancel();
    await notCreated(box, ['rollback', '--yes']);
    expect((await box.cairn(['rollback', '--yes'])).code).toBe(0);
    expect(existsSync(path.join(box.directory, 'before.txt'))).toBe(false);
    expect(other.sees()).toEqual({ resources: [], pending: [] });
    expect((await box.cairn(UP, { env: { CAIRN_CHECKPOINT: 'often' } })).stderr).toContain(
      'paced, each-step, end',
    );
  } finally {
    box.remove();
  }
});

test.each([
  ['its refresh', 'refresh', HALF.resources],
  ['its destroy', 'destroy', []],
])(
  'killed, and the other tool goes on with %s: nothing is taken over, state repair leads out, and the create is asked about',
  async (_title, what, left) => {
    const { box, other } = await stack();
    try {
      await kill(await hanging(box, { CAIRN_CHECKPOINT: 'each-step' }));
      other.cancel();
      // Neither drops a create that is pending.
      other.store((latest) => {
        if (what === 'destroy') delete latest.resources;
        latest.manifest = { time: '2030-01-01T00:00:00Z', magic: 'of the other', version: 'v3.260.0' };
      });
      if (what === 'destroy') rmSync(path.join(box.directory, 'before.txt'));
      box.write('index.ts', program('true'));
      for (const words of [['resume'], ['rollback'], ['refresh'], ['destroy'], ['up']]) {
        const refused = await box.cairn([...words, '--yes']);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('CAIRN-STORE-CONFLICT')]);
      }
      expectOk(await box.cairn(['state', 'repair', '--yes']));
      expect(other.sees()).toEqual({ resources: left, pending: HALF.pending });
      const ended = await box.cairn(['resume', '--yes']);
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('CAIRN-CHANGE-ENDED')]);
      expect((await box.cairn(['changes'])).stdout).not.toContain('unfinished');

      if (what === 'destroy') {
        const asks = await box.cairn(UP);
        expect([asks.code, asks.text]).toEqual([
          10,
          expect.stringContaining('its provider is no longer in the state'),
        ]);
        expect(asks.text).not.toContain('error[');
        const made = /cairn (change resolve \S+ --created)/.exec(asks.stdout)?.[1]?.split(' ') ?? [];
        const cannot = await box.cairn([...made, 'some-id']);
        expect(cannot.code).not.toBe(0);
        expect(cannot.text).toContain('Pass `--not-created`');
      }
      await notCreated(box, UP);
      expectOk(await box.cairn(UP));
      expect([...other.sees().resources].sort()).toEqual([...HALF.resources, 'slow'].sort());
      expect(other.sees().pending).toEqual([]);
    } finally {
      box.remove();
    }
  },
);

test('a journal that is damaged is named with the way out, set aside, and is unfinished no more', async () => {
  const { box, other } = await stack();
  try {
    await kill(await hanging(box, { CAIRN_CHECKPOINT: 'each-step' }));
    const log = path.join(box.state, '.pulumi/journals/shop/dev/00000001/000001.log');
    const bytes = readFileSync(log);
    bytes.fill('X', 300, 304);
    writeFileSync(log, bytes);
    box.write('index.ts', program('true'));
    for (const words of [UP, ['resume', '--yes'], ['rollback', '--yes'], ['destroy', '--yes']]) {
      const refused = await box.cairn(words);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('CAIRN-JOURNAL-CORRUPT')]);
      expect(refused.stderr).toContain('`cairn state repair`');
    }
    expect(other.sees()).toEqual(HALF);
    const repaired = expectOk(await box.cairn(['state', 'repair', '--yes']));
    expect(repaired.stderr).toMatch(/Change 1 \(.*\) ended early, and its journal is damaged/);
    expect((await box.cairn(['changes'])).stdout).not.toContain('unfinished');
    expect((await box.cairn(['resume', '--yes'])).stderr).toContain('CAIRN-CHANGE-ENDED');
    await notCreated(box, UP);
    expectOk(await box.cairn(UP));
    expect([...other.sees().resources].sort()).toEqual([...HALF.resources, 'slow'].sort());
  } finally {
    box.remove();
  }
});

test('the other tool is killed in a delete: our refresh asks and keeps asking, and our destroy deletes nothing unasked', async () => {
  const { box, other } = await stack();
  try {
    box.write('index.ts', program('true', 'echo deleted >> ../deletes.log'));
    expectOk(await box.cairn(UP));
    other.diesWithItsLock();
    other.store((latest) => {
      const resource = latest.resources?.find((each) => nameOf(each) === 'slow') as Resource;
      latest.pending_operations = [{ resource, type: 'deleting' }];
    });
    expect((await box.cairn(['refresh', '--yes'])).stderr).toContain('CAIRN-STATE-LOCKED');
    expectOk(await box.cairn(['cancel', '--yes']));
    const destroy = ['destroy', '--yes', '--skip-preview'];
    for (const words of [['refresh', '--yes', '--skip-preview'], destroy, destroy]) {
      const asks = await box.cairn(words);
      expect([asks.code, asks.text]).toEqual([10, expect.stringMatching(/slow waits: .*while deleting\]/)]);
      expect(other.sees().pending).toEqual(['deleting slow']);
    }
    const deletes = path.join(box.directory, '../deletes.log');
    expect(existsSync(deletes)).toBe(false);
    const asks = await box.cairn(destroy);
    const answer = /cairn (change resolve \S+ --not-done)/.exec(asks.stdout)?.[1]?.split(' ') ?? [];
    expectOk(await box.cairn(answer));
    expectOk(await box.cairn(destroy));
    expect(readFileSync(deletes, 'utf8')).toBe('deleted\n');
    expect(other.sees()).toEqual({ resources: [], pending: [] });
  } finally {
    box.remove();
  }
});

test('killed in a delete, and the other tool goes on with its up: what it keeps is said to be stale, and not deleted unasked', async () => {
  const { box, other } = await stack();
  try {
    box.write('index.ts', program('true', `echo deleted >> ../deletes.log; ${HANGS}`));
    expectOk(await box.cairn(UP));
    const running = box.start(['destroy', '--yes', '--skip-preview'], {
      env: { CAIRN_CHECKPOINT: 'each-step' },
    });
    await written(box, 'ready.pipe', running);
    await kill(running);
    const whole = ['shop-dev', 'default_0_1_0', 'before', 'slow'];
    expect(other.sees()).toEqual({ resources: whole, pending: ['deleting slow'] });
    other.cancel();
    // It warns about a pending delete, forgets it, and finds nothing to do.
    other.store((latest) => {
      delete latest.pending_operations;
      latest.manifest = { time: '2030-01-01T00:00:00Z', magic: 'of the other', version: 'v3.260.0' };
    });
    box.write('index.ts', program('true'));
    expect((await box.cairn(UP)).stderr).toContain('CAIRN-STORE-CONFLICT');
    const { stderr } = expectOk(await box.cairn(['state', 'repair', '--yes']));
    expect(stderr).toMatch(
      /deleting urn:\S*::slow \(id \S+\): unknown whether it was done; the state has it/,
    );
    expect(stderr).toContain('Objects in the state may be gone, or have other values: run `cairn refresh`');
    expect(stderr).not.toContain('Objects may exist');
    expect(other.sees()).toEqual({ resources: whole, pending: [] });
    expectOk(await box.cairn(['refresh', '--yes', '--skip-preview']));
    expectOk(await box.cairn(UP));
    expect(readFileSync(path.join(box.directory, '../deletes.log'), 'utf8')).toBe('deleted\n');
  } finally {
    box.remove();
  }
});

test('the other tool is killed: its lock is named and removed by cancel, and what it left pending is asked about', async () => {
  const { box, other } = await stack();
  try {
    await kill(await hanging(box, { CAIRN_CHECKPOINT: 'end' }));
    expect(other.sees()).toEqual({ resources: [], pending: [] });
    box.write('index.ts', program('true'));
    expect((await box.cairn(UP)).code).toBe(10);
    other.diesWithItsLock();
    const locked = await box.cairn(UP);
    expect(locked.code).toBe(1);
    expect(locked.stderr).toMatch(/CAIRN-STATE-LOCKED[^]*ann@[^]*`cairn cancel`/);
    expectOk(await box.cairn(['cancel', '--yes']));
    await notCreated(box, UP);
    expectOk(await box.cairn(UP));
    expect(other.sees().pending).toEqual([]);
  } finally {
    box.remove();
  }
});
