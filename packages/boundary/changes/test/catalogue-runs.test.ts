import type { Graph } from './world.js';
import { statusesOf, World } from './world.js';

/** Row of a run: graph, setup before the run, exact events, final statuses. */
interface Run extends Graph {
  readonly title: string;
  readonly before?: (world: World) => Promise<void> | void;
  readonly events: string;
  readonly final: string;
  readonly change: string;
}

const FAN5 = { tasks: 'A1 A2 B C1 C2', edges: 'A1>B A2>B B>C1 B>C2', noUndo: ['A2'] };
const PQR = { tasks: 'p q r', edges: 'p>q q>r' };
const TWO_CHAINS = { tasks: 'a1 a2 b1 b2', edges: 'a1>a2 b1>b2' };
const FAN5_LANES = { A1: [1], A2: [2], B: [1, 2], C1: [1], C2: [2] };
const abortAll = (world: World): void => world.runner.plans.abort();
const untilWaiting = (name: string) => async (world: World) => {
  await world.untilReady();
  const task = world.task(name);
  world.set(name, task.waited ?? 'done');
};

const RUNS: readonly Run[] = [
  {
    title: 'CH-002 FAN5: resume after restart with one sibling still doing',
    ...FAN5,
    initial: { A1: 'done', A2: 'doing' },
    events: 'A2.do > B.do > C1.do > C2.do',
    final: 'A1=done A2=done B=done C1=done C2=done',
    change: 'done',
  },
  {
    title: 'CH-003 FAN5: abort during restart: finished task undone, no-undo task held',
    ...FAN5,
    initial: { A1: 'done', A2: 'doing' },
    before: abortAll,
    events: 'A1.undo',
    final: 'A1=undone A2=hold B=hold C1=hold C2=hold',
    change: 'undone',
  },
  {
    title: 'CH-004 FAN5: one task asks for an immediate retry',
    ...FAN5,
    handlers: { 'A2.do': ['retry-once'] },
    events: 'A1.do > A2.do > A2.do!retry > A2.do > B.do > C1.do > C2.do',
    final: 'A1=done A2=done B=done C1=done C2=done',
    change: 'done',
  },
  {
    title: 'CH-005 FAN5: sibling fails while the other is blocked',
    ...FAN5,
    handlers: { 'A1.do': ['block'], 'A2.do': ['fail'] },
    events: 'A1.do > A1.do!block > A2.do > A2.do!fail > A1.do!wake > A1.undo',
    final: 'A1=undone A2=error B=hold C1=hold C2=hold',
    change: 'error',
  },
  {
    title: 'CH-009 FAN5: undo itself fails in the middle of the rollback',
    ...FAN5,
    handlers: { 'C1.do': ['fail'], 'B.undo': ['fail'] },
    events: 'A1.do > A2.do > B.do > C1.do > C1.do!fail > C2.do > C2.undo > B.undo > B.undo!fail > A1.undo',
    final: 'A1=undone A2=done B=error C1=error C2=undone',
    change: 'error',
  },
  {
    title: 'CH-010 FAN5: do handler sets done by itself',
    ...FAN5,
    handlers: { 'B.do': ['finish'] },
    events: 'A1.do > A2.do > B.do > C1.do > C2.do',
    final: 'A1=done A2=done B=done C1=done C2=done',
    change: 'done',
  },
  {
    title: 'CH-012 FAN5: the shared middle task fails as a dependent of a lane-2 task and drags lane 1 down',
    ...FAN5,
    lanes: FAN5_LANES,
    initial: { A1: 'done', A2: 'done', B: 'done', C1: 'done' },
    handlers: { 'C2.do': ['fail'] },
    events: 'C1.undo > C2.do > C2.do!fail > B.undo > A1.undo',
    final: 'A1=undone A2=done B=undone C1=undone C2=error',
    change: 'error',
  },
  {
    title: 'CH-124 undo order with no-undo tasks in the chain',
    tasks: 't1 t2 t3 t4 t5 t6 t7 t8 t9',
    edges: 't1>t2 t2>t3 t3>t4 t4>t5 t5>t6 t6>t7 t7>t8 t8>t9',
    noUndo: ['t4', 't8'],
    handlers: { 't9.do': ['fail'] },
    events:
      't1.do > t2.do > t3.do > t4.do > t5.do > t6.do > t7.do > t8.do > t9.do > t9.do!fail > t7.undo > t6.undo > t5.undo > t3.undo > t2.undo > t1.undo',
    final: 't1=undone t2=undone t3=undone t4=done t5=undone t6=undone t7=undone t8=done t9=error',
    change: 'error',
  },
  {
    title: 'CH-223 restart: a doing task is run again, its finished predecessor is not',
    ...PQR,
    initial: { p: 'done', q: 'doing' },
    events: 'q.do > r.do',
    final: 'p=done q=done r=done',
    change: 'done',
  },
  {
    title: 'CH-224 restart: an undoing task is run again without re-checking its dependents',
    ...PQR,
    initial: { p: 'undo', q: 'undoing', r: 'error' },
    events: 'q.undo > p.undo',
    final: 'p=undone q=undone r=error',
    change: 'error',
  },
  {
    title: 'CH-225 restart: abort found on disk with nothing running goes straight to undo',
    ...PQR,
    initial: { p: 'undo', q: 'abort', r: 'hold' },
    events: 'q.undo > p.undo',
    final: 'p=undone q=undone r=hold',
    change: 'undone',
  },
  {
    title: 'CH-226 restart: abort found on disk, no undo handler',
    ...PQR,
    noUndo: ['q'],
    initial: { p: 'undo', q: 'abort', r: 'hold' },
    events: 'p.undo',
    final: 'p=undone q=hold r=hold',
    change: 'undone',
  },
  {
    title: 'CH-227 no-undo task killed while running but finishing successfully ends done',
    tasks: 'a b',
    noUndo: ['b'],
    handlers: { 'a.do': ['fail'], 'b.do': ['block'] },
    events: 'a.do > a.do!fail > b.do > b.do!block > b.do!wake',
    final: 'a=error b=done',
    change: 'error',
  },
  {
    title: 'CH-228 no-undo task killed while running and answering retry ends hold',
    tasks: 'a b',
    noUndo: ['b'],
    handlers: { 'a.do': ['fail'], 'b.do': ['block', 'retry'] },
    events: 'a.do > a.do!fail > b.do > b.do!block > b.do!wake > b.do!retry',
    final: 'a=error b=hold',
    change: 'error',
  },
  {
    title: 'CH-229 task killed while running and answering with an error ends error',
    tasks: 'a b',
    handlers: { 'a.do': ['fail'], 'b.do': ['block', 'fail'] },
    events: 'a.do > a.do!fail > b.do > b.do!block > b.do!wake > b.do!fail',
    final: 'a=error b=error',
    change: 'error',
  },
  {
    title: 'CH-231 undo failure in the first task to undo and again upstream',
    ...PQR,
    handlers: { 'r.do': ['fail'], 'q.undo': ['fail'], 'p.undo': ['fail'] },
    events: 'p.do > q.do > r.do > r.do!fail > q.undo > q.undo!fail > p.undo > p.undo!fail',
    final: 'p=error q=error r=error',
    change: 'error',
  },
  {
    title: 'CH-232 two independent lanes: one fails, the other completes',
    ...TWO_CHAINS,
    lanes: { a1: [1], a2: [1], b1: [2], b2: [2] },
    handlers: { 'a2.do': ['fail'] },
    events: 'a1.do > b1.do > a2.do > a2.do!fail > b2.do > a1.undo',
    final: 'a1=undone a2=error b1=done b2=done',
    change: 'error',
  },
  {
    title: 'CH-233 no lanes: the same graph rolls everything back',
    ...TWO_CHAINS,
    handlers: { 'a2.do': ['fail'] },
    events: 'a1.do > b1.do > a2.do > a2.do!fail > b2.do > a1.undo > b2.undo > b1.undo',
    final: 'a1=undone a2=error b1=undone b2=undone',
    change: 'error',
  },
  {
    title: 'CH-235 shared upstream undone once both lanes have failed',
    tasks: 's a b',
    edges: 's>a s>b',
    lanes: { s: [1, 2], a: [1], b: [2] },
    handlers: { 'a.do': ['fail'], 'b.do': ['fail'] },
    events: 's.do > a.do > a.do!fail > b.do > b.do!fail > s.undo',
    final: 's=undone a=error b=error',
    change: 'error',
  },
  {
    title: 'CH-236 shared upstream kept in lane 0 is not rolled back by a leaf lane',
    tasks: 's a b',
    edges: 's>a s>b',
    lanes: { a: [1], b: [2] },
    handlers: { 'a.do': ['fail'] },
    events: 's.do > a.do > a.do!fail > b.do',
    final: 's=done a=error b=done',
    change: 'error',
  },
  {
    title: 'CH-237 join task in its own lane is pulled down by one failing input lane, the other survives',
    tasks: 'a b j',
    edges: 'a>j b>j',
    lanes: { a: [1], b: [2], j: [3] },
    handlers: { 'a.do': ['fail'] },
    events: 'a.do > a.do!fail > b.do',
    final: 'a=error b=done j=hold',
    change: 'error',
  },
  {
    title: 'CH-238 join task without lane drags lane 0 down but leaves the healthy lane',
    tasks: 'z a b j',
    edges: 'a>j b>j',
    lanes: { a: [1], b: [2] },
    handlers: { 'a.do': ['fail'] },
    events: 'z.do > a.do > a.do!fail > b.do > z.undo',
    final: 'z=undone a=error b=done j=hold',
    change: 'error',
  },
  {
    title: 'CH-240 wait stops its dependents but not its siblings',
    tasks: 'a b c',
    edges: 'a>b',
    handlers: { 'a.do': ['wait:done'] },
    events: 'a.do > a.do!wait > c.do',
    final: 'a=wait b=do c=done',
    change: 'wait',
  },
  {
    title: 'CH-241 wait released to done lets the dependents run',
    tasks: 'a b',
    edges: 'a>b',
    handlers: { 'a.do': ['wait:done'] },
    before: untilWaiting('a'),
    events: 'a.do > a.do!wait > b.do',
    final: 'a=done b=done',
    change: 'done',
  },
  {
    title: 'CH-243 aborting while a task waits (waited done) undoes it',
    ...PQR,
    initial: { p: 'done', q: 'wait' },
    waited: { q: 'done' },
    before: abortAll,
    events: 'q.undo > p.undo',
    final: 'p=undone q=undone r=hold',
    change: 'undone',
  },
  {
    title: 'CH-244 aborting while a task waits (waited do) holds it',
    ...PQR,
    initial: { p: 'done', q: 'wait' },
    waited: { q: 'do' },
    before: abortAll,
    events: 'p.undo',
    final: 'p=undone q=hold r=hold',
    change: 'undone',
  },
  {
    title: 'CH-245 aborting while a task waits inside the rollback (waited undone) leaves it waiting',
    ...PQR,
    initial: { p: 'undo', q: 'wait', r: 'error' },
    waited: { q: 'undone' },
    before: abortAll,
    events: '',
    final: 'p=undo q=wait r=error',
    change: 'wait',
  },
  {
    // The scenario's events have p.undo after q's release, which is when it may start.
    title: 'CH-247 released wait inside undo lets the rollback continue',
    ...PQR,
    handlers: { 'r.do': ['fail'], 'q.undo': ['wait:undone'] },
    before: untilWaiting('q'),
    events: 'p.do > q.do > r.do > r.do!fail > q.undo > q.undo!wait > p.undo',
    final: 'p=undone q=undone r=error',
    change: 'error',
  },
  {
    title: 'CH-248 diamond rollback is the exact reverse by levels',
    tasks: 'a b c d e',
    edges: 'a>b a>c b>d c>d d>e',
    handlers: { 'e.do': ['fail'] },
    events: 'a.do > b.do > c.do > d.do > e.do > e.do!fail > d.undo > b.undo > c.undo > a.undo',
    final: 'a=undone b=undone c=undone d=undone e=error',
    change: 'error',
  },
  {
    title: 'CH-249 failure in one branch of a diamond stops the untouched join',
    tasks: 'a b c d',
    edges: 'a>b a>c b>d c>d',
    handlers: { 'b.do': ['fail'] },
    events: 'a.do > b.do > b.do!fail > c.do > c.undo > a.undo',
    final: 'a=undone b=error c=undone d=hold',
    change: 'error',
  },
  {
    title: 'CH-250 all tasks already undone or in error: nothing runs',
    tasks: 'a b',
    edges: 'a>b',
    initial: { a: 'undone', b: 'error' },
    events: '',
    final: 'a=undone b=error',
    change: 'error',
  },
  {
    title: 'CH-251 hold predecessor blocks its dependents for ever without blocking others',
    tasks: 'a b c',
    edges: 'a>b',
    initial: { a: 'hold' },
    events: 'c.do',
    final: 'a=hold b=do c=done',
    change: 'do',
  },
  {
    title: 'CH-252 undone predecessor blocks a pending dependent',
    tasks: 'a b',
    edges: 'a>b',
    initial: { a: 'undone' },
    events: '',
    final: 'a=undone b=do',
    change: 'do',
  },
];

test.each(RUNS.map((run) => [run.title, run] as const))('%s', async (_title, run) => {
  const world = new World(run);
  await run.before?.(world);
  await world.untilReady();
  expect(normalise(world.events).join(' > ')).toBe(run.events);
  expect(world.statuses()).toEqual(statusesOf(run.final));
  expect(world.change.status).toBe(run.change);
});

/**
 * Applies the order rule of the scenarios: within a level of FAN5, events of one pass are in the order of their
 * numbers.
 */
function normalise(events: readonly string[]): readonly string[] {
  const sorted: string[] = [];
  for (const event of events) {
    let at = sorted.length;
    while (at > 0 && !event.endsWith('!wake') && sameLevelAndHigher(sorted[at - 1] as string, event)) at -= 1;
    sorted.splice(at, 0, event);
  }
  return sorted;
}

function sameLevelAndHigher(left: string, event: string): boolean {
  return /^[AC][12]/.test(event) && left.charAt(0) === event.charAt(0) && left.charAt(1) > event.charAt(1);
}
