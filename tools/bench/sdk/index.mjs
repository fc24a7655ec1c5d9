// node tools/bench/sdk/index.mjs [--size 10000 --runs 5 --import-runs 15 --only cost,import --sdks cairn,pulumi]
// Cost of an SDK in the program's process, with the wire: the same program on ours and on @pulumi/pulumi, each beside
// an engine in another process that answers at once. The cost of a resource is the difference from the process of an
// empty program, divided by the number of resources. Quote ratios of one run.
import { fork, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../../setup.mjs';
import { median } from '../measure.mjs';
import { cairnProgram, pulumiProgram } from '../programs.mjs';
import { toolOptions } from '../../tool-options.mjs';

const hostModule = (name) =>
  import(pathToFileURL(path.join(root, 'packages', 'machines', 'language-node', 'dist', `${name}.js`)).href);
const { programInstructions, programStart } = await hostModule('program-command');
const { findProgramSdk } = await hostModule('program-sdk');
const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(root, 'package.json'));
const options = {
  size: { type: 'string', default: '10000' },
  runs: { type: 'string', default: '5' },
  'import-runs': { type: 'string', default: '15' },
  only: { type: 'string', default: 'cost,import' },
  sdks: { type: 'string', default: 'cairn,pulumi' },
};

const SDKS = {
  cairn: { name: '@cairn/sdk', program: cairnProgram, extension: 'mjs', command: ourCommand },
  pulumi: { name: '@pulumi/pulumi', program: pulumiProgram, extension: 'js', command: theirCommand },
};

/** Prints both tables. */
export async function sdkTables(given = []) {
  const { values, number } = toolOptions(import.meta.url, { options, args: given });
  const only = new Set(values.only.split(','));
  const sdks = values.sdks.split(',').map((sdk) => SDKS[sdk]);
  const [size, runs, importRuns] = ['size', 'runs', 'import-runs'].map(number);
  const work = mkdtempSync(path.join(root, 'e2e', '.bench-sdk-'));
  try {
    if (only.has('cost')) await costTable(sdks, size, runs, work);
    if (only.has('import')) await importTable(sdks, importRuns);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function costTable(sdks, size, runs, work) {
  const engine = await startEngine();
  try {
    const rows = [];
    for (const sdk of sdks) {
      const [empty, full] = [[], []];
      for (let run = 0; run < runs; run += 1) {
        empty.push(await measured(sdk, 0, engine, work));
        full.push(await measured(sdk, size, engine, work));
      }
      const middle = (results, key) => median(results.map((result) => result[key]));
      const each = (key) => (middle(full, key) - middle(empty, key)) / size;
      rows.push([
        each('cpuMs'),
        each('peakKb'),
        each('heldKb'),
        middle(empty, 'cpuMs'),
        middle(empty, 'peakKb') / 1024,
      ]);
    }
    const cells = ([cpu, peak, held, emptyCpu, emptyPeak]) => [
      cpu.toFixed(3),
      peak.toFixed(1),
      held.toFixed(1),
      emptyCpu.toFixed(0),
      emptyPeak.toFixed(0),
    ];
    const lines = rows.map((row, at) => [sdks[at].name, ...cells(row)]);
    if (rows.length === 2)
      lines.push(['ratio', ...rows[0].map((value, at) => (value / rows[1][at]).toFixed(3))]);
    table(
      [
        `${size} resources, medians of ${runs} runs`,
        'processor ms a resource',
        'peak memory kB a resource',
        'held at the end, kB a resource',
        'empty program, processor ms',
        'empty program, MB',
      ],
      lines,
    );
  } finally {
    engine.stop();
  }
}

async function importTable(sdks, runs) {
  const rows = [];
  for (const { name } of sdks) {
    const entry =
      name === '@cairn/sdk' ? import.meta.resolve(name) : pathToFileURL(require.resolve(name)).href;
    const times = [];
    const source = `const t = performance.now(); await import(${JSON.stringify(entry)}); console.log(performance.now() - t);`;
    for (let run = 0; run < runs; run += 1)
      times.push(Number((await output(['--input-type=module', '-e', source], process.env)).text));
    rows.push([`import ${name}`, Math.min(...times).toFixed(1), median(times).toFixed(1)]);
  }
  table([`fresh processes, ${runs} runs`, 'best, ms', 'median, ms'], rows);
}

/** One run of a program of `size` resources; fails when not all of them were registered. */
async function measured(sdk, size, engine, work) {
  const directory = path.join(work, `${path.basename(sdk.name)}-${size}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'package.json'), '{"name":"bench","version":"0.0.0"}');
  const entry = path.join(directory, `index.${sdk.extension}`);
  writeFileSync(entry, sdk.program);
  await engine.registered();
  const { args, env } = sdk.command(entry, directory, engine.address);
  const told = pathToFileURL(path.join(here, 'told.mjs')).href;
  const words = ['--expose-gc', '--import', told, ...args];
  const { text } = await output(words, { ...process.env, ...env, BENCH_N: String(size) }, directory);
  const count = await engine.registered();
  if (count !== size + 1) throw new Error(`${sdk.name} registered ${count} resources, not ${size + 1}`);
  return JSON.parse(text);
}

/** As the language host starts it, without its loader. */
function ourCommand(entry, directory, address) {
  const program = { path: entry, isModule: true, manifest: undefined };
  const sdk = findProgramSdk(directory, program, undefined);
  const options = { nodeargs: [] };
  const start = programStart(sdk, options, { args: [], env: {} });
  const told = programInstructions(sdk.name, {
    request: {
      ...{ monitorAddress: address, engineAddress: address, project: 'bench', stack: 'dev' },
      ...{ organization: 'organization', dryRun: false, parallel: 64, config: {}, configSecretKeys: [] },
      ...{ args: [], info: { rootDirectory: directory } },
    },
    options,
    entry: program,
  });
  return { args: [...start.args, sdk.runner, ...told.args], env: { ...start.env, ...told.env } };
}

function theirCommand(_entry, directory, address) {
  const runner = require.resolve('@pulumi/pulumi/cmd/run');
  const settings = {
    monitor: address,
    engine: address,
    project: 'bench',
    stack: 'dev',
    organization: 'organization',
  };
  const flags = { ...settings, parallel: 64, 'root-directory': directory, pwd: directory };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return { args: [runner, ...words, '.'], env: { PULUMI_NODEJS_TYPESCRIPT: 'false' } };
}

/** Returns what a process of node has written to file descriptor 3, else to its standard output. */
function output(args, env, cwd = root) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    const texts = ['', '', ''];
    [1, 2, 3].forEach((descriptor, at) => child.stdio[descriptor].on('data', (data) => (texts[at] += data)));
    child.on('error', reject);
    child.on('close', (code) => {
      const [out, problems, told] = texts;
      if (code === 0) resolve({ text: told === '' ? out : told });
      else reject(new Error(`${args.join(' ')} ended with ${code}:\n${out}${problems}`));
    });
  });
}

async function startEngine() {
  const child = fork(path.join(here, 'engine.mjs'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const message = () => new Promise((resolve) => child.once('message', resolve));
  const { address } = await message();
  const registered = async () => {
    const answer = message();
    child.send('count');
    return (await answer).registered;
  };
  return { address, registered, stop: () => child.disconnect() };
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
  console.log();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await sdkTables(process.argv.slice(2));
