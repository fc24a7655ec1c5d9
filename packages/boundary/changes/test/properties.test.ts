import fc from 'fast-check';
import { planAbort } from '../src/abort.js';
import type { Change } from '../src/change.js';
import { describeChange } from './describe-change.js';
import { replayChange } from '../src/replay.js';
import { decodeSegment, encodeRecords } from '../src/frame.js';
import type { CallOutcome, StepContext, StepKinds } from '../src/kinds.js';
import { loadChange, openChange } from '../src/machine.js';
import type { OnError } from '../src/policies.js';
import type { ChangeRecord } from '../src/records.js';
import { STATUSES, isReady } from '../src/status.js';
import { memoryStore } from '../src/store.js';
import type { TaskView } from '../src/task.js';
import { indexOf, nodes, changeStatus } from './nodes.js';

/** Random change: each task waits for earlier ones, may fail, may be slow. */
interface Plan {
  readonly tasks: readonly {
    readonly waits: readonly number[];
    readonly lanes: readonly number[];
    readonly fails: boolean;
    readonly turns: number;
  }[];
  readonly onError: OnError;
  readonly parallelism: number;
}

const plans = (kinds: { readonly failing: boolean }): fc.Arbitrary<Plan> =>
  fc.record({
    tasks: fc.array(
      fc.record({
        waits: fc.array(fc.nat(20), { maxLength: 3 }),
        lanes: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
        fails: kinds.failing ? fc.integer({ min: 0, max: 9 }).map((n) => n === 0) : fc.constant(false),
        turns: fc.integer({ min: 0, max: 2 }),
      }),
      { minLength: 1, maxLength: 15 },
    ),
    onError: fc.constantFrom<OnError>('rollback', 'stop', 'continue'),
    parallelism: fc.constantFrom(1, 3, Infinity),
  });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts that were too early. They are collected because an exception of a handler only fails its task. */
const tooEarly: string[] = [];

function mustBeEmpty(context: StepContext, missing: readonly TaskView[]): void {
  for (const other of missing) tooEarly.push(`${context.task.id} before ${other.id} (${other.status})`);
}

/** Returns true if a needed task is done, or is to be undone after an aborted task on its way to the handler. */
function mayPrecede(needed: TaskView, task: TaskView): boolean {
  return needed.status === 'done' || (needed.status === 'undo' && task.status === 'abort');
}

afterEach(() => {
  expect(tooEarly.splice(0)).toEqual([]);
});

/** Returns idempotent handlers over a set of live objects. They also check that nothing starts too early. */
function kindsOf(plan: Plan, live: Set<string>): StepKinds {
  const planned = (task: TaskView): Plan['tasks'][number] =>
    plan.tasks[Number(task.id) - 1] as Plan['tasks'][number];
  const run = async (context: StepContext, effect: () => void): Promise<CallOutcome> => {
    for (let left = planned(context.task).turns; left > 0; left -= 1) await turn();
    effect();
    return { t: 'ok', entry: context.task.id };
  };
  const doing = (context: StepContext): Promise<CallOutcome> => {
    mustBeEmpty(
      context,
      context.task.waits.filter((needed) => !mayPrecede(needed, context.task)),
    );
    if (planned(context.task).fails) throw new Error('told to fail');
    return run(context, () => live.add(context.task.id));
  };
  return {
    step: {
      begin: (context) => ({ begin: context.task.id }),
      do: doing,
      undo: (context) => {
        mustBeEmpty(
          context,
          context.task.halts.filter((dependent) => !isReady(dependent.status)),
        );
        return run(context, () => live.delete(context.task.id));
      },
    },
  };
}

async function runPlan(
  plan: Plan,
  live: Set<string>,
): Promise<{ change: Change; records: readonly ChangeRecord[] }> {
  const store = memoryStore();
  const { onError, parallelism } = plan;
  const machine = openChange(
    { id: '1', kind: 'up', summary: 'up' },
    { store, kinds: kindsOf(plan, live), parallelism, policies: { onError } },
  );
  machine.tx((t) => {
    for (const [at, task] of plan.tasks.entries()) {
      const waits = [...new Set(task.waits.filter((other) => other < at).map((other) => String(other + 1)))];
      t.addTask({ kind: 'step', summary: `t${at}`, waits, lanes: task.lanes });
    }
  });
  await machine.settled();
  await machine.flush();
  return { change: machine.change as Change, records: store.records };
}

