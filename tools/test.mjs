// npm test: installs and builds what is missing, then runs the tests, unit tests of the packages first.
// Prints the slowest test files, then the failures, and ends with the sum over all packages as `N passed, N failed`
// (and skipped), alone on a line. --long runs the slow tests instead; --report FILE (or CAIRN_TEST_REPORT) writes the
// time of each file and the failures as JSON; other words are for jest. With CAIRN_SECOND_RUN=1, as in CI, the few
// files that fail run once more, alone: what passes then counts as passed and is listed as unsteady.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { failedTests } from './ci/report.mjs';
import { processors } from './processors.mjs';
import { afterSecondRun, filesToRepeat } from './second-run.mjs';
import { ensureBuilt, ensureInstalled, requireNode, root, step } from './setup.mjs';
import { inPackage } from './workspaces.mjs';

requireNode();
ensureInstalled();
ensureBuilt();

const SLOWEST = 10;
/** A worker that has kept more than this from the tests that it ran is replaced. */
const WORKER_MEMORY = '1500MB';
const started = performance.now();
const reports = mkdtempSync(path.join(tmpdir(), 'cairn-test-'));
const base = createRequire(import.meta.url)('../jest.config.cjs');
/**
 * The end-to-end tests of `npm test`: a few for every kind of command and every promise. All others, and those that are
 * written in future, are run by `npm run test:long` and CI.
 */
const QUICK = [
  'changes',
  'cli',
  'config',
  'counted',
  'crash',
  'detach',
  'docs',
  'early-kill',
  'first-tutorial',
  'kills-judge',
  'language-plugin',
  'legacy-store',
  'old-node',
  'operations',
  'passphrase',
  'plugin-tokens',
  'program-tests',
  'prompts',
  'pulumi-options',
  'pulumi-program',
  'rollback',
  'run-program',
  's3',
  'sealed',
  'second-user',
  'terminal',
  'terraform-crash',
];
/**
 * Tests of packages that take long: every fault at every call of a store, random operations, the compiler of types,
 * containers and clusters, the rules of the state service with three processes and most of them on PostgreSQL.
 */
const LONG_IN_PACKAGES = [
  'agent/test/cluster',
  'agent/test/containers',
  'backends/test/paused-fold',
  'backends/test/sealed-places',
  'backends/test/server-faults',
  'backends/test/store-faults',
  'provider-postgresql/test/resources',
  'provider-sdk/src/component-types/component-types',
  'engine/test/cuts-random',
  'engine/test/fuzz',
  'state-server/test/access-postgres',
  'state-server/test/access-three-servers',
  'state-server/test/backup-postgres',
  'state-server/test/changes-postgres',
  'state-server/test/changes-three-servers',
  'state-server/test/cleaning-postgres',
  'state-server/test/deployments-postgres',
  'state-server/test/exchange-postgres',
  'state-server/test/hooks-postgres',
  'state-server/test/journal-three-servers',
  'state-server/test/mutated',
  'state-server/test/mutated-postgres',
  'state-server/test/queue-postgres',
  'state-server/test/queue-three-servers',
  'state-server/test/roles-postgres',
  'state-server/test/run-tokens-postgres',
  'state-server/test/sequences-postgres',
  'state-server/test/sequences-three-servers',
  'state-server/test/shared-store',
  'state-server/test/sign-in-postgres',
  'state-server/test/slow-postgres',
  'state-server/test/source-looks-postgres',
  'state-server/test/terraform-postgres',
  'state-server/test/terraform-three-servers',
].map((name) => `${path.relative(root, inPackage(name))}.test.ts`);
/**
 * Tests of which `npm test` takes a sample: with more writers here. All of the long tests run on every kind of store.
 */
const WHOLE = ['packages/machines/backends/test/two-writers.test.ts'];
const WHOLE_OPTIONS = { CAIRN_ALL_STORES: '1', CAIRN_SIMULATIONS: '300' };
const { isLong, reportFile, words } = readWords(process.argv.slice(2));
const workers = processors();
// Processes of end-to-end tests wait now and then: one worker more than there are processors.
const moreWorkers = workers === 1 ? 1 : Math.min(5, workers + 1);

const inPackages = ['packages/*/*/src/**/*.test.ts', 'packages/*/*/test/**/*.test.ts', 'tools/**/*.test.ts'];
const endToEnd = testFiles('e2e');
const isQuick = (file) => QUICK.includes(path.posix.basename(file, '.test.ts'));
const runs = [];
if (isLong) {
  step('long tests');
  const slow = endToEnd.filter((file) => !isQuick(file));
  const files = [...LONG_IN_PACKAGES, ...WHOLE, ...slow];
  runs.push(await repeated('long', files, moreWorkers, { env: WHOLE_OPTIONS }));
} else {
  step('unit tests');
  const testPathIgnorePatterns = ['/node_modules/', ...LONG_IN_PACKAGES.map((file) => `/${file}$`)];
  runs.push(await repeated('unit', inPackages, Math.min(4, workers), { config: { testPathIgnorePatterns } }));
  step('end-to-end tests');
  const quick = endToEnd.filter(isQuick);
  runs.push(await repeated('e2e', quick, moreWorkers));
  const left = LONG_IN_PACKAGES.length + endToEnd.length - quick.length;
  process.stdout.write(`${left} files of tests are left to \`npm run test:long\` and CI\n`);
}
rmSync(reports, { recursive: true, force: true });

