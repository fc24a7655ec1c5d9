import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { benchProject } from '../support/bench-project.js';
import { bucket } from '../support/bucket.js';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/**
 * Costs of operations, as measured. They do not depend on the machine, and a tenth above one of them is too much. A
 * change that lowers a cost lowers its limit; `docs/benchmarks.md` has the figures over time.
 */
const LIMITS = {
  /** Kilobytes that the command allocates on its heap for a resource, collected ones included. */
  heap: { first: 74, preview: 37, noop: 43, destroy: 45 },
  /** Bytes of the journal for a resource. */
  journal: { first: 3085 },
  /** Durable writes of an operation that changes nothing, and of one that changes one resource of many. */
  flushes: { preview: 0, noop: 22, one: 26 },
  /** Calls for a resource, by service and method; the provider is in a process of its own. */
  calls: {
    first: {
      'ResourceMonitor/RegisterResource': 1,
      'ResourceProvider/Check': 1,
      'ResourceProvider/Create': 1,
    },
    noop: { 'ResourceMonitor/RegisterResource': 1 },
    destroy: { 'ResourceProvider/Delete': 1 },
  },
  /** Requests of an operation on a bucket. Of many resources: without listings and records, which depend on time. */
  requests: { empty: 23, many: 23, output: 6, list: 6 },
};
const TOLERANCE = 1.1;
/** Resources of the larger stack. The smaller one has one, and is subtracted. */
const MANY = 500;

const PROGRAM = `
import { CustomResource } from '@cairn/sdk';
class Item extends CustomResource {
  constructor(name, props) {
    super('bench:index:Item', name, { ...props });
  }
  get number() {
    return this.outputOf('number');
  }
}
const items = [];
for (let i = 0; i < Number(process.env.ITEMS); i += 1) {
  const text = 'x'.repeat(240) + (String(i) === process.env.CHANGED ? 'changed' : '');
  const inputs = [i >> 1, i >> 2].filter((at) => at < i).map((at) => items[at].number);
  items.push(new Item('item-' + i, { text, number: i, inputs }));
}
`;
const UP = ['up', '--yes', '--skip-preview'];
const DESTROY = ['destroy', '--yes', '--skip-preview'];

const tools = path.resolve(__dirname, '..', '..', 'tools', 'bench');

let box: Sandbox;
beforeEach(async () => {
  box = benchProject(PROGRAM);
});
afterEach(() => box.remove());

interface Counted {
  readonly heapBytes: number;
  readonly flushes: number;
}

