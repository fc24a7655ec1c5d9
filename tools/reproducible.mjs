#!/usr/bin/env node
// npm run reproducible -- [--out FOLDER]: builds everything twice from nothing, packs the published packages after each
// build, and fails when two tarballs differ in a file, its bytes or its mode. `--out` keeps the tarballs of the second
// build: what a release publishes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './setup.mjs';
import { packageFolders } from './workspaces.mjs';
import { toolOptions } from './tool-options.mjs';

const { values } = toolOptions(import.meta.url, { options: { out: { type: 'string' } } });
const work = mkdtempSync(path.join(tmpdir(), 'cairn-packed-'));
try {
  const first = packedTwice('first');
  const second = packedTwice('second', values.out);
  const wrong = [...new Set([...first.keys(), ...second.keys()])].filter(
    (file) => first.get(file) !== second.get(file),
  );
  for (const file of wrong.sort()) console.log(`differs: ${file}`);
  console.log(`${first.size} files of ${published().length} packages, ${wrong.length} differ`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Mode and digest of each packed file, by package and path, after a build from nothing. */
function packedTwice(name, out = path.join(work, name)) {
  for (const folder of packageFolders.values())
    rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  run(process.execPath, ['tools/build.mjs', '--declarations']);
  mkdirSync(out, { recursive: true });
  const found = new Map();
  for (const folder of published()) {
    const packed = run('npm', ['pack', '--json', '--pack-destination', path.resolve(out), folder]);
    const [{ name: of, filename }] = JSON.parse(packed);
    const unpacked = mkdtempSync(path.join(work, 'unpacked-'));
    run('tar', ['-xzf', path.resolve(out, filename), '-C', unpacked]);
    for (const entry of readdirSync(unpacked, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
      found.set(`${of} ${path.relative(unpacked, file)}`, `${statSync(file).mode.toString(8)} ${digest}`);
    }
  }
  return found;
}

function published() {
  return [...packageFolders.values()].filter(
    (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).private !== true,
  );
}

function run(command, args) {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