const sum = (of) => runs.reduce((total, run) => total + of(run), 0);
const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) => sum((run) => run[key]));
const files = runs.flatMap((run) => run.files).sort((a, b) => b.seconds - a.seconds);
const failures = runs.flatMap((run) => run.failures);
const unsteady = runs.flatMap((run) => run.unsteady);
process.stdout.write('\nslowest files:\n');
for (const { file, seconds } of files.slice(0, SLOWEST))
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file}\n`);
if (!isLong) {
  const { minutes } = JSON.parse(readFileSync(path.join(root, 'tools', 'ci', 'budgets.json'), 'utf8')).test;
  const took = (performance.now() - started) / 60_000;
  process.stdout.write(`\n${took.toFixed(1)} minutes; the goal is ${minutes} on two processors\n`);
}
if (reportFile !== undefined)
  writeFileSync(
    reportFile,
    JSON.stringify({ passed, failed, skipped, files, failures, unsteady }, undefined, 2),
  );
process.stdout.write(failedTests(unsteady, 'unsteady'));
process.stdout.write(failedTests(failures));
process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exit(runs.every(({ code }) => code === 0) && failed === 0 && passed > 0 ? 0 : 1);

function readWords(given) {
  const words = [...given];
  const at = words.indexOf('--report');
  const [, reportFile] = at === -1 ? [] : words.splice(at, 2);
  if (at !== -1 && reportFile === undefined) throw new Error('--report needs a file');
  return {
    isLong: words.includes('--long'),
    reportFile: reportFile ?? process.env.CAIRN_TEST_REPORT,
    words: words.filter((word) => word !== '--long'),
  };
}

/** Test files of a folder and the folders in it, without those that tests make for themselves. */
function testFiles(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : testFiles(file);
    return entry.name.endsWith('.test.ts') ? [file] : [];
  });
}

/** Runs jest over the test files that match and, in CI, once more over those that failed if they are few. */
async function repeated(name, patterns, maxWorkers, options) {
  const first = await jest(name, patterns, maxWorkers, options);
  const again = process.env.CAIRN_SECOND_RUN === '1' ? filesToRepeat(first) : [];
  if (again.length === 0) return { ...first, unsteady: [] };
  step(`a second run of ${again.join(', ')}`);
  return afterSecondRun(first, await jest(`${name}-again`, again, 1, { ...options, isWhole: true }));
}

/**
 * Runs jest once over the test files that match, and reads its report. `isWhole`: without the words of the command
 * line, which choose among the files.
 */
async function jest(name, patterns, maxWorkers, { env = {}, config = {}, isWhole = false } = {}) {
  const report = path.join(reports, `${name}.json`);
  const testMatch = patterns.map((pattern) => `<rootDir>/${pattern}`);
  const code = await new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        // Room for short-lived objects of a test: a third of the time of garbage collection. Workers have it too.
        '--max-semi-space-size=64',
        path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
        ...[
          '--config',
          JSON.stringify({
            ...base,
            rootDir: root,
            testMatch,
            workerIdleMemoryLimit: WORKER_MEMORY,
            ...config,
          }),
        ],
        ...['--maxWorkers', String(maxWorkers), '--json', '--outputFile', report],
        ...(isWhole ? [] : words),
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...environment(), ...env } },
    );
    child.on('close', (status) => resolve(status ?? 1));
  });
  return { code, ...readReport(report) };
}

/** Without certificates that each Node process reads at its start, except for the tests that use the network. */
function environment() {
  const env = { ...process.env, FORCE_COLOR: '0' };
  delete env.CAIRN_TEST_REPORT;
  if (!isLong) delete env.NODE_EXTRA_CA_CERTS;
  return env;
}

function readReport(report) {
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    const failures = [{ file: report, test: 'the test runner', message: 'it wrote no report' }];
    return { passed: 0, failed: 1, skipped: 0, files: [], failures };
  }
  for (const { assertionResults } of result.testResults) {
    for (const test of assertionResults) {
      if (test.status === 'pending' && test.title) process.stdout.write(`skipped: ${test.fullName}\n`);
    }
  }
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests,
    files: result.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      file: path.relative(root, name).replaceAll(path.sep, '/'),
      seconds: (endTime - startTime) / 1000,
      tests: assertionResults.length,
      passed: assertionResults.filter((test) => test.status === 'passed').length,
      skipped: assertionResults.filter((test) => test.status === 'pending').length,
    })),
    failures: result.testResults.flatMap((file) => failuresOf(file)),
  };
}

/** Tests of a file that failed, or the file itself where it could not run. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = path.relative(root, name).replaceAll(path.sep, '/');
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [{ file, test: 'the whole file', message }];
  return failed.map((test) => ({ file, test: test.fullName, message: test.failureMessages.join('\n') }));
}
