import { FakeClock, memoryStore } from '@cairn/changes';
import { hasRunEnded, openRegister } from '@cairn/changes-daemon';
import type { ApprovalPolicy, RegisterChanges, RegisterDocument } from '@cairn/changes-daemon';
import { AgentCore } from '../src/agent.js';
import type { AgentConfig, AgentStack } from '../src/config/agent-config.js';
import type { AgentMessage } from '../src/runs/messages.js';
import { Draw, SimulatedWorld } from './simulated-stacks.js';

/**
 * Weeks of an agent in a simulated world, from a seed: commits, drifts, failing programs and providers, people who
 * approve and deny, and kills of the agent. `CAIRN_AGENT_SEEDS`, `_STACKS` and `_DAYS` have larger ones.
 */
jest.setTimeout(3_600_000);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Longest time from a drift to its notice: the interval, an outage, and a run that a person has to answer. */
const DRIFT_LIMIT = 6 * HOUR + 5 * HOUR;

const POLICY: ApprovalPolicy = {
  name: 'careful',
  approvals: 2,
  others: false,
  rules: [
    { name: 'users', when: { types: ['aws:iam/**'] }, then: 'refuse' },
    { name: 'small', when: { kinds: ['create', 'update'] }, then: 'apply' },
  ],
};

function settings(name: string, at: number): AgentStack {
  const every = (cron: string) => ({ cron, zone: 'UTC', jitterMs: 10 * 60_000, paused: false });
  return {
    name,
    stack: name,
    backend: undefined,
    source: {
      t: 'git',
      url: 'https://git.example/x.git',
      ref: 'refs/heads/main',
      folder: '.',
      everyMs: HOUR / 2,
    },
    before: [],
    afterwards: [],
    environment: [],
    onCommit: 'up',
    up: undefined,
    drift: { schedule: every('0 */6 * * *'), then: at % 2 === 0 ? 'up' : 'report' },
    policy: POLICY,
    recovery: (['resume', 'rollback', 'resume'] as const)[at % 3] ?? 'resume',
    timeToLive: undefined,
    after: at % 5 === 4 ? [`s${at - 1}`] : [],
    limits: { timeMs: HOUR, outputBytes: 1 << 20 },
  };
}

/** One simulated world with an agent that is killed and started again. */
class Simulation {
  readonly clock = new FakeClock(Date.UTC(2026, 2, 27));
  readonly draw: Draw;
  readonly world: SimulatedWorld;
  readonly config: AgentConfig;
  readonly messages: { file: string; message: AgentMessage }[] = [];
  readonly #approvedRuns = new Set<string>();
  core: AgentCore | undefined;
  restarts = 0;
  readonly #stored = new StoredRegister();
  #life = 0;
  #ids = 0;

  constructor(seed: number, stacks: number) {
    this.draw = new Draw(seed);
    const names = Array.from({ length: stacks }, (_, at) => `s${at}`);
    this.world = new SimulatedWorld(names, this.draw, this.clock);
    this.config = { file: 'agent.yaml', folder: '/', name: 'a', places: 6, stacks: names.map(settings) };
  }

