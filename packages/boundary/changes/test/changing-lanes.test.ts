import fc from 'fast-check';
import { planAbortLanes } from '../src/abort.js';
import type { Change } from '../src/change.js';
import { describeChange } from './describe-change.js';
import type { StepContext, StepKinds } from '../src/kinds.js';
import type { ChangeMachine } from '../src/machine.js';
import { openChange } from '../src/machine.js';
import type { OnError } from '../src/policies.js';
import { replayChange } from '../src/replay.js';
import type { MemoryStore } from '../src/store.js';
import { memoryStore } from '../src/store.js';
import { indexOf, nodes, show } from './nodes.js';

/** Lanes of existing tasks [CHG-15]: a task that several lanes use fails only with all of them. */

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tasks whose summary begins with `bad` fail. */
const KINDS: StepKinds = {
  step: {
    do: async ({ task }: StepContext) => {
      await turn();
      if (task.summary.startsWith('bad')) throw new Error('told to fail');
      return { t: 'ok' };
    },
    undo: async () => ({ t: 'ok' }),
  },
};

function open(onError: OnError = 'rollback'): { machine: ChangeMachine; store: MemoryStore } {
  const store = memoryStore();
  const change = { id: '1', kind: 'up', summary: 'up', growing: true };
  return { store, machine: openChange(change, { store, kinds: KINDS, policies: { onError } }) };
}

const add = (
  machine: ChangeMachine,
  summary: string,
  lanes: readonly number[],
  waits: readonly string[] = [],
) => machine.tx((t) => t.addTask({ kind: 'step', summary, lanes, waits }));

const statuses = (machine: ChangeMachine): string =>
  [...machine.change.tasks.values()].map(({ summary, status }) => `${summary}=${status}`).join(' ');

describe('a task that others turn out to use', () => {
  test('stays while one of the lanes that it joined is whole, and fails with the last of them', async () => {
    const { machine } = open();
    const shared = add(machine, 'shared', [0]);
    await machine.ended(shared);
    machine.tx((t) => t.changeLanes(shared, { join: [1, 2], leave: [0] }));
    await machine.ended(add(machine, 'bad 1', [1], [shared]));
    await machine.settled();
    expect(statuses(machine)).toBe('shared=done bad 1=error');
    await machine.ended(add(machine, 'fine 2', [2], [shared]));
    await machine.ended(add(machine, 'bad 2', [2], [shared]));
    machine.complete();
    await machine.settled();
    expect(statuses(machine)).toBe('shared=undone bad 1=error fine 2=undone bad 2=error');
  });

  test('stays for a lane that has no other task, until that lane fails', async () => {
    const { machine } = open();
    const shared = add(machine, 'shared', [1]);
    await machine.ended(shared);
    machine.tx((t) => t.changeLanes(shared, { join: [2] }));
    await machine.ended(add(machine, 'bad', [1]));
    await machine.settled();
    expect(statuses(machine)).toBe('shared=done bad=error');
    machine.abort([2]);
    machine.complete();
    await machine.settled();
    expect(statuses(machine)).toBe('shared=undone bad=error');
  });

  test('fails with what it waits for, and takes its lanes with it', async () => {
    const { machine } = open();
    const below = add(machine, 'below', [1]);
    const shared = add(machine, 'shared', [2], [below]);
    const user = add(machine, 'user', [3], [shared]);
    await machine.ended(user);
    machine.tx((t) => t.changeLanes(shared, { join: [3] }));
    machine.abort([1]);
    machine.complete();
    await machine.settled();
    expect(statuses(machine)).toBe('below=undone shared=undone user=undone');
  });

  test('that has not started starts as long as one of its lanes is whole', async () => {
    const { machine } = open('stop');
    const first = add(machine, 'first', [1]);
    const shared = add(machine, 'shared', [1], [first]);
    machine.tx((t) => t.changeLanes(shared, { join: [2] }));
    await machine.ended(add(machine, 'bad', [1]));
    machine.complete();
    await machine.settled();
    expect(statuses(machine)).toBe('first=done shared=done bad=error');
  });

  test('needs a lane', () => {
    const { machine } = open();
    const task = add(machine, 'a', [1]);
    expect(() => machine.tx((t) => t.changeLanes(task, { leave: [1] }))).toThrow('is left without a lane');
  });

  test('says so in its record, and is read back as it was', async () => {
    const { machine, store } = open();
    const task = add(machine, 'a', [0]);
    add(machine, 'b', [7]);
    machine.tx((t) => t.changeLanes(task, { join: [7, 9], leave: [0] }));
    machine.complete();
    await machine.settled();
    await machine.flush();
    const read = replayChange(store.records);
    expect(read.task(task).lanes).toEqual([7, 9]);
    expect(read.lane(7).map(({ summary }) => summary)).toEqual(['a', 'b']);
    expect(read.lane(0)).toEqual([]);
    expect(read.lastLane).toBe(9);
  });
});

