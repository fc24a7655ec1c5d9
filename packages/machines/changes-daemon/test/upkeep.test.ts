import { BARE, FakeClock, memoryStore, planPrune, PRUNE_LIMITS, pruneCandidate } from '@cairn/changes';
import type { ChangeMachine, MemoryStore, PruneCandidate, Status, StepKinds } from '@cairn/changes';
import { EnsureLoop } from '../src/ensure/ensure-loop.js';
import { Managers } from '../src/ensure/managers.js';
import type { NoticeJson } from '../src/notices/notice.js';
import type { WarningJson } from '../src/notices/warnings.js';
import type { PatchLevel, Patches } from '../src/upkeep/patches.js';
import { applyPatches, highestLevel } from '../src/upkeep/patches.js';
import type { Register, RegisterPorts } from '../src/upkeep/register.js';
import { openRegister } from '../src/upkeep/register.js';
import { logRegisterStore } from '../src/upkeep/register-log.js';
import type { RegisterHead, RegisterStore } from '../src/upkeep/register-store.js';
import { memoryLog } from './memory-log.js';
import type { MemoryLog } from './memory-log.js';

const HOUR = 3_600_000;
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isString = (value: unknown): value is string => typeof value === 'string';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Disk {
  readonly document: MemoryLog;
  readonly logs: Map<string, MemoryStore>;
  readonly archived: string[];
}

function disk(): Disk {
  return {
    logs: new Map(),
    archived: [],
    document: memoryLog(),
  };
}

const KINDS: StepKinds = {
  step: { do: () => ({ t: 'ok' }), undo: () => ({ t: 'ok' }) },
  asks: { do: () => ({ t: 'wait', reason: 'approve it' }) },
  messy: {
    do: () => ({ t: 'ok' }),
    cleanup: () => {
      throw new Error('busy');
    },
  },
};

/** Opens a register on a disk. The test runs passes of its changes, so that nothing starts by itself. */
function open(on: Disk, clock = new FakeClock(), more: Partial<RegisterPorts> = {}): Promise<Register> {
  return openRegister({
    store: logRegisterStore(on.document),
    logs: (id) => {
      const log = on.logs.get(id) ?? memoryStore();
      on.logs.set(id, log);
      return log;
    },
    archive: (id) => {
      on.archived.push(id);
      return Promise.resolve();
    },
    machine: { kinds: KINDS, policies: BARE, ensureBefore: () => undefined },
    clock,
    ...more,
  });
}

const UP = { kind: 'up', summary: 'up' };
const addTask = (machine: ChangeMachine, kind = 'step', status?: 'done'): string =>
  machine.tx((t) => t.addTask({ kind, summary: kind, ...(status !== undefined && { status }) }));

describe('data', () => {
  test('CH-155 round trip and missing key', async () => {
    const register = await open(disk());
    register.tx((t) => {
      t.set('a', { deep: [1, 'x'] });
      t.set('n', 5);
    });
    const any = (value: unknown): value is unknown => value !== undefined;
    expect(register.read('a', any)).toEqual({ deep: [1, 'x'] });
    expect(register.require('n', isNumber)).toBe(5);
    expect(() => register.require('z', any)).toThrow('no state entry for key "z"');
    expect([register.has('n'), register.has('z'), register.has('toString')]).toEqual([true, false, false]);
    register.tx((t) => t.set('n', null));
    expect([register.has('n'), register.read('n', isNumber)]).toEqual([false, undefined]);
  });

  test('CH-156 a JSON null equals no entry', async () => {
    const on = disk();
    on.document.bytes = Buffer.from('{"data":{"a":null}}');
    const register = await open(on);
    expect(register.has('a')).toBe(false);
    expect(() => register.require('a', isNumber)).toThrow('no state entry for key "a"');
  });

  test('CH-157 a value that cannot be stored is a programming error that names the key', async () => {
    const register = await open(disk());
    const loop: { self?: unknown } = {};
    loop.self = loop;
    for (const value of [() => 0, undefined, 5n, loop])
      expect(() => register.tx((t) => t.set('odd', value))).toThrow(
        expect.objectContaining({ name: 'BugError', message: expect.stringContaining('"odd"') as string }),
      );
    expect(register.has('odd')).toBe(false);
  });

  test('CH-158 a value of another type is an internal error that names the key, not a crash', async () => {
    const register = await open(disk());
    register.tx((t) => t.set('a', { number: 1 }));
    expect(() => register.read('a', isString)).toThrow(
      expect.objectContaining({ name: 'BugError', message: expect.stringContaining('"a"') as string }),
    );
  });
});

