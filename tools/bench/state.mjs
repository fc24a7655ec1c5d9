// node tools/bench/state.mjs [--count 100000] [--small 10000] Reading and writing large states: time
// against JSON.parse and JSON.stringify, and the most memory of whole processes above an empty one.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, root } from '../setup.mjs';
import { largeCheckpoint } from './large-state.mjs';
import { median } from './measure.mjs';
import { toolOptions } from '../tool-options.mjs';

const { number } = toolOptions(import.meta.url, {
  options: {
    count: { type: 'string', default: '100000' },
    small: { type: 'string', default: '10000' },
  },
});
const [small, large] = [number('small'), number('count')];
const cairn = path.join(root, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
const peakHook = pathToFileURL(path.join(root, 'tools', 'bench', 'peak.mjs')).href;

ensureInstalled();
ensureBuilt();
const { checkpointBytes, readCheckpoint, readUntypedDeployment, untypedDeploymentPieces } = await import(
  pathToFileURL(path.join(root, 'packages', 'boundary', 'state', 'dist', 'index.js')).href
);
const work = mkdtempSync(path.join(tmpdir(), 'cairn-state-'));
const OPEN_AND_STORE = `
  import(${JSON.stringify(pathToFileURL(path.join(root, 'packages', 'machines', 'backends', 'dist', 'index.js')).href)}).then(async ({ openBackend }) => {
    const { randomUUID } = await import('node:crypto');
    const backend = await openBackend(process.env.CAIRN_BACKEND_URL, {
      env: {}, now: () => new Date(), newId: randomUUID, version: 'v0', argv: [],
      process: { pid: process.pid, username: 'bench', hostname: 'bench', isAlive: () => true },
    });
    await backend.edit({ project: 'bench', stack: 'big' }, (deployment) => ({ ...deployment }));
    await backend.close();
  });
`;

try {
  timeTable(small);
  memoryTable(large);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Processor time of one call, in milliseconds: the machine may be busy with other things. */
function cost(run) {
  const times = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return median(times);
}

function timeTable(count) {
  const bytes = Buffer.from([...largeCheckpoint(count)].join(''));
  const plain = cost(() => JSON.stringify(JSON.parse(bytes.toString('utf8'))));
  let deployment;
  const read = cost(() => (deployment = readCheckpoint(bytes, 'bench').deployment));
  const write = cost(() =>
    checkpointBytes('organization/bench/big', deployment, { room: bytes.length * 1.25 }),
  );
  console.log(`${count} resources, ${(bytes.length / 2 ** 20).toFixed(1)} MiB, processor time`);
  console.log(`JSON.parse and JSON.stringify: ${plain.toFixed(0)} ms`);
  console.log(
    `opened ${read.toFixed(0)} ms, written back ${write.toFixed(0)} ms: ${((read + write) / plain).toFixed(2)} times (aim: at most 3)\n`,
  );
}

function memoryTable(count) {
  const project = path.join(work, 'project');
  const state = path.join(work, 'state');
  for (const directory of [project, state]) mkdirSync(directory);
  writeFileSync(path.join(project, 'Cairn.yaml'), 'name: bench\nruntime: nodejs\n');
  const checkpoint = path.join(state, '.pulumi', 'stacks', 'bench', 'big.json');
  const document = path.join(work, 'document.json');
  writeExport(count, document);
  const env = {
    ...process.env,
    CI: 'true',
    CAIRN_HOME: path.join(work, 'home'),
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'bench',
    NODE_OPTIONS: `--import ${peakHook}`,
  };
  const peak = (args) => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: project,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const found = /peak (\d+) kB/.exec(stderr);
    if (status !== 0 || found === null) throw new Error(`${args.join(' ')} failed: ${stderr}`);
    return Number(found[1]) / 1024;
  };
  const empty = peak(['-e', '0']);
  execFileSync(process.execPath, [cairn, 'stack', 'init', 'big'], { cwd: project, env, stdio: 'ignore' });
  const rows = [
    ['stack import', [cairn, 'stack', 'import', '--stack', 'big', '--file', document]],
    ['stack export', [cairn, 'stack', 'export', '--stack', 'big', '--file', path.join(work, 'out.json')]],
    ['opened and stored again', ['-e', OPEN_AND_STORE]],
  ].map(([name, args]) => [name, peak(args) - empty]);
  const size = statSync(checkpoint).size / 2 ** 20;
  console.log(
    `${count} resources, ${size.toFixed(0)} MiB, the most memory of the process above an empty one (aim: at most 4 times)`,
  );
  for (const [name, memory] of rows)
    console.log(`${name}: ${memory.toFixed(0)} MiB, ${(memory / size).toFixed(2)} times`);
}

/** The export of a stack file that was never stored. */
function writeExport(count, file) {
  const { deployment } = readCheckpoint(Buffer.from([...largeCheckpoint(count)].join('')), 'bench');
  writeFileSync(file, [...untypedDeploymentPieces(deployment)].join(''));
  if (readUntypedDeployment(readFileSync(file), file).deployment.resources.length !== count)
    throw new Error('the document is not whole');
}
