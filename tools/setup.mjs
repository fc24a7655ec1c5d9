// Brings a clone to the point where things can run: right Node, dependencies installed, packages built. Built-ins only,
// because it runs before anything is installed. Safe to call again: what is up to date is left alone.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const LOWEST = [20, 19];

/** Ends the process with a message when Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LOWEST[0] || (major === LOWEST[0] && minor >= LOWEST[1])) return;
  process.stderr.write(`Cairn needs Node ${LOWEST.join('.')} or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/** Installs dependencies when they are missing or older than the lock file. */
export function ensureInstalled() {
  const installed = path.join(root, 'node_modules', '.package-lock.json');
  const lock = path.join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  step('installing dependencies');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/**
 * Builds what is not built, with what it needs: everything, or the named projects. nx knows what is up to date.
 * CAIRN_BUILT=1 says that everything is.
 */
export function ensureBuilt(projects = []) {
  if (process.env.CAIRN_BUILT === '1') return;
  step(
    existsSync(path.join(root, 'packages', 'cli', 'dist'))
      ? 'building packages'
      : 'building packages (a minute, once)',
  );
  const chosen = projects.length > 0 ? ['--projects', projects.join(',')] : [];
  run(
    process.execPath,
    [path.join(root, 'tools', 'nx.mjs'), 'run-many', '-t', 'build', '--output-style=stream', ...chosen],
    { quiet: true },
  );
}

/** Runs a command in the root; ends the process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32' && command === 'npm',
    env: { ...process.env, ...options.env },
  });
  if (result.status === 0) return;
  if (options.quiet) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
  if (result.error) process.stderr.write(`${command}: ${result.error.message}\n`);
  process.exit(result.status ?? 1);
}

/** Tells what is going on, on stderr. */
export function step(text) {
  process.stderr.write(`» ${text}\n`);
}
