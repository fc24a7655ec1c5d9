import fc from 'fast-check';
import { memoryStore, openChange } from '../src/index.js';
import type { BlockedPredicate, ChangeMachine, StepContext, StepKinds } from '../src/index.js';

/** Named slots, of which a task may need several. They simulate a limit outside the machine. */
class Slots {
  readonly taken = new Map<string, number>();
  readonly most = new Map<string, number>();
  asked = 0;
  /** Highest number taken at a time, by name. */
  readonly peak = new Map<string, number>();
  machine: ChangeMachine | undefined;

  /** The payload of a task is the list of names that it needs. */
  readonly blocks: BlockedPredicate = (_task, _running, payload) => {
    this.asked += 1;
    return (payload as readonly string[]).find((name) => this.#isFull(name)) ?? false;
  };

  readonly kinds: StepKinds = {
    step: {
      begin: ({ payload }: StepContext<readonly string[]>) => this.#take(payload),
      do: async ({ payload, task }: StepContext<readonly string[]>) => {
        this.order.push(task.summary);
        await new Promise(setImmediate);
        for (const name of payload) this.release(name);
        return { t: 'ok' };
      },
    },
  };
  readonly order: string[] = [];

  release(name: string): void {
    this.taken.set(name, (this.taken.get(name) ?? 0) - 1);
    this.machine?.unblock(name);
  }

  #take(names: readonly string[]): undefined {
    for (const name of names) {
      const taken = (this.taken.get(name) ?? 0) + 1;
      this.taken.set(name, taken);
      this.peak.set(name, Math.max(taken, this.peak.get(name) ?? 0));
    }
  }

  #isFull(name: string): boolean {
    return (this.taken.get(name) ?? 0) >= (this.most.get(name) ?? 1);
  }
}

function opened(slots: Slots, parallelism = 10): ChangeMachine {
  const machine = openChange(
    { id: '1', kind: 'up', summary: 'test', growing: true },
    { store: memoryStore(), kinds: slots.kinds, blocked: [slots.blocks], parallelism },
  );
  slots.machine = machine;
  return machine;
}

function add(machine: ChangeMachine, needs: readonly (readonly string[])[]): readonly string[] {
  return machine.tx((t) =>
    needs.map((payload, index) => t.addTask({ kind: 'step', summary: String(index), payload })),
  );
}

test('one at a time, in order; who waits for another name goes ahead', async () => {
  const slots = new Slots();
  const machine = opened(slots);
  add(machine, [['a'], ['a'], ['b'], ['a'], []]);
  await machine.settled();
  expect(slots.order).toEqual(['0', '2', '4', '1', '3']);
  expect(slots.peak.get('a')).toBe(1);
});

test('what waits is asked when its turn may have come, not whenever anything ends', async () => {
  const slots = new Slots();
  const machine = opened(slots);
  add(
    machine,
    Array.from({ length: 500 }, () => ['a']),
  );
  await machine.settled();
  expect(slots.order).toHaveLength(500);
  expect(slots.asked).toBeLessThanOrEqual(3 * 500);
});

test('what somebody else holds is no deadlock: it goes on when it is free', async () => {
  const slots = new Slots();
  slots.taken.set('a', 1);
  const machine = opened(slots);
  const [id = ''] = add(machine, [['a']]);
  const ended = machine.ended(id);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  expect([machine.idle, machine.change.tasks.get(id)?.status]).toEqual([false, 'do']);
  slots.release('a');
  expect((await ended).status).toBe('done');
});

test('what is held or aborted while it waits is waited for no longer', async () => {
  const slots = new Slots();
  slots.taken.set('a', 1);
  const machine = opened(slots);
  const ids = add(machine, [['a'], ['a']]);
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  machine.hold('stop');
  await machine.settled();
  slots.release('a');
  await machine.settled();
  expect(ids.map((id) => machine.change.tasks.get(id)?.status)).toEqual(['hold', 'hold']);
});

test('whatever they need, all get their turn and no limit is passed', async () => {
  const names = ['a', 'b', 'c'];
  const need = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(need, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      async (needs, most, parallelism) => {
        const slots = new Slots();
        names.forEach((name, index) => slots.most.set(name, most[index] as number));
        const machine = opened(slots, parallelism);
        add(machine, needs);
        await machine.settled();
        expect(slots.order).toHaveLength(needs.length);
        for (const name of names)
          expect(slots.peak.get(name) ?? 0).toBeLessThanOrEqual(slots.most.get(name) as number);
      },
    ),
    { numRuns: 200 },
  );
});