/** Returns the ids of the tasks whose object must exist at the end. */
function doneSteps(change: { tasks: ReadonlyMap<string, TaskView> }): string[] {
  return [...change.tasks.values()]
    .filter((task) => task.kind === 'step' && task.status === 'done')
    .map((task) => task.id);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('every run comes to an end, keeps the order of its edges, and leaves exactly the objects of its done tasks', async () => {
  await fc.assert(
    fc.asyncProperty(plans({ failing: true }), async (plan) => {
      const live = new Set<string>();
      const { change } = await runPlan(plan, live);
      expect([change.isReady, change.clean]).toEqual([true, true]);
      expect([...change.tasks.values()].filter((task) => !isReady(task.status))).toEqual([]);
      expect([...live].sort()).toEqual(doneSteps(change).sort());
    }),
    { numRuns: 200 },
  );
});

test('replaying the records gives the change that wrote them', async () => {
  await fc.assert(
    fc.asyncProperty(plans({ failing: true }), async (plan) => {
      const { change, records } = await runPlan(plan, new Set());
      expect(plain(describeChange(replayChange(records)))).toEqual(plain(describeChange(change)));
    }),
    { numRuns: 150 },
  );
});

test('cut at any byte and continued by another process, a change ends with exactly the objects of its done tasks', async () => {
  await fc.assert(
    fc.asyncProperty(
      plans({ failing: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.infiniteStream(fc.boolean()),
      async (plan, where, luck) => {
        const uncut = await runPlan(plan, new Set());
        const bytes = encodeRecords(uncut.records);
        const cut = bytes.subarray(0, Math.floor(bytes.length * where));
        const { records } = decodeSegment(cut, { name: 'test' });
        if (records.every((record) => record.record !== 'task')) return;
        const live = worldAt(plan, replayChange(records), luck);
        const { onError, parallelism } = plan;
        const machine = await loadChange({
          store: memoryStore(records),
          kinds: kindsOf(plan, live),
          parallelism,
          policies: { onError },
        });
        await machine?.settled();
        const change = machine?.change as Change;
        expect(change.isReady).toBe(true);
        expect([...live].sort()).toEqual(doneSteps(change).sort());
        if (!plan.tasks.some((task) => task.fails))
          expect(describeStatuses(change)).toEqual(describeStatuses(uncut.change));
      },
    ),
    { numRuns: 300 },
  );
});

function describeStatuses(change: Change): readonly string[] {
  return [...change.tasks.values()].map((task) => `${task.id} ${task.status}`);
}

/**
 * Returns the objects that may exist when the process died: the known ones, and by luck those whose handler was
 * running. A handler that fails has had no effect, whether or not its failure was recorded.
 */
function worldAt(plan: Plan, change: Change, luck: fc.Stream<boolean>): Set<string> {
  const live = new Set<string>();
  for (const task of change.tasks.values()) {
    const known = task.effect;
    const mayExist = known || plan.tasks[Number(task.id) - 1]?.fails !== true;
    const exists = task.inDoubt ? mayExist && luck.next().value === true : known;
    if (exists) live.add(task.id);
  }
  return live;
}

test('aborting twice is aborting once, and the status of the change is always one of its tasks or wait', () => {
  const tasks = fc.array(fc.constantFrom(...STATUSES), { minLength: 1, maxLength: 12 });
  const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 20 });
  fc.assert(
    fc.property(tasks, edges, (statuses, pairs) => {
      const text = statuses.map((status, at) => `t${at}=${status}`).join(' ');
      const inside = pairs.filter(
        ([from, to]) => from < statuses.length && to < statuses.length && from !== to,
      );
      const all = nodes(text, inside.map(([from, to]) => `t${from}>t${to}`).join(' '));
      expect(all.map((node) => node.status)).toContain(changeStatus(all));
      for (const [node, status] of planAbort(indexOf(all), all)) node.status = status;
      expect(planAbort(indexOf(all), all).size).toBe(0);
    }),
  );
});
