// Cost of the start of a command: wall time, processor time of all its processes, code files of the command, and its
// accesses to the store. With two checkouts their runs alternate, and each row has the ratio of the second.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { processorSeconds, timed } from '../timed.mjs';
import { median } from './measure.mjs';
import { table } from './table.mjs';

const TOUCHED = path.join(path.dirname(fileURLToPath(import.meta.url)), 'touched.cjs');
const COMMANDS = [
  ['version', ['version']],
  ['help', ['help']],
  ['stack ls', ['stack', 'ls']],
  ['config get', ['config', 'get', 'colour']],
  ['stack output', ['stack', 'output']],
  ['stack export', ['stack', 'export']],
  ['preview, empty program', ['preview']],
  ['up --yes --skip-preview, empty program', ['up', '--yes', '--skip-preview']],
];
/** Columns: format and name of a figure. */
const FIGURES = [
  ['seconds', 'wall s', (value) => value.toFixed(3)],
  ['processor', 'processor s', (value) => value.toFixed(3)],
  ['codeFiles', 'code files', String],
  ['codeBytes', 'code kB', (value) => String(Math.round(value / 1000))],
  ['directories', 'store directories listed', String],
  ['files', 'store files opened', String],
  ['attributes', 'store attributes', String],
  ['flushes', 'flushes', String],
];

/** Prints the tables. `roots`: one checkout, or two of which the second is compared with the first. */
export async function startTables(roots, runs) {
  const projects = [];
  try {
    for (const root of roots) projects.push(await makeProject(root));
    const node = await figuresOf(projects.slice(0, 1), runs, () => ['-e', '0'], false);
    const rows = [['node -e 0', node]];
    for (const [name, words] of COMMANDS)
      rows.push([name, await figuresOf(projects, runs, ({ command }) => [command, ...words], true)]);
    print(rows, projects.length);
  } finally {
    for (const { folder } of projects) rmSync(folder, { recursive: true, force: true });
  }
}

/** Figures of a command line in each project: medians of alternating runs, and counts of one more. */
async function figuresOf(projects, runs, words, isCounted) {
  const times = projects.map(() => []);
  for (let run = 0; run < runs; run += 1)
    for (const [index, project] of projects.entries())
      times[index].push(await measured(project, words(project)));
  const figures = times.map((each) => ({
    seconds: median(each.map(({ seconds }) => seconds)),
    processor: median(each.map(({ processor }) => processor)),
  }));
  if (isCounted)
    for (const [index, project] of projects.entries())
      Object.assign(figures[index], await countsOf(project, words(project)));
  return figures;
}

function measured(project, args, more = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn('bash', timed([process.execPath, ...args]), {
      cwd: project.folder,
      env: { ...project.env, ...more },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let times = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.stdio[3].on('data', (chunk) => (times += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = (performance.now() - started) / 1000;
      if (code === 0) resolve({ seconds, processor: processorSeconds(times) });
      else reject(new Error(`${args.join(' ')} ended with ${code}:\n${output}`));
    });
  });
}

/** Files that the command itself touches, without the processes that it starts. */
async function countsOf(project, args) {
  const file = path.join(project.folder, '.touched');
  rmSync(file, { force: true });
  await measured(project, args, {
    NODE_OPTIONS: `--require=${TOUCHED}`,
    CAIRN_TOUCHED: file,
    CAIRN_TOUCHED_STORE: project.state,
  });
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.find(({ command }) => command === project.command);
}

/** Returns the command of a checkout: through the link of its workspace, because packages have moved. */
function commandIn(root) {
  return path.join(realpathSync(path.join(root, 'node_modules', '@cairn', 'cli')), 'bin', 'cairn.cjs');
}

async function makeProject(root) {
  const scratch = path.join(root, 'e2e', '.scratch');
  mkdirSync(scratch, { recursive: true });
  const folder = path.join(scratch, `bench-${process.pid}`);
  const state = path.join(folder, '.state');
  mkdirSync(state, { recursive: true });
  writeFileSync(path.join(folder, 'Cairn.yaml'), 'name: bench\nruntime: nodejs\nmain: index.ts\n');
  const dependencies = { '@cairn/sdk': '*' };
  const manifest = { name: 'bench', private: true, type: 'module', dependencies };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'index.ts'), '');
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, CI: 'true', NO_COLOR: '1' },
    CAIRN_HOME: path.join(folder, '.home'),
    CAIRN_BACKEND_URL: pathToFileURL(state).href,
    CAIRN_CONFIG_PASSPHRASE: 'bench',
  };
  const project = {
    folder,
    state,
    env,
    command: commandIn(root),
  };
  for (const words of [
    ['stack', 'init', 'dev'],
    ['config', 'set', 'colour', 'blue'],
    ['up', '--yes'],
  ])
    await measured(project, [project.command, ...words]);
  return project;
}

function print(rows, count) {
  if (count === 1) {
    const cells = rows.map(([name, [figures]]) => [
      name,
      ...FIGURES.map(([key, , show]) => (figures[key] === undefined ? '-' : show(figures[key]))),
    ]);
    table(['start', ...FIGURES.map(([, title]) => title)], cells);
    return;
  }
  const compared = rows.filter(([, figures]) => figures.length > 1);
  for (const [key, title, show] of FIGURES)
    table(
      [title, 'there', 'here', 'here / there'],
      compared.map(([name, [there, here]]) => [
        ...[name, show(there[key]), show(here[key])],
        there[key] === 0 ? '-' : (here[key] / there[key]).toFixed(2),
      ]),
    );
}
