// node --expose-gc tools/bench/changes.mjs [--tasks 10000] [--runs 5]
// The change machine on its own: reading an unfinished change back from its segment, its memory, the cost of a task.
// The tasks have two edges, data of a resource and entries of about 1 kB; half of them are done, some run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt, root } from '../setup.mjs';
import { median } from './measure.mjs';
import { toolOptions } from '../tool-options.mjs';

const { number, refuse } = toolOptions(import.meta.url, {
  options: {
    tasks: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
  },
});
const count = number('tasks');
const runs = number('runs');
const opened = { id: '1', kind: 'up', summary: 'Update dev', scope: 'org/shop/dev', growing: true };
if (globalThis.gc === undefined) refuse('run it with node --expose-gc');
ensureBuilt(['@cairn/changes']);
const { decodeSegment, discardingStore, encodeRecords, loadChange, memoryStore, openChange } = await import(
  path.join(root, 'packages', 'boundary', 'changes', 'dist', 'index.js')
);

const work = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
try {
  const segment = path.join(work, '000001.log');
  const { records, bytes } = await writeUnfinished(segment);
  const loads = [];
  for (let run = 0; run < runs; run += 1) loads.push(await load(segment));
  const lived = await live();
  const rows = [
    ['segment of the unfinished change', `${(bytes / 1e6).toFixed(1)} MB, ${records} records`, ''],
    ['reading it back, until it could go on', ms(median(loads.map((one) => one.ms))), 'at most 1 s'],
    ['processor time of that, all threads', ms(median(loads.map((one) => one.cpuMs))), ''],
    [
      'range',
      `${ms(Math.min(...loads.map((one) => one.ms)))} to ${ms(Math.max(...loads.map((one) => one.ms)))}`,
      '',
    ],
    [
      'memory of the change that was read back',
      kB(median(loads.map((one) => one.bytes))),
      'at most 3 kB a task',
    ],
    ['memory of a change that was run here', kB(lived.bytes), 'at most 3 kB a task'],
    ['adding and running a task, nothing stored', `${((lived.ms * 1000) / count).toFixed(1)} µs`, ''],
  ];
  console.log(`${count} tasks, medians of ${runs} runs\n`);
  console.log(
    ['| what | value | aim |', '| --- | --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
      '\n',
    ),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

function kinds(ends) {
  const inputs = { name: 'x'.repeat(300), tags: Array.from({ length: 20 }, (_, at) => `tag-${at}`) };
  return {
    create: {
      begin: ({ task }) => ({
        kind: 'begin',
        operation: { type: 'creating', resource: { urn: task.data.urn, inputs } },
      }),
      do: ({ task }) =>
        ends(Number(task.id))
          ? {
              t: 'ok',
              entry: { kind: 'success', state: { urn: task.data.urn, id: `id-${task.id}`, inputs } },
            }
          : new Promise(() => undefined),
      undo: () => ({ t: 'ok' }),
    },
  };
}

/** Each task waits for two earlier ones. */
function addTasks(machine) {
  machine.tx((t) => {
    for (let at = 1; at <= count; at += 1) {
      const waits = [...new Set([Math.floor(at / 2), Math.floor(at / 3)])].filter((id) => id > 0).map(String);
      const urn = `urn:pulumi:dev::shop::aws:s3/bucket:Bucket::bucket-${at}`;
      t.addTask({
        kind: 'create',
        summary: `create bucket-${at}`,
        waits,
        data: { urn, goal: 'g'.repeat(44) },
      });
    }
  });
}

async function writeUnfinished(file) {
  const store = memoryStore();
  const machine = openChange(opened, { store, kinds: kinds((id) => id <= count / 2) });
  addTasks(machine);
  while (machine.change.tasks.get(String(count / 2))?.status !== 'done')
    await new Promise((resolve) => setImmediate(resolve));
  await machine.flush();
  machine.kill();
  const encoded = encodeRecords(store.records);
  writeFileSync(file, encoded);
  return { records: store.records.length, bytes: encoded.length };
}

/** Reads the bytes on disk into a machine whose next pass would continue. */
async function load(file) {
  const before = heap();
  const used = process.cpuUsage();
  const started = performance.now();
  const store = {
    append: () => Promise.resolve(),
    load: async () => decodeSegment(readFileSync(file), { name: file }).records,
  };
  const machine = await loadChange({ store, kinds: kinds(() => false), ensureBefore: () => undefined });
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(used);
  const bytes = heap() - before;
  if (machine.change.tasks.size !== count || machine.change.isReady) throw new Error('it was not read back');
  return { ms: took, cpuMs: (user + system) / 1000, bytes };
}

async function live() {
  const before = heap();
  const started = performance.now();
  const machine = openChange(opened, { store: discardingStore(), kinds: kinds(() => true) });
  addTasks(machine);
  await machine.settled();
  const took = performance.now() - started;
  const bytes = heap() - before;
  if (machine.change.tasks.size !== count) throw new Error('tasks are missing');
  return { ms: took, bytes };
}

function heap() {
  for (let time = 0; time < 3; time += 1) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

function ms(value) {
  return `${value.toFixed(0)} ms`;
}

function kB(bytes) {
  return `${(bytes / count / 1000).toFixed(2)} kB a task`;
}
