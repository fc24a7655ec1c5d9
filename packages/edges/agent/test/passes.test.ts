import { FakeClock, memoryStore } from '@cairn/changes';
import type { Clock } from '@cairn/changes';
import { openRegister } from '@cairn/changes-daemon';
import { AgentCore } from '../src/agent.js';
import type { AgentStack } from '../src/config/agent-config.js';
import type { AgentMessage } from '../src/runs/messages.js';
import type { StackWork } from '../src/stack-work.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const STACKS = 1_000;

/** Stack with a repository of its own branch, a drift run at 3 o'clock and an update each Monday. */
function settings(at: number): AgentStack {
  const schedule = (cron: string) => ({ cron, zone: 'UTC', jitterMs: 0, paused: false });
  return {
    ...{
      name: `s${at}`,
      stack: `s${at}`,
      backend: undefined,
      before: [],
      afterwards: [],
      environment: [],
      after: [],
    },
    source: {
      ...{ t: 'git', url: 'https://git.example/x.git', ref: `refs/heads/b${at}`, folder: '.' },
      everyMs: 12 * HOUR,
    },
    ...{ onCommit: 'nothing', recovery: 'resume', pulls: { forge: 'hub', review: false } },
    drift: { schedule: schedule(at === 7 ? '30 1 * * *' : '0 3 * * *'), then: 'report' },
    up: at === 8 ? { ...schedule('0 0 * * 1'), paused: true } : undefined,
    policy: { name: 'all', approvals: 1, others: false, rules: [] },
    timeToLive: at === 9 ? { afterMs: 2 * HOUR, approved: true, remove: false } : undefined,
    limits: { timeMs: HOUR, outputBytes: 1 << 20 },
  };
}

/** Agent of many stacks whose sources have nothing new. Its clock can be set. */
async function idleAgent(more: Partial<StackWork> = {}) {
  const fake = new FakeClock(Date.UTC(2026, 0, 1));
  let set = 0;
  const clock: Clock = {
    now: () => new Date(fake.now().getTime() + set),
    monotonicMs: () => fake.monotonicMs(),
    after: (ms, run) => fake.after(ms, run),
  };
  const heads: string[] = [];
  const drifts: string[] = [];
  const work = {
    head: ({ name }: AgentStack) => {
      heads.push(name);
      return Promise.resolve({ commit: 'c1', tree: 't1' });
    },
    drift: ({ name }: AgentStack) => {
      drifts.push(name);
      return Promise.resolve({ t: 'looked', resources: [] });
    },
    plan: () => Promise.resolve({ t: 'failed', why: 'no program' }),
    ...more,
  } as Partial<StackWork> as StackWork;
  const messages: { file: string; message: AgentMessage }[] = [];
  const register = await openRegister({
    store: {
      read: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
      replace: () => Promise.resolve(),
    },
    ...{ clock, logs: () => memoryStore(), archive: () => Promise.resolve(), machine: { kinds: {} } },
  });
  let ids = 0;
  const core = new AgentCore({
    config: {
      ...{ file: 'agent.yaml', folder: '/', name: 'a', places: 2_000 },
      stacks: Array.from({ length: STACKS }, (_, at) => settings(at)),
    },
    ...{ register, work, fence: 1, clock, log: () => undefined, newId: () => `a${(ids += 1)}` },
    inbox: {
      read: () => Promise.resolve([...messages]),
      done: () => Promise.resolve(void messages.splice(0)),
      refuse: () => Promise.reject(new Error('no message is damaged')),
    },
  });
  const looked = jest.spyOn(core.ledger, 'stack');
  await core.start(() => undefined);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Lets time pass, a minute at a time. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      fake.advance(MINUTE);
      await settle();
    }
  };
  /** Returns the stacks that passes have looked at since the last call. */
  const stacksLooked = (): readonly string[] => {
    const names = [...new Set(looked.mock.calls.map(([name]) => name))];
    looked.mockClear();
    return names;
  };
  await settle();
  return {
    ...{ core, heads, drifts, pass, stacksLooked, messages },
    setClock: (ms: number) => void (set += ms),
  };
}

