// npm test: installs and builds what is missing, then runs the tests, unit tests of the packages first.
// Ends with the sum over all packages as `N passed, N failed` (and skipped), alone on a line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, step } from './setup.mjs';

requireNode();
ensureInstalled();
ensureBuilt();

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
/** Tests of packages that take long: every fault at every call of a store, random operations, the compiler of types. */
const LONG_IN_PACKAGES = [
  'backends/test/paused-fold',
  'backends/test/sealed-places',
  'backends/test/server-faults',
  'backends/test/store-faults',
  'provider-postgresql/test/resources',
  'provider-sdk/src/component-types/component-types',
  'testkit/test/cuts-random',
  'testkit/test/fuzz',
].map((name) => `packages/${name}.test.ts`);
/** What `npm test` takes a sample of: with more writers here. All of the long tests run on every kind of store. */
const WHOLE = ['packages/backends/test/two-writers.test.ts'];
const WHOLE_OPTIONS = { CAIRN_ALL_STORES: '1', CAIRN_SIMULATIONS: '300' };
const onlyLong = process.argv.includes('--long');
const args = process.argv.slice(2).filter((word) => word !== '--long');
const workers = String(Math.max(1, Math.min(4, availableParallelism())));

const inPackages = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'];
const endToEnd = testFiles('e2e');
const isQuick = (file) => QUICK.includes(path.posix.basename(file, '.test.ts'));
// Processes of end-to-end tests wait now and then: one worker more than there are processors.
const moreWorkers = String(Math.min(5, availableParallelism() + 1));
const runs = [];
if (onlyLong) {
  step('long tests');
  const slow = endToEnd.filter((file) => !isQuick(file));
  runs.push(
    await jest('long', [...LONG_IN_PACKAGES, ...WHOLE, ...slow], moreWorkers, { env: WHOLE_OPTIONS }),
  );
} else {
  step('unit tests');
  const testPathIgnorePatterns = ['/node_modules/', ...LONG_IN_PACKAGES.map((file) => `/${file}$`)];
  runs.push(await jest('unit', inPackages, workers, { config: { testPathIgnorePatterns } }));
  step('end-to-end tests');
  const quick = endToEnd.filter(isQuick);
  runs.push(await jest('e2e', quick, moreWorkers));
  const left = LONG_IN_PACKAGES.length + endToEnd.length - quick.length;
  process.stdout.write(`${left} files of tests are left to \`npm run test:long\` and CI\n`);
}

const totals = runs
  .flatMap((run) => run.totals)
  .reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
rmSync(reports, { recursive: true, force: true });
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed${skipped}\n`);
process.exit(runs.every(({ code }) => code === 0) && totals.failed === 0 && totals.passed > 0 ? 0 : 1);

/** Test files of a folder and the folders in it, without those that tests make for themselves. */
function testFiles(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : testFiles(file);
    return entry.name.endsWith('.test.ts') ? [file] : [];
  });
}

/** Runs jest once over the test files that match, and reads its report. */
async function jest(name, patterns, maxWorkers, { env = {}, config = {} } = {}) {
  const report = path.join(reports, `${name}.json`);
  const code = await new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        // Room for what a test makes and drops: a third of the processor time of garbage collection. Workers have it too.
        '--max-semi-space-size=64',
        path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
        '--config',
        JSON.stringify({
          ...base,
          rootDir: root,
          testMatch: patterns.map((pattern) => `<rootDir>/${pattern}`),
          ...config,
        }),
        '--maxWorkers',
        maxWorkers,
        '--json',
        '--outputFile',
        report,
        ...args,
      ],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, ...env, FORCE_COLOR: '0' },
      },
    );
    child.on('close', (status) => resolve(status ?? 1));
  });
  return { code, totals: [readTotals(report)] };
}

function readTotals(report) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    for (const suite of result.testResults) {
      for (const test of suite.assertionResults) {
        if (test.status === 'pending' && test.title) process.stdout.write(`skipped: ${test.fullName}\n`);
      }
    }
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      skipped: result.numPendingTests,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
