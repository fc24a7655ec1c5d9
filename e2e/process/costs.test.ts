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
  heap: { first: 72, preview: 37, noop: 36, destroy: 42 },
  /** Bytes of the journal for a resource. */
  journal: { first: 3085 },
  /** Durable writes of an operation that changes nothing, and of one that changes one resource of many. */
  flushes: { preview: 0, noop: 16, one: 26 },
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
  /**
   * gRPC messages for a resource, in both directions. A message has the calls or answers of one turn of the sender's
   * event loop; one for each call and each answer would be 2 with the program, and 4 with the provider of a first up.
   */
  messages: {
    program: { first: 0.13, noop: 0.04, destroy: 0 },
    provider: { first: 0.3, noop: 0, destroy: 0.16 },
  },
  /** Requests of an operation on a bucket. Of many resources: without listings and records, which depend on time. */
  requests: { empty: 17, many: 22, output: 6, list: 6 },
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
const CHANGING = [
  ['first', UP],
  ['noop', UP],
  ['destroy', DESTROY],
] as const;
const APART = { CAIRN_PROVIDERS_OUT_OF_PROCESS: '1' };

const tools = path.resolve(__dirname, '..', '..', 'tools', 'bench');

let box: Sandbox;
beforeEach(async () => {
  box = benchProject(PROGRAM);
});
afterEach(() => box.remove());

interface Counted {
  readonly heapBytes: number;
  readonly flushes: number;
  /** Messages between the command and processes that call it: the program. */
  readonly served: number;
  /** Messages between the command and processes that it calls: the provider, if it is apart. */
  readonly called: number;
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
  const env = { ITEMS: String(count), CAIRN_DEBUG_GRPC: log, ...APART };
  expectOk(await box.process(words, { env }));
  const found: Record<string, number> = {};
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const { method, response } = JSON.parse(line) as { method: string; response?: unknown };
    const name = method.slice(method.indexOf('.') + 1);
    if (response !== undefined) found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

/** Costs of operations on a new stack of so many resources, with the provider apart. It is empty again afterwards. */
async function messages(count: number): Promise<Record<string, Counted>> {
  const found: Record<string, Counted> = {};
  for (const [name, words] of CHANGING)
    found[name] = await counted(words, { ITEMS: String(count), ...APART });
  return found;
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  );
  return files.map((file) => statSync(file)).reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

/** Costs of operations on one resource and on many, and kB allocated for each resource. */
async function perResource() {
  const few = await operations(1);
  const many = await operations(MANY + 1);
  const heap = (name: keyof typeof LIMITS.heap) => (many[name].heapBytes - few[name].heapBytes) / MANY / 1000;
  return {
    ...{ few, many },
    heap: { first: heap('first'), preview: heap('preview'), noop: heap('noop'), destroy: heap('destroy') },
  };
}

function over(
  found: Record<string, number>,
  limits: Readonly<Record<string, number>>,
): Record<string, number | undefined> {
  const names = Object.keys(limits).filter(
    (name) => (found[name] ?? Infinity) > (limits[name] ?? 0) * TOLERANCE,
  );
  return Object.fromEntries(names.map((name) => [name, found[name]]));
}

function expectAtMost(found: Record<string, number>, limits: Readonly<Record<string, number>>): void {
  expect(over(found, limits)).toEqual({});
}

test('operations allocate, write and flush at most so much for a resource', async () => {
  expectOk(await box.process(['stack', 'init', 'dev']));
  // Stores the command's compiled code, as any first use does.
  expectOk(await box.process(['preview'], { env: { ITEMS: '1' } }));
  let { few, many, heap } = await perResource();
  // When V8 compiles and collects varies from run to run, by a tenth of the heap. More than the limits counts if it
  // is found twice.
  if (Object.keys(over(heap, LIMITS.heap)).length > 0) ({ few, many, heap } = await perResource());
  expectAtMost(heap, LIMITS.heap);
  expectAtMost({ first: (many.journal - few.journal) / MANY }, LIMITS.journal);
  const flushes = { preview: many.preview.flushes, noop: many.noop.flushes, one: many.one.flushes };
  expectAtMost(flushes, LIMITS.flushes);
});

test('operations make these calls for each resource', async () => {
  expectOk(await box.process(['stack', 'init', 'dev']));
  const found: Record<string, Record<string, number>[]> = {};
  for (const count of [1, 5])
    for (const [name, words] of CHANGING) (found[name] ??= []).push(await calls(words, count));
  const perResource = Object.entries(found).map(([name, [few = {}, many = {}]]) => {
    const names = Object.keys(many).filter((method) => many[method] !== few[method]);
    return [
      name,
      Object.fromEntries(names.map((method) => [method, ((many[method] ?? 0) - (few[method] ?? 0)) / 4])),
    ];
  });
  expect(Object.fromEntries(perResource)).toEqual(LIMITS.calls);
});

test('operations exchange at most so many messages with program and provider for a resource', async () => {
  expectOk(await box.process(['stack', 'init', 'dev']));
  const few = await messages(1);
  const many = await messages(MANY + 1);
  const perResource = (kind: 'served' | 'called') => {
    const each = (name: string) => ((many[name] as Counted)[kind] - (few[name] as Counted)[kind]) / MANY;
    return Object.fromEntries(Object.keys(few).map((name) => [name, each(name)]));
  };
  const [program, provider] = [perResource('served'), perResource('called')];
  expectAtMost(program, LIMITS.messages.program);
  expectAtMost(provider, LIMITS.messages.provider);
  // The counter sees both.
  expect(Math.min(program.first ?? 0, provider.first ?? 0)).toBeGreaterThan(0);
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