  async start(): Promise<void> {
    const life = (this.#life += 1);
    const isDead = (): boolean => this.#life !== life;
    const never = (): Promise<never> => new Promise(() => undefined);
    const store = {
      read: () => Promise.resolve(this.#stored.document()),
      write: async (changes: RegisterChanges) => {
        await turn();
        if (isDead()) await never();
        this.#stored.write(changes);
      },
      replace: () => Promise.reject(new Error('no register is patched')),
    };
    const register = await openRegister({
      store,
      clock: this.clock,
      logs: () => memoryStore(),
      archive: () => Promise.resolve(),
      machine: { kinds: {} },
    });
    this.core = new AgentCore({
      config: this.config,
      register,
      work: this.world.workFor(isDead),
      inbox: {
        read: async () => (isDead() ? never() : Promise.resolve([...this.messages])),
        done: (file) => {
          const at = this.messages.findIndex((message) => message.file === file);
          if (at >= 0 && !isDead()) this.messages.splice(at, 1);
          return Promise.resolve();
        },
        refuse: () => Promise.reject(new Error('no message is damaged')),
      },
      fence: life,
      clock: this.clock,
      newId: () => `a${(this.#ids += 1)}`,
      log: () => undefined,
    });
    await this.core.start(() => undefined);
    this.restarts += 1;
  }

  /** Kills the agent at this await, with the processes that it has started. */
  kill(): void {
    this.#life += 1;
    this.core?.close();
    this.core = undefined;
    this.world.killProcesses();
  }

  leave(message: AgentMessage): void {
    this.messages.push({ file: `m${(this.#ids += 1)}`, message });
    this.core?.wake();
  }

  /** Lets time pass to the next timer, at most `ms`. */
  async tick(ms: number): Promise<void> {
    this.clock.advance(Math.max(1, Math.min(ms, this.clock.nextIn() ?? ms)));
    // Some turns settle everything usually; a kill may come in between.
    for (let at = 0; at < 8; at += 1) {
      await turn();
      if (this.draw.chance(0.00002)) this.kill();
    }
  }

  /** Has persons look at the runs that wait for them. */
  people(isPrompt: boolean): void {
    this.world.answer();
    for (const run of this.core?.ledger.runs.values() ?? []) {
      if (run.status !== 'waiting' || this.#approvedRuns.has(run.id)) continue;
      if (!isPrompt && !this.draw.chance(0.05)) continue;
      this.#approvedRuns.add(run.id);
      if (this.draw.chance(0.1)) {
        this.leave({ t: 'deny', run: run.id, by: 'carol' });
        continue;
      }
      const { digest = '', base = '', commit = '' } = run;
      const at = this.clock.now().toISOString();
      // One approval names a plan that is not the run's.
      this.leave({
        t: 'approve',
        run: run.id,
        approval: { by: 'mallory', at, digest: 'plan 0', base, commit },
      });
      for (const by of ['alice', 'alice', 'bob'])
        this.leave({ t: 'approve', run: run.id, approval: { by, at, digest, base, commit } });
    }
  }

  /** Changes something in the world. */
  disturb(): void {
    const name = this.draw.one([...this.world.stacks.keys()]);
    const stack = this.world.stack(name);
    if (this.draw.chance(0.02)) stack.commit += 1;
    if (this.draw.chance(0.02)) stack.driftedAt ??= this.clock.now().getTime();
    // A person works on the stack beside the agent.
    if (this.draw.chance(0.002)) stack.version += 1;
    if (this.draw.chance(0.002)) {
      const id = `p${(this.#ids += 1)}`;
      const kind = this.draw.one(['up', 'preview', 'refresh'] as const);
      this.leave({
        t: 'request',
        request: { id, stack: name, kind, by: 'alice', at: this.clock.now().toISOString() },
      });
    }
  }

  /** Checks that drifts were reported in time. */
  checkDrifts(): void {
    const now = this.clock.now().getTime();
    const notices = this.core?.ledger.notices.list({ types: ['drift-found'] }) ?? [];
    for (const [name, { driftedAt, operations }] of this.world.stacks) {
      if (driftedAt === undefined || now - driftedAt < DRIFT_LIMIT) continue;
      if (operations.some(({ state }) => state === 'asks')) continue;
      const notice = notices.find(({ key }) => key === name);
      if (notice === undefined || notice.lastOccurred < driftedAt * 1000)
        this.world.violations.push(
          `a drift of ${name} was not reported within ${(now - driftedAt) / HOUR} hours`,
        );
    }
  }
}

/** Register in rows. A write costs as much as it changes, so that weeks are quick. */
class StoredRegister {
  #head: RegisterChanges['head'] | undefined;
  readonly #parts = { data: new Map(), changes: new Map(), notices: new Map(), warnings: new Map() } as const;

  write(changes: RegisterChanges): void {
    this.#head = changes.head;
    for (const kind of ['data', 'changes', 'notices', 'warnings'] as const)
      for (const [name, part] of changes[kind])
        if (part === null) this.#parts[kind].delete(name);
        else this.#parts[kind].set(name, part);
  }

  document(): RegisterDocument | undefined {
    if (this.#head === undefined) return undefined;
    const { patch, started, lastChange, lastNotice: lastId, lastTimestamp } = this.#head;
    const { data, changes, notices, warnings } = this.#parts;
    return {
      ...{ patch, started, lastChange, data: Object.fromEntries(data) as RegisterDocument['data'] },
      changes: [...changes].map(([id, told]) => ({ id, told }) as RegisterDocument['changes'][number]),
      notices: { notices: [...notices.values()], lastId, lastTimestamp },
      warnings: [...warnings.values()],
    };
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs a world for some days and then until it rests. Returns it. */
async function simulate(seed: number, stacks: number, days: number): Promise<Simulation> {
  const simulation = new Simulation(seed, stacks);
  const { clock, draw } = simulation;
  await simulation.start();
  const end = clock.now().getTime() + days * DAY;
  let nextKill = clock.now().getTime() + draw.below(12 * HOUR);
  let nextCheck = clock.now().getTime();
  while (clock.now().getTime() < end) {
    await simulation.tick(10 * 60_000);
    simulation.disturb();
    simulation.people(false);
    if (clock.now().getTime() >= nextKill) {
      simulation.kill();
      nextKill = clock.now().getTime() + draw.below(16 * HOUR);
    }
    if (simulation.core === undefined) {
      if (draw.chance(0.3)) clock.advance(draw.below(HOUR));
      await simulation.start();
    }
    if (clock.now().getTime() >= nextCheck) {
      simulation.checkDrifts();
      nextCheck += HOUR;
    }
  }
  // It does not end at a time of a schedule: a run that has just begun would be none that is stuck.
  const rest = clock.now().getTime() + DAY - HOUR;
  while (clock.now().getTime() < rest) {
    await simulation.tick(10 * 60_000);
    simulation.people(true);
    if (simulation.core === undefined) await simulation.start();
  }
  return simulation;
}

const SEEDS = (process.env['CAIRN_AGENT_SEEDS'] ?? '1').split(',').map(Number);
const STACKS = Number(process.env['CAIRN_AGENT_STACKS'] ?? 6);
const DAYS = Number(process.env['CAIRN_AGENT_DAYS'] ?? 4);

test.each(SEEDS)('simulated weeks, seed %d', async (seed) => {
  const { world, core, restarts } = await simulate(seed, STACKS, DAYS);
  expect(world.violations).toEqual([]);
  // Every process that asked got an answer.
  expect([...world.asking]).toEqual([]);
  const runs = [...(core?.ledger.runs.values() ?? [])];
  // Every run ended, or says what it waits for.
  expect(runs.filter(({ status, why }) => !hasRunEnded(status) && why.length === 0)).toEqual([]);
  expect(
    runs
      .filter(({ status }) => !hasRunEnded(status) && status !== 'waiting')
      .map(({ id, status, why }) => [id, status, why]),
  ).toEqual([]);
  // Every effect happened once, and the runs that have one succeeded.
  // Of a stack, the last hundred runs that ended are kept.
  const ended = runs.filter(({ status }) => hasRunEnded(status)).map(({ stack }) => stack);
  const hasForgotten = [...world.stacks.keys()].some(
    (name) => ended.filter((stack) => stack === name).length >= 100,
  );
  for (const [run, count] of world.effects) {
    const { status } = core?.ledger.runs.get(run) ?? { status: hasForgotten ? 'succeeded' : 'forgotten' };
    expect([run, count, status]).toEqual([run, 1, 'succeeded']);
  }
  // Everything that a person has to know has a notice.
  const notices = core?.ledger.notices.list() ?? [];
  const noticed = (type: string, key: string): boolean =>
    notices.some((notice) => notice.type === type && notice.key === key);
  const silent = runs.filter(
    ({ id, status }) =>
      (status === 'waiting' && !noticed('approval-wanted', id)) ||
      ((status === 'failed' || status === 'refused' || status === 'expired') && !noticed('run-failed', id)) ||
      (status === 'rolled-back' && !noticed('run-recovered', id) && !noticed('run-held', id)),
  );
  expect(silent.map(({ id, status }) => [id, status])).toEqual([]);
  // The world was eventful enough to show something.
  expect(restarts).toBeGreaterThan(5);
  const statuses = new Set(runs.map(({ status }) => status));
  for (const status of ['succeeded', 'failed', 'refused', 'denied'] as const)
    expect(statuses).toContain(status);
});
