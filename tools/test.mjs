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
 * End-to-end tests that take long and go over ground that others cover more shortly. `npm run test:long` runs them and
 * nothing else, and so does CI.
 */
const LONG = [
  'alternating',
  'assets',
  'automation-api',
  'beside',
  'blind-reads',
  'class-fields',
  'clouds',
  'conformance',
  'doubts',
  'durability',
  'event-log',
  'git-packages',
  'hostile-files',
  'hostile-providers',
  'import',
  'interrupts',
  'kill',
  'languages',
  'observe',
  'packed',
  'planted-secret',
  'plugins',
  'policies',
  'postgres',
  'provider-methods',
  'pulumi-components',
  'pulumi-hooks',
  'pulumi-sdk',
  'pulumi-transforms',
  'raw-programs',
  'raw-requests',
  'sdk-dynamic',
  'served-components',
  'stored-late',
  'strict-providers',
  'terraform-deletes',
  'terraform-packages',
  'terraform-providers',
  'terraform-state-kill',
  'terraform-serve',
  'terraform-targets',
  'terraform-terminal',
  'terraform-state',
  'terraform-state-real',
  'type-check',
  'walkthroughs',
];
const onlyLong = process.argv.includes('--long');
const args = process.argv.slice(2).filter((word) => word !== '--long');
const workers = String(Math.max(1, Math.min(4, availableParallelism())));

const runs = [];
if (!onlyLong) {
  step('unit tests');
  const files = ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts'];
  runs.push(await jest('unit', files, workers));
}
const endToEnd = readdirSync(path.join(root, 'e2e'))
  .filter(
    (file) => file.endsWith('.test.ts') && LONG.includes(file.slice(0, -'.test.ts'.length)) === onlyLong,
  )
  .map((file) => `e2e/${file}`);
step(onlyLong ? 'long end-to-end tests' : 'end-to-end tests');
// Their work is done by other processes, which wait now and then: one more than there are processors.
runs.push(await jest('e2e', endToEnd, String(Math.min(5, availableParallelism() + 1))));
if (!onlyLong)
  process.stdout.write(`left to \`npm run test:long\` and CI: e2e/{${LONG.join(',')}}.test.ts\n`);

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

/** Runs jest once over the test files that match, and reads its report. */
async function jest(name, patterns, maxWorkers) {
  const report = path.join(reports, `${name}.json`);
  const code = await new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        path.join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
        '--config',
        JSON.stringify({
          ...base,
          rootDir: root,
          testMatch: patterns.map((pattern) => `<rootDir>/${pattern}`),
        }),
        '--maxWorkers',
        maxWorkers,
        '--json',
        '--outputFile',
        report,
        ...args,
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, FORCE_COLOR: '0' } },
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
