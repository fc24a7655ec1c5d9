// Runs every check that must pass, from a clean checkout on a machine that has Node, npm and git. `.ci/run` calls it.
// Ends with the sum of all checks and tests as `N passed, N failed`, alone on a line.
//
// node tools/ci/index.mjs [--only TEXT,…] [--seed N] [--times N] [--draw] [--record]
//                         [--slots N] [--root FOLDER] [--lanes FILE]
//   --only    lanes whose names have one of the texts, without those before them
//   --seed    of everything that is random; defaults to 1. --draw takes another each time and prints it
//   --times   as many random runs as CI has
//   --record  writes the processor time of this run as the new budget
//   --minutes after these every lane is ended, so that the tables are printed; defaults to 80
//   --slots   lanes side by side; defaults to the number of processors
//   --root    runs the lanes in another checkout
//   --lanes   a module that exports `allLanes` in place of `lanes.mjs`, for a checkout that has other commands
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { removeFolder, runLane } from './lane.mjs';
import { allLanes } from './lanes.mjs';
import { runPool } from './pool.mjs';
import { ProcessTracker } from './processes.mjs';
import { failedLanes, failedTests, laneTable, overBudget, slowestFiles, totalsOf } from './report.mjs';
import { unitSeconds } from './unit.mjs';
import { toolOptions } from '../tool-options.mjs';

const SHOWN_LINES = 400;

const here = path.dirname(fileURLToPath(import.meta.url));
const budgetFile = path.join(here, 'budgets.json');
const { values, number, refuse } = toolOptions(import.meta.url, {
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    draw: { type: 'boolean', default: false },
    times: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '80' },
    record: { type: 'boolean', default: false },
    slots: { type: 'string', default: String(availableParallelism()) },
    root: { type: 'string', default: path.join(here, '..', '..') },
    lanes: { type: 'string' },
  },
});
const root = path.resolve(values.root);
const seed = values.draw ? randomInt(2 ** 20) : number('seed');
const { ci: budgets } = JSON.parse(readFileSync(budgetFile, 'utf8'));
const minutes = number('minutes');
const started = performance.now();
const secondsSince = () => (performance.now() - started) / 1000;
const folder = mkdtempSync(path.join(tmpdir(), 'ci-'));
// Servers that run as another user are started below it.
chmodSync(folder, 0o755);
const tracker = new ProcessTracker();
tracker.start();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupted);
try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  tracker.stop();
  removeFolder(folder);
}

async function main() {
  const lanes = await chosenLanes();
  const slots = number('slots');
  console.log(`${lanes.length} lanes, seed ${seed}, ${slots} at a time`);
  let count = 0;
  const results = await runPool(lanes, {
    slots,
    length: (lane) => budgets.lanes[lane.name] ?? lane.minutes * 60,
    isFatal: ({ fatal, failed }) => fatal === true && failed > 0,
    skip: (lane, cause) => show(lane, notRun(lane, `${cause} failed`)),
    run: async (lane) => {
      const seconds = Math.min(lane.minutes * 60, minutes * 60 - secondsSince());
      if (seconds <= 0) return show(lane, notRun(lane, `${minutes} minutes are over`));
      const own = path.join(folder, String((count += 1)));
      mkdirSync(own, { mode: 0o755 });
      const result = runLane(lane, { folder: own, root, seconds, tracker, env: shared() });
      return show(lane, await result.then((ended) => judged(lane, ended)));
    },
  });
  const totals = { ...totalsOf(results, secondsSince()), unit: await unitSeconds(availableParallelism()) };
  console.log(`\n${slowestFiles(results)}\n\n${laneTable(results, totals, budgets)}\n`);
  console.log(
    `${(totals.wall / 60).toFixed(1)} minutes, the goal is ${budgets.minutes}; ` +
      `a unit of computation takes ${totals.unit.toFixed(2)} s of processor here, ${budgets.unitSeconds} in the budget`,
  );
  if (values.record) record(results, totals);
  const isWhole = values.only === undefined && values.times === '1' && values.lanes === undefined;
  const why = isWhole && !values.record ? overBudget(totals, budgets) : undefined;
  if (why !== undefined) console.log(why);
  const testsOf = (key) => results.flatMap(({ [key]: tests = [] }) => tests);
  process.stdout.write(failedTests(testsOf('unsteady'), 'unsteady (passed in a second run)'));
  process.stdout.write(failedTests(testsOf('failures')));
  process.stdout.write(failedLanes(results));
  const failed = totals.failed + (why === undefined ? 0 : 1);
  console.log(`${totals.passed} passed, ${failed} failed`);
  return failed === 0;
}

