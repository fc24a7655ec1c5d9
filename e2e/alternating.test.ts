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
import { expectOk, sandbox } from './support/cairn.js';
import type { Finished, Running, Sandbox } from './support/cairn.js';
import { makePipes, written } from './support/pipes.js';

/**
 * Two tools on one bucket, and one of them is killed. The other one is a stand-in here, which does to the files what
 * the real one was seen to do: it knows checkpoints and locks, and no journals.
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
  resources?: Resource[];
  pending_operations?: Pending[];
}

const nameOf = ({ urn }: Resource): string => urn.slice(urn.lastIndexOf('::') + 2);

/** What the other tool does, to one stack. */
class OtherTool {
  readonly checkpoint: string;
  private readonly locks: string;

  constructor(box: Sandbox) {
    this.checkpoint = path.join(box.state, '.pulumi/stacks/shop/dev.json');
    this.locks = path.join(box.state, '.pulumi/locks/organization/shop/dev');
  }

  /** It works on nothing that is locked, whoever has locked it. */
  isLockedOut(): boolean {
    return this.lockFiles().length > 0;
  }

  /** `cancel`: removes every lock. */
  cancel(): void {
    for (const file of this.lockFiles()) rmSync(path.join(this.locks, file));
  }

  /** Names of what it sees, and of what is pending. */
  sees(): { readonly resources: readonly string[]; readonly pending: readonly string[] } {
    const { resources = [], pending_operations: pending = [] } = this.latest();
    return {
      resources: resources.map(nameOf),
      pending: pending.map(({ type, resource }) => `${type} ${nameOf(resource)}`),
    };
  }

  /**
   * Stores a state, as after each of its steps: the one before it becomes `.bak`. What is pending as a create stays so.
   */
  store(change: (latest: Latest) => void): void {
    copyFileSync(this.checkpoint, `${this.checkpoint}.bak`);
    const file = JSON.parse(readFileSync(this.checkpoint, 'utf8')) as { checkpoint: { latest: Latest } };
    change(file.checkpoint.latest);
    writeFileSync(this.checkpoint, JSON.stringify(file));
  }

  /** Leaves its lock behind, of a process that is gone. */
  diesWithItsLock(): void {
    mkdirSync(this.locks, { recursive: true });
    const lock = {
      pid: 4_194_000,
      username: 'ann',
      hostname: hostname(),
      timestamp: '2030-01-01T00:00:00.5Z',
    };
    writeFileSync(path.join(this.locks, '57110f5c-d970-4cb4-afbd-09ef518545a6.json'), JSON.stringify(lock));
  }

  private latest(): Latest {
    return (JSON.parse(readFileSync(this.checkpoint, 'utf8')) as { checkpoint: { latest: Latest } })
      .checkpoint.latest;
  }

  private lockFiles(): readonly string[] {
    return existsSync(this.locks) ? readdirSync(this.locks) : [];
  }
}

const program = (command: string): string => `
import { LocalCommand, LocalFile } from '@cairn/provider-local';
const before = new LocalFile('before', { path: 'before.txt', content: 'x' });
new LocalCommand('slow', { create: ${JSON.stringify(command)} }, { dependsOn: [before] });
`;
const HANGS = 'trap "" INT TERM; echo ready > ready.pipe; exec cat never.pipe';
const UP = ['up', '--yes', '--skip-preview'];

async function stack(): Promise<{ box: Sandbox; other: OtherTool }> {
  const box = sandbox({ 'index.ts': program(HANGS) });
  makePipes(box, 'ready.pipe', 'never.pipe');
  expectOk(await box.cairn(['stack', 'init', 'dev']));
  return { box, other: new OtherTool(box) };
}

/** An update whose second create hangs. */
async function hanging(box: Sandbox, env: Record<string, string> = {}): Promise<Running> {
  const running = box.start(UP, { env });
  await written(box, 'ready.pipe', running);
  return running;
}

async function kill(running: Running): Promise<Finished> {
  running.process.kill('SIGKILL');
  return running.finished;
}

/** Waits for what another process stores. */
async function until(holds: () => boolean, running: Running): Promise<void> {
  let over = false;
  void running.finished.then(() => (over = true));
  while (!holds()) {
    if (over) throw new Error((await running.finished).text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const HALF = { resources: ['shop-dev', 'default_0_1_0', 'before'], pending: ['creating slow'] };

test('interrupted and killed: the other tool finds what was done and what is pending; once it has worked on, state repair leads out', async () => {
  const { box, other } = await stack();
  try {
    const running = await hanging(box);
    expect(other.sees().resources).toEqual([]);
    running.process.kill('SIGINT');
    await until(() => other.sees().pending.length > 0, running);
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
    expect((await box.cairn(['state', 'repair'])).stderr).toContain('--yes');
    const repaired = expectOk(await box.cairn(['state', 'repair', '--yes']));
    expect(repaired.stderr).toMatch(
      /Change 1 \(update by process \d+ on .*\) ended early, and somebody else has altered/,
    );
    expect(repaired.stderr).toMatch(/creating urn:\S*::before \(id \S+\): done; the state has it/);
    expect(repaired.stderr).toMatch(/creating urn:\S*::slow: nobody knows whether it was done/);
    expect(repaired.stderr).toContain('Set change 1 aside');
    expect(readFileSync(other.checkpoint, 'utf8')).toBe(theirs);
    expect((await box.cairn(['resume', '1'])).stderr).toContain('CAIRN-CHANGE-ENDED');

    const asks = await box.cairn(UP);
    expect(asks.code).toBe(10);
    const answer = /cairn (change resolve \S+ --not-created)/.exec(asks.stdout)?.[1]?.split(' ') ?? [];
    expectOk(await box.cairn(answer));
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
    const back = await box.cairn(['rollback', '--yes']);
    expect(back.code).toBe(10);
    const answer = /cairn (change resolve \S+ --not-created)/.exec(back.stdout)?.[1]?.split(' ') ?? [];
    expectOk(await box.cairn(answer));
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
    const asks = await box.cairn(UP);
    expect(asks.code).toBe(10);
    const answer = /cairn (change resolve \S+ --not-created)/.exec(asks.stdout)?.[1]?.split(' ') ?? [];
    expectOk(await box.cairn(answer));
    expectOk(await box.cairn(UP));
    expect(other.sees().pending).toEqual([]);
  } finally {
    box.remove();
  }
});