test('a run that waits for an operation of another process is tried again, and has one notice', async () => {
  let tries = 0;
  const why = 'error[CAIRN-STATE-LOCKED]: the stack is locked by the update of ada';
  const { core, messages, pass } = await idleAgent({
    plan: () =>
      Promise.resolve({
        t: 'planned',
        steps: [],
        digest: 'd',
        base: 'b',
        commit: 'c',
        changesNothing: false,
      }),
    apply: () => Promise.resolve((tries += 1) < 3 ? { t: 'stopped', why, isLocked: true } : { t: 'done' }),
    look: () => Promise.resolve('none'),
  });
  const request = { id: 'r1', stack: 's1', kind: 'up', by: 'bob', at: '2026-01-01T00:00:00.000Z' } as const;
  messages.push({ file: 'm', message: { t: 'request', request } });
  core.wake();
  await pass(10 * MINUTE);
  expect([tries, core.ledger.run('1').status]).toEqual([3, 'succeeded']);
  const held = core.ledger.notices.list().filter(({ type }) => type === 'run-held');
  expect(held.map(({ occurrences, data }) => [occurrences, data])).toMatchObject([[1, { why }]]);
});

test.each([
  ['for a while continues', 3, 'succeeded'],
  ['for more than ten minutes fails', 1000, 'failed'],
])('a run whose store does not answer %s', async (_, silent, status) => {
  const answers = { plan: 0, apply: 0 };
  const orSilent = <T>(part: 'plan' | 'apply', answer: T) =>
    (answers[part] += 1) <= silent ? ({ t: 'failed', why: 'no answer', isUnreached: true } as const) : answer;
  const { core, messages, pass } = await idleAgent({
    plan: () =>
      Promise.resolve(
        orSilent('plan', {
          ...({ t: 'planned', steps: [], digest: 'd', base: 'b', commit: 'c' } as const),
          changesNothing: false,
        }),
      ),
    apply: () => Promise.resolve(orSilent('apply', { t: 'done' } as const)),
    look: () => Promise.resolve('none'),
  });
  const request = { id: 'r1', stack: 's1', kind: 'up', by: 'bob', at: '2026-01-01T00:00:00.000Z' } as const;
  messages.push({ file: 'm', message: { t: 'request', request } });
  core.wake();
  await pass(30 * MINUTE);
  expect(core.ledger.run('1').status).toBe(status);
  if (status === 'succeeded') expect(answers).toEqual({ plan: 4, apply: 4 });
  expect(core.ledger.notices.list().filter(({ type }) => type === 'run-failed')).toHaveLength(
    status === 'failed' ? 1 : 0,
  );
});

describe('passes of an agent with many stacks [AGT-5] [AGT-7]', () => {
  test('look only at stacks that are due, or whose marks have changed', async () => {
    const { core, heads, drifts, pass, stacksLooked, messages } = await idleAgent();
    expect([heads.length, stacksLooked().length]).toEqual([STACKS, STACKS]);
    heads.splice(0);
    // The passes after the first one see what it has changed.
    await pass(2 * MINUTE);
    stacksLooked();
    await pass(HOUR);
    expect([stacksLooked(), heads, drifts]).toEqual([[], [], []]);
    messages.push({
      file: 'm',
      message: { t: 'forge', forge: 'hub', id: 'd1', event: { t: 'push', branch: 'b3' } },
    });
    core.wake();
    await pass(3 * MINUTE);
    expect([stacksLooked(), heads]).toEqual([['s3'], ['s3']]);
    await pass(30 * MINUTE);
    expect([stacksLooked(), drifts]).toEqual([['s7'], ['s7']]);
    core.ledger.setStack('s9', { ...core.ledger.stack('s9'), deployed: '2026-01-01T01:32:00.000Z' });
    await pass(MINUTE);
    expect(stacksLooked()).toEqual(['s9']);
    await pass(87 * MINUTE);
    expect([stacksLooked().length, drifts.length]).toEqual([STACKS - 1, STACKS]);
    await pass(36 * MINUTE);
    expect(stacksLooked()).toEqual(['s9']);
    expect([...core.ledger.requests.values()].at(-1)).toMatchObject({ stack: 's9', kind: 'destroy' });
  });

  test('after the clock was set back, look at every stack, and count schedules from the new time', async () => {
    const { core, heads, drifts, pass, setClock, stacksLooked } = await idleAgent();
    await pass(2 * HOUR);
    heads.splice(0);
    stacksLooked();
    expect(drifts.splice(0)).toEqual(['s7']);
    setClock(-HOUR);
    await pass(2 * MINUTE);
    expect([stacksLooked().length, heads.length]).toEqual([STACKS, 0]);
    expect(core.ledger.stack('s7').drift?.next).toBe('2026-01-01T01:30:00.000Z');
    setClock(-24 * HOUR);
    await pass(2 * MINUTE);
    // A look at a source that lies in the future is made again.
    expect(heads).toHaveLength(STACKS);
    expect(drifts).toEqual([]);
    setClock(48 * HOUR);
    await pass(2 * MINUTE);
    // Times that were missed are due once, together.
    expect([drifts.length, new Set(drifts).size]).toEqual([STACKS, STACKS]);
  });
});