async function counted(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Counted> {
  const record = path.join(box.home, 'counted.jsonl');
  rmSync(record, { force: true });
  const counting = { CAIRN_COUNTED: record, NODE_OPTIONS: `--require=${path.join(tools, 'counted.cjs')}` };
  expectOk(await box.process(words, { env: { ...env, ...counting } }));
  return JSON.parse(readFileSync(record, 'utf8')) as Counted;
}

/**
 * Costs of operations on a new stack of so many resources. It is empty again afterwards. The checkpoint is written at
 * the end only, because its usual pace is that of the clock.
 */
async function operations(count: number) {
  const env = { ITEMS: String(count), CAIRN_CHECKPOINT: 'end' };
  const first = await counted(UP, env);
  const journal = bytesBelow(path.join(box.state, '.pulumi', 'journals'));
  const preview = await counted(['preview'], env);
  const noop = await counted(UP, env);
  const one = await counted(UP, { ...env, CHANGED: '0' });
  return { first, preview, noop, one, destroy: await counted(DESTROY, env), journal };
}

/** Calls of an operation by service and method. */
async function calls(words: readonly string[], count: number): Promise<Record<string, number>> {
  const log = path.join(box.home, 'calls.jsonl');
  rmSync(log, { force: true });
  const env = { ITEMS: String(count), CAIRN_DEBUG_GRPC: log, CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' };
  expectOk(await box.process(words, { env }));
  const found: Record<string, number> = {};
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const { method, response } = JSON.parse(line) as { method: string; response?: unknown };
    const name = method.slice(method.indexOf('.') + 1);
    if (response !== undefined) found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );
  return files.map((file) => statSync(file)).reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

function expectAtMost(found: Record<string, number>, limits: Readonly<Record<string, number>>): void {
  const over = Object.entries(limits).filter(([name, most]) => (found[name] ?? Infinity) > most * TOLERANCE);
  expect(Object.fromEntries(over.map(([name]) => [name, found[name]]))).toEqual({});
}

test('operations allocate, write and flush at most so much for a resource', async () => {
  expectOk(await box.process(['stack', 'init', 'dev']));
  // Stores the command's compiled code, as any first use does.
  expectOk(await box.process(['preview'], { env: { ITEMS: '1' } }));
  const few = await operations(1);
  const many = await operations(MANY + 1);
  const heap = (name: keyof typeof LIMITS.heap) => (many[name].heapBytes - few[name].heapBytes) / MANY / 1000;
  expectAtMost(
    { first: heap('first'), preview: heap('preview'), noop: heap('noop'), destroy: heap('destroy') },
    LIMITS.heap,
  );
  expectAtMost({ first: (many.journal - few.journal) / MANY }, LIMITS.journal);
  const flushes = { preview: many.preview.flushes, noop: many.noop.flushes, one: many.one.flushes };
  expectAtMost(flushes, LIMITS.flushes);
});

test('operations make these calls for each resource', async () => {
  expectOk(await box.process(['stack', 'init', 'dev']));
  const found: Record<string, Record<string, number>[]> = {};
  for (const count of [1, 5])
    for (const [name, words] of [
      ['first', UP],
      ['noop', UP],
      ['destroy', DESTROY],
    ] as const)
      (found[name] ??= []).push(await calls(words, count));
  const perResource = Object.entries(found).map(([name, [few = {}, many = {}]]) => {
    const names = Object.keys(many).filter((method) => many[method] !== few[method]);
    return [
      name,
      Object.fromEntries(names.map((method) => [method, ((many[method] ?? 0) - (few[method] ?? 0)) / 4])),
    ];
  });
  expect(Object.fromEntries(perResource)).toEqual(LIMITS.calls);
});

test('an operation on a bucket makes at most so many requests', async () => {
  const server = await bucket();
  try {
    const env = { ...server.env, CAIRN_BACKEND_URL: server.url, ITEMS: '0', CAIRN_CHECKPOINT: 'end' };
    const requests = async (counts: (kind: string) => boolean = () => true) =>
      Object.entries(await server.requests()).reduce(
        (sum, [kind, each]) => sum + (counts(kind) ? each : 0),
        0,
      );
    const steady = (kind: string) => !/list|\.log\.p/.test(kind);
    expectOk(await box.process(['stack', 'init', 'dev'], { env }));
    expectOk(await box.process(UP, { env }));
    const emptyRun = async (): Promise<number> => {
      const before = await requests();
      expectOk(await box.process(UP, { env }));
      return (await requests()) - before;
    };
    // A run of more than three seconds looks for messages once more, so the least of a few counts.
    const empty = Math.min(await emptyRun(), await emptyRun(), await emptyRun());
    const steadyBefore = await requests(steady);
    expectOk(await box.process(UP, { env: { ...env, ITEMS: String(MANY) } }));
    const many = (await requests(steady)) - steadyBefore;
    const reading = async (words: readonly string[]) => {
      const [before, traffic] = [await requests(), await server.traffic()];
      expectOk(await box.process(words, { env }));
      return { count: (await requests()) - before, bytes: (await server.traffic()) - traffic };
    };
    const output = await reading(['stack', 'output', '--json']);
    const list = await reading(['stack', 'ls']);
    expectAtMost({ empty, many, output: output.count, list: list.count }, LIMITS.requests);
    // The state of 500 resources has ten times as many bytes.
    expect(Math.max(output.bytes, list.bytes)).toBeLessThan(100_000);
  } finally {
    await server.close();
  }
});
