// Prepares a clone for running anything: right Node, dependencies installed, packages built. Built-ins only, because it
// runs before anything is installed. Safe to call again: parts that are up to date are left alone.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
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

/**
 * Installs dependencies if they are missing or older than the lock file. If nothing is installed and `workspaces` are
 * named, it installs what those need: a quarter of all packages. Without names, everything is installed after it.
 */
export function ensureInstalled(workspaces = []) {
  const modules = path.join(root, 'node_modules');
  const installed = path.join(modules, '.package-lock.json');
  const isPart = path.join(modules, '.part-of-workspaces');
  const lock = path.join(root, 'package-lock.json');
  const isRecent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
  if (isRecent && (workspaces.length > 0 || !existsSync(isPart))) return;
  const chosen = existsSync(modules) ? [] : workspaces;
  step('installing dependencies');
  const words = chosen.flatMap((name) => ['--workspace', name]);
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...words]);
  if (chosen.length > 0) writeFileSync(isPart, '');
}

/**
 * Builds what has changed: everything, or the code of the named packages and of those that they depend on.
 * CAIRN_BUILT=1 means that everything is built.
 */
export function ensureBuilt(packages = []) {
  if (process.env.CAIRN_BUILT === '1') return;
  step('building packages');
  const words = packages.length > 0 ? packages : ['--declarations'];
  run(process.execPath, [path.join(root, 'tools', 'build.mjs'), ...words], { quiet: true });
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

/** Prints the present step on stderr. */
export function step(text) {
  process.stderr.write(`» ${text}\n`);
}