test.each([
  ['a lane without a word about itself is dead', 's=done@1+2 a=error@1', [], 's=undo a=error'],
  ['presumed alive it keeps what is in it', 's=done@1+2 a=error@1', [2], 's=done a=error'],
  ['not when one of its tasks has failed', 's=done@1+2 a=error@1 b=error@2', [2], 's=undo a=error b=error'],
  ['not when it fails itself', 's=done@2 a=error@1 c=done@2', [1], 's=done a=error c=done'],
])('%s', (_, tasks, presumed, expected) => {
  const all = nodes(tasks, '');
  const index = { ...indexOf(all), isPresumedAlive: (lane: number) => (presumed as number[]).includes(lane) };
  for (const [node, status] of planAbortLanes(index, [1])) node.status = status;
  expect(show(all)).toBe(expected);
});

interface Plan {
  readonly tasks: readonly {
    readonly waits: readonly number[];
    readonly lane: number;
    readonly bad: boolean;
  }[];
  readonly joins: readonly (readonly [task: number, lane: number, after: number])[];
}

const plans: fc.Arbitrary<Plan> = fc.record({
  tasks: fc.array(
    fc.record({
      waits: fc.array(fc.nat(12), { maxLength: 2 }),
      lane: fc.integer({ min: 0, max: 3 }),
      bad: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  joins: fc.array(fc.tuple(fc.nat(11), fc.integer({ min: 0, max: 4 }), fc.nat(6)), { maxLength: 8 }),
});

/** Runs a plan; lanes are joined after so many turns. */
async function run(plan: Plan): Promise<{ change: Change; store: MemoryStore }> {
  const { machine, store } = open();
  for (const [at, { waits, lane, bad }] of plan.tasks.entries()) {
    const before = [...new Set(waits.filter((other) => other < at).map((other) => String(other + 1)))];
    add(machine, `${bad ? 'bad' : 'fine'} ${at}`, [lane], before);
  }
  for (let turns = 0; turns <= 6; turns += 1) {
    for (const [task, lane, after] of plan.joins)
      if (after === turns && task < plan.tasks.length)
        machine.tx((t) => t.changeLanes(String(task + 1), { join: [lane] }));
    await turn();
  }
  machine.complete();
  await machine.settled();
  await machine.flush();
  return { change: machine.change as Change, store };
}

test('whatever joins whatever: the change ends, is read back as it was, and nothing fails that a lane it joined in time keeps', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { change, store } = await run(plan);
      expect(change.isReady).toBe(true);
      const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
      expect(plain(describeChange(replayChange(store.records)))).toEqual(plain(describeChange(change)));
      const joined = new Map(
        plan.joins.filter(([, , after]) => after === 0).map(([task, lane]) => [task, lane]),
      );
      for (const [task, lane] of joined) {
        const found = change.tasks.get(String(task + 1));
        if (found === undefined || found.status === 'done' || found.status === 'error') continue;
        const others = change.lane(lane).filter((other) => other !== found);
        const below = found.waits.some(({ status }) => status !== 'done');
        expect([
          task,
          below || others.some(({ status }) => status !== 'done') || plan.tasks[task]?.lane === lane,
        ]).toEqual([task, true]);
      }
    }),
    { numRuns: 200 },
  );
});
