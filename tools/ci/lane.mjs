// One lane: a command with a home and a folder for temporary files of its own, ended when it takes too long.
import { spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processorSeconds, timed } from '../timed.mjs';
import { kill } from './processes.mjs';

const SECONDS_TO_END = 20;

/**
 * Runs a lane to its end. `folder`: one of its own, which is empty; `seconds`: time that it has at most. Returns its
 * output, its exit code, seconds that passed, processor seconds, whole commands started, and counts of tests.
 */
export async function runLane(lane, { folder, root, seconds, tracker, env: shared }) {
  const [home, tmp, log, commands, report] = ['home', 'tmp', 'log', 'commands', 'report.json'].map((name) =>
    path.join(folder, name),
  );
  for (const name of [home, tmp]) mkdirSync(name);
  // Servers that run as another user are started in it.
  chmodSync(tmp, 0o1777);
  const output = openSync(log, 'w');
  const started = performance.now();
  const child = spawn('bash', timed(lane.words), {
    cwd: root,
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
    env: {
      ...environment(lane, { home, tmp }),
      ...shared,
      CAIRN_E2E_COUNTS: commands,
      CAIRN_TEST_REPORT: report,
    },
  });
  closeSync(output);
  tracker.follow(lane.name, child.pid, folder);
  let times = '';
  child.stdio[3].setEncoding('utf8').on('data', (chunk) => (times += chunk));
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    void end(lane.name, child.pid, tracker);
  }, seconds * 1000);
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (status) => resolve(status ?? 1));
  });
  clearTimeout(limit);
  const wall = (performance.now() - started) / 1000;
  const left = await endLeft(lane.name, tracker);
  const text = readFileSync(log, 'utf8');
  const processor = processorSeconds(times);
  const result = {
    name: lane.name,
    code: isLate ? 124 : code,
    output: isLate ? `${text}\nno end after ${Math.round(seconds / 60)} minutes\n` : text,
    left,
    wall,
    processor: processor === undefined ? undefined : processor + tracker.orphanSeconds(lane.name),
    commands: countCommands(commands),
    ...readReport(report),
  };
  removeFolder(folder);
  return result;
}

/**
 * The environment of this process with a home of the lane's own. npm's cache and settings are shared. Certificates for
 * the network cost each Node process time, so only lanes that use the network have them.
 */
function environment(lane, { home, tmp }) {
  const env = { ...process.env, HOME: home, CAIRN_HOME: path.join(home, '.cairn'), TMPDIR: tmp };
  env.npm_config_cache ??= path.join(homedir(), '.npm');
  const settings = path.join(homedir(), '.npmrc');
  if (existsSync(settings)) env.npm_config_userconfig ??= settings;
  if (lane.network !== true) delete env.NODE_EXTRA_CA_CERTS;
  return env;
}

/** Removes a folder. A remainder that cannot be removed is no fault of the checked code. */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    console.log(`cannot remove ${folder}: ${error.message}`);
  }
}

/** Asks all processes of a lane to end, and ends those that do not. */
async function end(name, group, tracker) {
  const all = () => [-group, ...tracker.left(name).map(({ pid }) => pid)];
  for (const pid of all()) kill(pid, 'SIGTERM');
  await pause(SECONDS_TO_END * 1000, undefined, { ref: false });
  for (const pid of all()) kill(pid, 'SIGKILL');
}

/** Waits a little for processes that a lane has left behind, ends them and returns their names. */
async function endLeft(name, tracker) {
  for (let tries = 0; tries < 20 && tracker.left(name).length > 0; tries += 1) await pause(250);
  const left = tracker.left(name);
  for (const { pid } of left) kill(pid, 'SIGKILL');
  return left.map((each) => each.name);
}

/** Lines of the file in which tests note each command: those that were whole processes. */
function countCommands(file) {
  if (!existsSync(file)) return 0;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('whole')).length;
}

/** Test files with their seconds, and the tests that failed or are unsteady, when the lane has written a report. */
function readReport(file) {
  if (!existsSync(file)) return { files: [], failures: [], unsteady: [] };
  const { files, failures = [], unsteady = [] } = JSON.parse(readFileSync(file, 'utf8'));
  return { files, failures, unsteady };
}
