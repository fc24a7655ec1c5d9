// node tools/bench/agent-passes.mjs [--sizes 100,1000,10000] [--passes 200] [--rounds 3] [--folder]
// Processor time of a pass of an agent with a file, by the number of its stacks: passes in which nothing is due, and
// passes in which the source of one stack is looked at. Each stack has a repository and a daily schedule. The register
// is in memory, or with `--folder` in a folder as that of an agent. Prints medians of rounds, in milliseconds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryStore, systemClock } from '@cairn/changes';
import { openRegister } from '@cairn/changes-daemon';
import { ensureBuilt, root } from '../setup.mjs';
import { toolOptions } from '../tool-options.mjs';
import { median } from './measure.mjs';
import { table } from './table.mjs';

const { number, values } = toolOptions(import.meta.url, {
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    passes: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'boolean', default: false },
  },
});
const WARM = 50;

ensureBuilt();
const built = (file) =>
  import(pathToFileURL(path.join(root, 'packages', 'edges', 'agent', 'dist', file)).href);
const { AgentCore } = await built('agent.js');
const { FolderLease } = await built('folder/lease.js');
const { openAgentRegister } = await built('folder/agent-folder.js');

const sizes = values.sizes.split(',').map(Number);
const found = new Map(sizes.map((size) => [size, { idle: [], due: [] }]));
for (let round = 0; round < number('rounds'); round += 1)
  for (const size of sizes) {
    const { idle, due } = found.get(size);
    const measured = await costsOf(size);
    idle.push(measured.idle);
    due.push(measured.due);
  }
const first = found.get(sizes[0]);
table(
  ['stacks', 'a pass with nothing due', 'growth', 'a pass with one look', 'growth'],
  sizes.map((size) => {
    const { idle, due } = found.get(size);
    return [
      ...[size, median(idle).toFixed(3), (median(idle) / median(first.idle)).toFixed(2)],
      ...[median(due).toFixed(3), (median(due) / median(first.due)).toFixed(2)],
    ];
  }),
);

/** Returns the processor time of passes of an agent with so many stacks. */
async function costsOf(size) {
  const work = mkdtempSync(path.join(tmpdir(), 'cairn-passes-'));
  const messages = [];
  const core = new AgentCore({
    config: { file: '', folder: work, name: 'a', places: 4, stacks: Array.from({ length: size }, stackAt) },
    register: values.folder ? await folderRegister(work) : await memoryRegister(),
    work: { head: () => Promise.resolve({ commit: 'c', tree: 't' }) },
    inbox: {
      read: () => Promise.resolve(messages.splice(0)),
      done: () => Promise.resolve(),
      refuse: () => Promise.resolve(),
    },
    ...{ fence: 1, clock: systemClock, newId: String, log: () => undefined },
  });
  await core.start(() => undefined);
  let ids = 0;
  const pass = async (isDue) => {
    ids += 1;
    const event = { t: 'push', branch: `b${ids % size}` };
    if (isDue) messages.push({ file: 'm', message: { t: 'forge', forge: 'hub', id: `d${ids}`, event } });
    await core.nextPass();
    if (!isDue) return;
    await core.nextPass();
    await core.ledger.stored();
  };
  const timed = async (isDue) => {
    for (let at = 0; at < WARM; at += 1) await pass(isDue);
    const { user, system } = process.cpuUsage();
    for (let at = 0; at < number('passes'); at += 1) await pass(isDue);
    const after = process.cpuUsage();
    return (after.user - user + after.system - system) / 1000 / number('passes');
  };
  const idle = await timed(false);
  const due = await timed(true);
  await core.stop();
  rmSync(work, { recursive: true, force: true });
  return { idle, due };
}

function stackAt(_, at) {
  return {
    ...{ name: `s${at}`, stack: `s${at}`, before: [], environment: [], after: [], onCommit: 'nothing' },
    source: {
      t: 'git',
      url: 'https://git.example/x.git',
      ref: `refs/heads/b${at}`,
      folder: '.',
      everyMs: 36e5,
    },
    drift: { schedule: { cron: '0 3 * * *', zone: 'UTC', jitterMs: 0, paused: false }, then: 'report' },
    policy: { name: 'p', approvals: 1, others: false, rules: [] },
    ...{ recovery: 'resume', limits: { timeMs: 1, outputBytes: 1 }, pulls: { forge: 'hub', review: false } },
  };
}

function memoryRegister() {
  const nothing = () => Promise.resolve();
  return openRegister({
    store: { read: nothing, write: nothing, replace: nothing },
    ...{ clock: systemClock, logs: () => memoryStore(), archive: nothing, machine: { kinds: {} } },
  });
}

async function folderRegister(folder) {
  const { lease } = await FolderLease.take(folder, 'a', () => new Date());
  return openAgentRegister(folder, lease, systemClock);
}