/** Nothing that a lane has started outlives this process. */
function interrupted() {
  tracker.endAll();
  removeFolder(folder);
  process.exit(130);
}

async function chosenLanes() {
  const make =
    values.lanes === undefined
      ? allLanes
      : (await import(pathToFileURL(path.resolve(values.lanes)).href)).allLanes;
  const lanes = make({ seed, times: number('times') }).map((lane) => ({ after: ['build'], ...lane }));
  if (values.only === undefined) return lanes;
  const texts = values.only.split(',');
  const chosen = lanes.filter(({ name }) => texts.some((text) => name.includes(text)));
  if (chosen.length === 0) refuse(`no lane has ${texts.join(' or ')} in its name`);
  const isChosen = (name) => chosen.some((lane) => lane.name === name);
  return chosen.map((lane) => ({ ...lane, after: lane.after.filter(isChosen) }));
}

/** Variables that all lanes have. The packages are built once, by a lane; a lane has one processor. */
function shared() {
  return {
    ...{ CI: 'true', NO_COLOR: '1', NX_DAEMON: 'false', CAIRN_BUILT: '1' },
    ...{ CAIRN_TEST_WORKERS: '1', CAIRN_SECOND_RUN: '1', CAIRN_PROPERTY_SEED: String(seed) },
  };
}

/** A result with its counts: those that the lane has printed last, or one. */
function judged(lane, result) {
  const isWell = result.code === 0;
  if (lane.counts !== true)
    return { ...result, fatal: lane.fatal, passed: isWell ? 1 : 0, failed: isWell ? 0 : 1 };
  const last = [...result.output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1);
  const passed = Number(last?.[1] ?? 0);
  const failed = Number(last?.[2] ?? 1);
  return { ...result, passed, failed: isWell ? failed : Math.max(1, failed) };
}

function notRun(lane, cause) {
  const { name, fatal } = lane;
  return {
    name,
    fatal,
    skipped: cause,
    code: 1,
    output: '',
    left: [],
    wall: 0,
    commands: 0,
    passed: 0,
    failed: 1,
  };
}

/** Prints the output of a lane, in one piece. */
function show(lane, result) {
  const { name, output, left, wall, processor, commands, failed, skipped } = result;
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const isShown = output !== '' && (lane.quiet !== true || failed > 0);
  const took = `${Math.round(wall)} s, ${Math.round(processor ?? 0)} s of processor, ${commands} commands`;
  const end = skipped === undefined ? took : `not run: ${skipped}`;
  const behind =
    left.length > 0 ? [`it left ${left.length} processes, which were ended: ${left.join(', ')}`] : [];
  console.log(
    [
      `\n${failed === 0 ? 'ok' : 'FAILED'}: ${name} (${end})`,
      ...behind,
      ...(isShown ? lines.map((line) => `  ${line}`) : []),
    ].join('\n'),
  );
  return result;
}

/** Stores the processor time of each lane, and of all, for comparison with later runs. */
function record(results, { processor, unit }) {
  const file = JSON.parse(readFileSync(budgetFile, 'utf8'));
  file.ci.unitSeconds = Number(unit.toFixed(2));
  file.ci.processorSeconds = Math.round(processor);
  file.ci.lanes = Object.fromEntries(
    results.map((each) => [each.name, Math.round(each.processor ?? 0)]).sort((a, b) => b[1] - a[1]),
  );
  writeFileSync(budgetFile, `${JSON.stringify(file, null, 2)}\n`);
}
