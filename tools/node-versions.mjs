// npm run smoke:nodes: tries the supported Nodes other than the one that runs this script: both examples, an update
// that is killed and resumed, and the same with state in a bucket. An unsupported Node gets one clear line. Each Node
// comes from the registry as a package that contains the program (nothing else is downloaded). If it is not available,
// the script says so and skips it. Needs a built repository. Ends with `N passed, N failed`, alone on a line.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const SUPPORTED = ['22', '24'];
const UNSUPPORTED = ['18'];
const cairn = path.join(root, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
const work = mkdtempSync(path.join(tmpdir(), 'cairn-nodes-'));
const counts = { passed: 0, failed: 0 };
try {
  for (const version of SUPPORTED) withNode(version, smoke);
  for (const version of UNSUPPORTED) withNode(version, oneLine);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exit(counts.failed === 0 ? 0 : 1);

/** Uses a Node of a version, or prints why there is none. */
function withNode(version, use) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(work, version);
  const installed = spawnSync(
    'npm',
    [
      ...['install', '--prefix', folder, '--no-save', '--ignore-scripts'],
      ...['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', `${name}@${version}`],
    ],
    { encoding: 'utf8', shell: process.platform === 'win32' },
  );
  const program = path.join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  const started = existsSync(program) ? spawnSync(program, ['--version'], { encoding: 'utf8' }) : installed;
  if (installed.status === 0 && started.status === 0) return use(program, started.stdout.trim(), folder);
  const [reason = 'it does not start'] = `${started.stderr || started.error?.message || ''}`
    .trim()
    .split('\n');
  process.stdout.write(`Node ${version}: skipped, the package ${name}@${version} cannot be had: ${reason}\n`);
}

function smoke(node, version, folder) {
  const state = (name) => ({
    CAIRN_BACKEND_URL: `${pathToFileURL(path.join(folder, name)).href}?create_dir=true`,
    CAIRN_HOME: path.join(folder, `${name}-home`),
  });
  const quickstart = ['tools/quickstart.mjs'];
  check(node, `${version}: examples/quickstart`, quickstart, state('quickstart'));
  check(
    node,
    `${version}: examples/quickstart is destroyed`,
    [...quickstart, '--destroy'],
    state('quickstart'),
  );
  const jest = [
    'node_modules/jest/bin/jest.js',
    '--config',
    'jest.config.cjs',
    '--rootDir',
    'e2e',
    '-w',
    '1',
  ];
  check(node, `${version}: examples/pulumi-program`, [...jest, 'pulumi-program.test.ts']);
  check(node, `${version}: an update is killed and resumed`, [...jest, '/resume.test.ts', '-t', 'killed']);
  check(node, `${version}: the same on a bucket`, [...jest, '/s3.test.ts', '-t', 'killed']);
}

/** Runs a Node that is too old: it prints only one line that says so, and fails. */
function oneLine(node, version) {
  const { status, stdout, stderr } = spawnSync(node, [cairn, 'up'], { encoding: 'utf8' });
  const clear = status === 2 && stdout === '' && /^error\[CAIRN-NODE-VERSION\]: [^\n]*\n$/.test(stderr);
  count(clear, `${version}: one line that names the Node it needs`, `${stdout}${stderr}`);
}

/** Runs a script of the repository on a Node, which is also the one that the script's own commands find. */
function check(node, title, words, more = {}) {
  const env = { ...process.env, ...more, CI: 'true', NO_COLOR: '1', NX_DAEMON: 'false' };
  env.PATH = `${path.dirname(node)}${path.delimiter}${env.PATH}`;
  const start = Date.now();
  const { status, stdout, stderr } = spawnSync(node, words, {
    ...{ cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 600_000 },
  });
  count(status === 0, `${title} (${Math.round((Date.now() - start) / 1000)} s)`, `${stdout}${stderr}`);
}

function count(ok, title, output) {
  counts[ok ? 'passed' : 'failed'] += 1;
  process.stdout.write(`${ok ? 'ok' : 'FAILED'}: ${title}\n${ok ? '' : output}`);
}
