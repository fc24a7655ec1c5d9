// Packs every publishable package as npm would publish it, installs the tarballs into an empty folder and runs both
// examples with the installed command: up, up again with nothing to do, export, destroy.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

/** Packs all publishable packages into a folder; returns the tarballs. */
export function packAll(folder) {
  const names = readdirSync(path.join(root, 'packages')).filter((name) => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'));
    return manifest.private !== true;
  });
  execFileSync(
    'npm',
    [
      'pack',
      '--silent',
      '--pack-destination',
      folder,
      ...names.flatMap((name) => ['--workspace', `packages/${name}`]),
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return readdirSync(folder)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => path.join(folder, file));
}

/** Installs tarballs and npm packages into an empty folder, as a user would. */
export function installInto(folder, tarballs, others = []) {
  const dependencies = {};
  for (const tarball of tarballs) {
    const name = path
      .basename(tarball)
      .replace(/^cairn-/, '')
      .replace(/-\d+\.\d+\.\d+\.tgz$/, '');
    dependencies[`@cairn/${name}`] = `file:${tarball}`;
  }
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'empty', private: true, dependencies, overrides: dependencies }, null, 2),
  );
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...others], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function main() {
  const work = mkdtempSync(path.join(tmpdir(), 'cairn-packed-'));
  try {
    const tarballs = path.join(work, 'tarballs');
    const folder = path.join(work, 'empty');
    mkdirSync(tarballs);
    mkdirSync(folder);
    const packed = packAll(tarballs);
    installInto(folder, packed, ['@pulumi/pulumi@3.248.0']);
    for (const example of ['quickstart', 'pulumi-program']) runExample(folder, example);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function runExample(folder, example) {
  const project = path.join(folder, example);
  cpSync(path.join(root, 'examples', example), project, {
    recursive: true,
    filter: (source) =>
      !/[/\\](node_modules|\.state|site|records)([/\\]|$)/.test(path.relative(root, source)),
  });
  const state = path.join(folder, `${example}-state`);
  mkdirSync(state);
  const cairn = (...words) => {
    process.stdout.write(`$ cairn ${words.join(' ')}\n`);
    const result = spawnSync(
      path.join(folder, 'node_modules', '.bin', 'cairn'),
      [...words, '--cwd', project],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
        env: {
          ...process.env,
          CAIRN_BACKEND_URL: pathToFileURL(state).href,
          CAIRN_CONFIG_PASSPHRASE: 'packed',
          CAIRN_HOME: `${state}-home`,
        },
      },
    );
    process.stdout.write(result.stdout + result.stderr);
    if (result.status !== 0)
      throw new Error(`cairn ${words.join(' ')} ended with ${result.status ?? result.signal}`);
    return result.stdout;
  };
  cairn('stack', 'init', 'dev');
  cairn('up', '--yes', '--stack', 'dev');
  cairn('up', '--yes', '--stack', 'dev', '--expect-no-changes');
  const document = JSON.parse(cairn('stack', 'export', '--stack', 'dev'));
  if (document.version !== 3 || !Array.isArray(document.deployment.resources))
    throw new Error('export is not a deployment');
  cairn('destroy', '--yes', '--stack', 'dev');
  const left = JSON.parse(cairn('stack', 'export', '--stack', 'dev')).deployment.resources ?? [];
  if (left.length > 0) throw new Error(`destroy left ${left.length} resources`);
}

if (process.argv[1] === path.join(root, 'tools', 'packed-examples.mjs')) await main();