describe('storing', () => {
  test('CH-161 a transaction is stored once as a whole and read back equal', async () => {
    const on = disk();
    const register = await open(on);
    register.tx((t) => {
      t.set('a', 1);
      t.set('b', 'two');
      t.set('c', [3]);
    });
    await register.stored();
    expect(on.document.writes).toBe(1);
    const again = await open(on);
    expect(again.modified).toBe(false);
    expect([again.read('a', isNumber), again.read('b', isString)]).toEqual([1, 'two']);
  });

  test('CH-162 a failing write is repeated', async () => {
    const on = disk();
    const clock = new FakeClock();
    const register = await open(on, clock, { patience: { everyMs: 2, limitMs: 1000 } });
    on.document.failures = 1;
    register.tx((t) => t.set('a', 1));
    let stored = false;
    void register.stored().then(() => (stored = true));
    await turn();
    expect([on.document.writes, stored]).toEqual([1, false]);
    clock.advance(2);
    await turn();
    expect([on.document.writes, stored]).toEqual([2, true]);
  });

  test('and given up when that does not help: nothing is accepted any more', async () => {
    const on = disk();
    const clock = new FakeClock();
    const register = await open(on, clock);
    on.document.failures = Infinity;
    register.tx((t) => t.set('a', 1));
    const stored = register.stored();
    const failed = expect(stored).rejects.toThrow(
      'cannot checkpoint even after 300000 ms of retries every 3000 ms: disk full',
    );
    for (let time = 0; time <= 100; time += 1) {
      await turn();
      clock.advance(3_000);
    }
    await failed;
    expect(on.document.writes).toBe(101);
    expect(() => register.tx((t) => t.set('b', 2))).toThrow('cannot checkpoint');
  });

  test('CH-164 only what was modified is written; a new register is', async () => {
    const on = disk();
    const register = await open(on);
    for (let time = 0; time < 2; time += 1) {
      register.tx(() => undefined);
      await register.stored();
    }
    expect(on.document.writes).toBe(1);
    register.tx((t) => t.set('a', 1));
    await register.stored();
    expect(on.document.writes).toBe(2);
  });

  test('CH-177 writing outside a transaction fails and writes nothing; reading is free', async () => {
    const on = disk();
    const register = await open(on);
    await register.stored();
    const kept: ((key: string) => void)[] = [];
    register.tx((t) =>
      kept.push(
        (key) => t.set(key, 1),
        () => void t.open(UP),
      ),
    );
    await register.stored();
    const { writes } = on.document;
    for (const write of kept) expect(() => write('late')).toThrow('the transaction is over');
    void [
      register.has('late'),
      register.changes.size,
      register.notices.list(),
      register.warnings.all(),
      register.allClean,
    ];
    await register.prune();
    await register.stored();
    expect([on.document.writes, register.modified, register.changes.size]).toEqual([writes, false, 0]);
  });

  test('what throws leaves nothing behind', async () => {
    const register = await open(disk());
    expect(() =>
      register.tx((t) => {
        t.set('a', 1);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(register.has('a')).toBe(false);
  });

  test('a damaged document of an older version is refused', async () => {
    const on = disk();
    for (const bytes of ['{"data":', '[]', 'null', '']) {
      on.document.bytes = Buffer.from(bytes);
      await expect(open(on)).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-STATE-CORRUPT' }] });
    }
  });
});

describe('changes of a register', () => {
  test('CH-165 changes are indexed by id', async () => {
    const register = await open(disk());
    const [one, two] = register.tx((t) => [t.open(UP), t.open({ kind: 'destroy', summary: 'destroy' })]);
    expect([...register.changes]).toEqual([
      ['1', one],
      ['2', two],
    ]);
    expect(register.changes.get('2')?.change.kind).toBe('destroy');
    expect(register.changes.get('3')).toBeUndefined();
  });

  test('CH-166 an explicit change status survives a reload', async () => {
    const on = disk();
    const register = await open(on);
    const machine = register.tx((t) => t.open({ ...UP, data: { a: 1 } }));
    await register.stored();
    await machine.flush();
    // Only the core can give a change a status of its own [CHG-24].
    const at = '2030-01-01T00:00:01.000Z';
    const log = on.logs.get('1') as MemoryStore;
    await log.append([{ seq: 2, tx: 2, at, record: 'status', status: 'error' }]);
    const { change } = (await open(on)).changes.get('1') as ChangeMachine;
    expect(change).toMatchObject({
      id: '1',
      kind: 'up',
      summary: 'up',
      status: 'error',
      isReady: true,
      data: { a: 1 },
      spawned: machine.change.spawned,
      ended: at,
    });
  });

  test('CH-167 a derived change status survives a reload', async () => {
    const on = disk();
    const register = await open(on);
    const machine = register.tx((t) => t.open(UP));
    addTask(machine, 'step', 'done');
    await machine.flush();
    await register.stored();
    const { change } = (await open(on)).changes.get('1') as ChangeMachine;
    expect([change.status, change.isReady]).toEqual(['done', true]);
  });

  test('CH-170 ids go on counting after a reload, and after pruning', async () => {
    const on = disk();
    const clock = new FakeClock();
    const register = await open(on, clock);
    const machine = register.tx((t) => t.open({ ...UP, growing: true }));
    machine.tx((t) => {
      t.addTask({ kind: 'step', summary: 'x', lanes: [t.newLane()] });
      t.addTask({ kind: 'step', summary: 'y' });
    });
    await machine.flush();
    await register.stored();
    const again = await open(on, clock);
    const loaded = again.changes.get('1') as ChangeMachine;
    expect(addTask(loaded)).toBe('3');
    expect(loaded.tx((t) => t.newLane())).toBe(2);
    expect(again.tx((t) => t.open(UP)).change.id).toBe('2');
    await again.prune({ pruneMs: 0, abortMs: Infinity, maxReady: 0 });
    await again.stored();
    expect((await open(on, clock)).tx((t) => t.open(UP)).change.id).toBe('3');
  });

  test('CH-172 requests for a pass are forwarded', async () => {
    const requests: number[] = [];
    const machine = { kinds: KINDS, policies: BARE, ensureBefore: (ms: number) => void requests.push(ms) };
    const clock = new FakeClock();
    const register = await open(disk(), clock, { machine });
    const change = register.tx((t) => t.open(UP));
    const task = addTask(change);
    requests.length = 0;
    change.tx((t) => t.schedule(task, new Date(clock.now().getTime() + 10_000)));
    expect(requests).toContain(10_000);
  });

  test('its notices and warnings are stored with it', async () => {
    const on = disk();
    const clock = new FakeClock();
    const register = await open(on, clock);
    const machine = register.tx((t) => t.open(UP));
    addTask(machine);
    machine.ensure();
    await machine.quiet();
    register.warnings.add('disk is nearly full');
    await register.stored();
    await machine.flush();
    const again = await open(on, clock);
    expect(again.notices.list().map(({ type, key, occurrences }) => [type, key, occurrences])).toEqual([
      ['change-update', '1', 3],
      ['warning', 'disk is nearly full', 1],
    ]);
    expect(again.warnings.summary().count).toBe(1);
  });

  test('a warning that is longer than a key may be has a notice all the same', async () => {
    const register = await open(disk());
    const text = 'ü'.repeat(200);
    register.warnings.add(text);
    expect(register.warnings.all().map(({ message }) => message)).toEqual([text]);
    expect(register.notices.list().map(({ key }) => key)).toEqual(['ü'.repeat(128)]);
  });
});

describe('a store of rows', () => {
  /** Keeps the parts in a map of rows, as a database does, and the names of the rows of each write. */
  function rowStore(): { store: RegisterStore; writes: string[][]; rows: Map<string, unknown> } {
    const rows = new Map<string, unknown>();
    const writes: string[][] = [];
    const under = (table: string): [string, unknown][] =>
      [...rows]
        .filter(([name]) => name.startsWith(`${table}/`))
        .map(([name, row]) => [name.slice(table.length + 1), row]);
    const store: RegisterStore = {
      read() {
        const head = rows.get('head') as RegisterHead | undefined;
        if (head === undefined) return Promise.resolve(undefined);
        const { patch, started, lastChange, lastNotice: lastId, lastTimestamp } = head;
        return Promise.resolve({
          patch,
          started,
          lastChange,
          data: Object.fromEntries(under('data')),
          changes: under('changes').map(([id, told]) => ({ id, told: told as Status })),
          notices: {
            notices: under('notices').map(([, notice]) => notice as NoticeJson),
            lastId,
            lastTimestamp,
          },
          warnings: under('warnings').map(([, warning]) => warning as WarningJson),
        });
      },
      write({ head, ...tables }) {
        const touched: string[] = [];
        for (const [table, parts] of Object.entries(tables)) {
          for (const [name, part] of parts) {
            touched.push(`${table}/${name}`);
            if (part === null) rows.delete(`${table}/${name}`);
            else rows.set(`${table}/${name}`, part);
          }
        }
        rows.set('head', head);
        writes.push(touched);
        return Promise.resolve();
      },
      replace: () => Promise.reject(new Error('no patch was applied')),
    };
    return { store, writes, rows };
  }

  test('a write names the parts that have changed, and a reload has them all', async () => {
    const on = disk();
    const clock = new FakeClock();
    const { store, writes, rows } = rowStore();
    const register = await open(on, clock, { store });
    register.tx((t) => {
      t.set('runs/1', { stack: 'dev' });
      t.set('runs/2', { stack: 'test' });
    });
    await register.stored();
    register.tx((t) => t.set('runs/2', { stack: 'prod' }));
    await register.stored();
    register.warnings.add('disk is nearly full');
    const machine = register.tx((t) => t.open(UP));
    await register.stored();
    register.tx((t) => t.set('runs/1', null));
    await register.stored();
    await machine.flush();
    expect(writes).toEqual([
      ['data/runs/1', 'data/runs/2'],
      ['data/runs/2'],
      // Changes of one turn are one write: a process that dies has stored all of them, or none.
      [
        ...[
          'changes/1',
          'notices/[null,"warning","disk is nearly full"]',
          'notices/[null,"change-update","1"]',
        ],
        'warnings/disk is nearly full',
      ],
      ['data/runs/1'],
    ]);
    const again = await open(on, clock, { store });
    const any = (value: unknown): value is unknown => value !== undefined;
    expect([...again.entries('runs/', any)]).toEqual([['2', { stack: 'prod' }]]);
    expect([again.changes.size, again.warnings.summary().count]).toEqual([1, 1]);
    expect(again.notices.list()).toEqual(register.notices.list());
    expect(again.tx((t) => t.open(UP)).change.id).toBe('2');
    // What has expired meanwhile is deleted with the next write.
    clock.advance(8 * 24 * HOUR);
    const later = await open(on, clock, { store });
    later.tx((t) => t.set('runs/3', { stack: 'late' }));
    await later.stored();
    expect(rows.has('notices/[null,"warning","disk is nearly full"]')).toBe(false);
  });

  test('a log and rows hold the same after the same changes', async () => {
    const documents = disk();
    const rows = rowStore();
    const clocks = [new FakeClock(), new FakeClock()] as const;
    const both = [
      await open(documents, clocks[0]),
      await open(disk(), clocks[1], { store: rows.store }),
    ] as const;
    for (const register of both) {
      register.tx((t) => t.set('a', 1));
      register.notices.add('waiting', '1/1', { data: { why: 'ask' } });
      register.warnings.add('old');
      await register.stored();
      register.notices.drain();
      register.warnings.remove('old');
      register.tx((t) => t.set('a', null));
      register.notices.add('waiting', '1/2');
      await register.stored();
    }
    const document = await logRegisterStore(documents.document).read();
    expect(await rows.store.read()).toEqual(document);
    expect(document?.notices.notices.map(({ key }) => key)).toEqual(['1/2']);
  });
});

describe('pruning', () => {
  const limits = { pruneMs: HOUR, abortMs: 3 * HOUR, maxReady: 100 };

  test('CH-178 prune and abort limits', async () => {
    const on = disk();
    const clock = new FakeClock();
    const register = await open(on, clock);
    const begin = (): ChangeMachine => {
      const machine = register.tx((t) => t.open(UP));
      addTask(machine);
      return machine;
    };
    const finish = async (machine: ChangeMachine): Promise<void> => {
      // One pass for the task, and one for the clean-up after it.
      for (let pass = 0; pass < 2; pass += 1) {
        machine.ensure();
        await machine.quiet();
      }
    };
    const c1 = begin();
    register.warnings.add('expired', { expireAfterMs: HOUR });
    const c2 = begin();
    clock.advance(2 * HOUR);
    await finish(c2);
    const c3 = begin();
    clock.advance(HOUR / 2);
    await finish(c3);
    const c4 = begin();
    register.warnings.add('fresh');
    clock.advance(HOUR / 2);
    await register.prune(limits);
    expect([...register.changes.keys()]).toEqual(['1', '3', '4']);
    expect(on.archived).toEqual(['2']);
    const seen = [c1, c3, c4].map(({ change }) => [change.status, change.tasks.get('1')?.status]);
    expect(seen).toEqual([
      ['hold', 'hold'],
      ['done', 'done'],
      ['do', 'do'],
    ]);
    expect(register.warnings.all().map(({ message }) => message)).toEqual(['fresh']);
  });

  const NOW = 1_000 * HOUR;
  const over = (id: string, agoMs: number): PruneCandidate => ({
    id,
    spawnedMs: NOW - agoMs,
    endedMs: NOW - agoMs,
    tasks: 1,
    held: false,
    stillPending: false,
  });
  const unready = (id: string, agoMs: number, more: Partial<PruneCandidate> = {}): PruneCandidate => ({
    ...over(id, agoMs),
    endedMs: undefined,
    ...more,
  });
  const many = <T>(count: number, make: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at));

  test('CH-181 the cap on ready changes removes the oldest ready ones', () => {
    const changes = [
      ...many(10, (at) => over(`r${at}`, at * 1000)),
      ...many(5, (at) => unready(`u${at}`, 1000)),
    ];
    const { abort, drop, archive } = planPrune(changes, NOW, { ...limits, maxReady: 100 });
    expect([abort, drop, archive]).toEqual([[], [], []]);
    expect(planPrune(changes, NOW, { ...limits, maxReady: 5 }).archive).toEqual([
      'r9',
      'r8',
      'r7',
      'r6',
      'r5',
    ]);
  });

  test('CH-183 the cap counts ready changes only', () => {
    const changes = [...many(10, (at) => unready(`u${at}`, 1000)), over('r', 1000)];
    expect(planPrune(changes, NOW, { ...limits, maxReady: 10 }).archive).toEqual([]);
  });

  test('CH-184 times before the start of operation count as that time', () => {
    const changes = [unready('u', 10 * HOUR)];
    expect(planPrune(changes, NOW, limits, NOW - 2 * HOUR).abort).toEqual([]);
    expect(planPrune(changes, NOW, limits, NOW - 9 * HOUR).abort).toEqual(['u']);
    expect(planPrune([unready('e', 10 * HOUR, { tasks: 0 })], NOW, limits, NOW - 1).drop).toEqual([]);
  });

  test.each<[string, PruneCandidate, string]>([
    ['an empty one goes', unready('x', HOUR, { tasks: 0 }), 'drop'],
    ['an empty young one stays', unready('x', HOUR - 1, { tasks: 0 }), ''],
    ['an old unfinished one is aborted', unready('x', 3 * HOUR), 'abort'],
    ['unless it is still going to happen', unready('x', 3 * HOUR, { stillPending: true }), ''],
    ['unless a person is still to be asked', unready('x', 99 * HOUR, { held: true }), ''],
    ['one that is over goes to the archive', over('x', HOUR), 'archive'],
    ['unless its clean-up is not over', { ...over('x', 99 * HOUR), held: true }, ''],
  ])('%s', (_title, candidate, expected) => {
    const { abort, drop, archive } = planPrune([candidate], NOW, limits);
    expect({ abort, drop, archive }).toEqual({
      abort: [],
      drop: [],
      archive: [],
      ...(expected && { [expected]: ['x'] }),
    });
  });

  test('one that is held counts and stays, however many there are', () => {
    const changes = [{ ...over('old', 5000), held: true }, over('middle', 4000), over('new', 3000)];
    expect(planPrune(changes, NOW, { ...limits, maxReady: 1 }).archive).toEqual(['middle', 'new']);
    expect(PRUNE_LIMITS).toEqual({ pruneMs: 24 * HOUR, abortMs: 72 * HOUR, maxReady: 500 });
  });

  test('what holds a change: a clean-up that is not over, a task that waits', async () => {
    const register = await open(disk());
    const machines = register.tx((t) => [t.open(UP), t.open(UP), t.open(UP)]);
    for (const [at, kind] of ['messy', 'asks', 'step'].entries())
      addTask(machines[at] as ChangeMachine, kind);
    for (let pass = 0; pass < 3; pass += 1) {
      for (const machine of machines) {
        machine.ensure();
        await machine.quiet();
      }
    }
    expect(machines.map(({ change }) => pruneCandidate(change).held)).toEqual([true, true, false]);
  });

  test('CH-208 pruning comes from the loop, again and again', async () => {
    const on = disk();
    const clock = new FakeClock();
    const register = await open(on, clock);
    const managers = new Managers();
    let passes = 0;
    managers.add({ ensure: () => void (passes += 1) });
    const prune = (): Promise<void> => register.prune(limits);
    const loop = new EnsureLoop(managers, { clock, intervalMs: 99 * HOUR, pruneMs: 4 * HOUR, prune });
    const [ready, unready, later] = register.tx((t) => [
      t.open(UP),
      t.open(UP),
      t.open({ ...UP, growing: true }),
    ]);
    addTask(ready as ChangeMachine);
    addTask(unready as ChangeMachine);
    addTask(later as ChangeMachine, 'asks');
    const run = async (machine: ChangeMachine | undefined): Promise<void> => {
      for (let pass = 0; pass < 2; pass += 1) {
        machine?.ensure();
        await machine?.quiet();
      }
    };
    await run(ready);
    await run(later);
    await loop.start();
    const tick = async (): Promise<void> => {
      clock.advance(4 * HOUR);
      for (let turns = 0; turns < 20; turns += 1) await turn();
    };
    await tick();
    expect([...register.changes.keys()]).toEqual(['2', '3']);
    expect([unready?.change.status, later?.change.status, passes]).toEqual(['hold', 'wait', 2]);
    later?.tx((t) => t.resolve('1'));
    later?.complete();
    await run(later);
    await run(unready);
    await tick();
    expect([register.changes.size, passes, on.archived]).toEqual([0, 3, ['1', '2', '3']]);
    await loop.stop();
  });
});

describe('patch levels', () => {
  interface Doc {
    readonly n: number;
    readonly o: number;
    readonly ran: readonly string[];
  }
  const step =
    (name: string, change: (doc: Doc) => Partial<Doc> = () => ({})) =>
    (doc: Doc): Doc => ({
      ...doc,
      ...change(doc),
      ran: [...doc.ran, name],
    });
  const START: Doc = { n: 0, o: 0, ran: [] };

  test('CH-220 patch levels forward', async () => {
    const patches: Patches<Doc> = new Map([
      [2, [step('2.0', ({ n }) => ({ n: n + 1 })), step('2.1', ({ o }) => ({ o: o + 1 }))]],
      [3, [step('3.0', ({ n }) => ({ n: n * 10 }))]],
    ]);
    const stored: PatchLevel[] = [];
    const { document, at } = await applyPatches(START, { level: 1, sublevel: 0 }, patches, (_doc, level) => {
      stored.push(level);
    });
    expect(document).toMatchObject({ n: 10, o: 1, ran: ['2.0', '2.1', '3.0'] });
    expect(at).toEqual({ level: 3, sublevel: 0 });
    expect(stored.map(({ level, sublevel }) => `${level}.${sublevel}`)).toEqual(['2.0', '2.1', '3.0']);
  });

  test.each([
    [{ level: 6, sublevel: 0 }, ['6.1', '6.2', '7.0', '7.1'], 2],
    [{ level: 7, sublevel: 1 }, ['7.2'], 3],
    [{ level: 7, sublevel: 2 }, [], 3],
    [{ level: 7, sublevel: 9 }, [], 3],
  ])('CH-220 from %j runs %j', async (from, ran, sevens) => {
    const patches: Patches<Doc> = new Map([
      [6, ['6.0', '6.1', '6.2'].map((name) => step(name))],
      [7, ['7.0', '7.1', '7.2'].slice(0, sevens).map((name) => step(name))],
    ]);
    const { document, at } = await applyPatches(START, from, patches);
    expect([document.ran, at]).toEqual([ran, { level: 7, sublevel: sevens - 1 }]);
  });

  test('CH-221 patch downgrade and gaps refused', async () => {
    const patches: Patches<Doc> = new Map([[3, [step('3.0')]]]);
    await expect(applyPatches(START, { level: 4, sublevel: 0 }, patches)).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-STATE-TOO-NEW',
          summary: expect.stringContaining('too old for the current state (patch level 4)') as string,
        },
      ],
    });
    await expect(applyPatches(START, { level: 1, sublevel: 0 }, patches)).rejects.toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-STATE-TOO-OLD',
          summary: expect.stringContaining('too new for the current state (patch level 1)') as string,
        },
      ],
    });
    expect(highestLevel(new Map())).toEqual({ level: 1, sublevel: 0 });
  });

  test('a register is brought forward when it is opened, and stored step by step', async () => {
    const on = disk();
    const first = await open(on);
    first.tx((t) => t.set('n', 1));
    await first.stored();
    const patches = new Map([[2, [(doc: { data: object }) => ({ ...doc, data: { n: 11 } }) as never]]]);
    const again = await open(on, new FakeClock(), { patches });
    expect([again.read('n', isNumber), again.patch, on.document.writes]).toEqual([
      11,
      { level: 2, sublevel: 0 },
      2,
    ]);
    await expect(open(on)).rejects.toThrow('too old for the current state');
  });
});
