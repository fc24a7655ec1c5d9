#!/usr/bin/env node
// Replaces npm where pages are carried out: `install` and `ci` find the packages of this repository, as a registry that
// had them would, and fail for others. Packages resolve in the repository, above the project; folders are copied as
// `--install-links` does. All other commands are those of npm.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const [command, ...words] = process.argv.slice(2);
if (['install', 'i', 'ci'].includes(command)) install();
else
  process.exit(spawnSync('npm', process.argv.slice(2), { stdio: 'inherit', env: withoutSelf() }).status ?? 1);

function install() {
  const named = words.filter((word) => !word.startsWith('-'));
  const isDev = words.some((word) => ['--save-dev', '-D'].includes(word));
  if (words.some((word) => ['--global', '-g'].includes(word))) return named.forEach((name) => find(name));
  if (command === 'ci' && !existsSync('package-lock.json'))
    refuse('EUSAGE', '`npm ci` needs a package-lock.json');
  const manifest = existsSync('package.json') ? JSON.parse(readFileSync('package.json', 'utf8')) : {};
  const kind = isDev ? 'devDependencies' : 'dependencies';
  for (const word of named) {
    const { name, range } = /^(?:file:|\.)/.test(word) ? copy(word) : { name: word, range: `^${find(word)}` };
    manifest[kind] = { ...manifest[kind], [name]: range };
  }
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  for (const [name, range] of all) {
    if (range.startsWith('file:')) copy(range);
    else if (!semver.satisfies(find(name), range))
      refuse('ETARGET', `No matching version found for ${name}@${range}.`);
  }
  if (named.length > 0) writeFileSync('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
  if (command !== 'ci') writeFileSync('package-lock.json', `${JSON.stringify({ lockfileVersion: 3 })}\n`);
  process.stdout.write(`\nadded ${all.length} packages in 1s\n`);
}

/** Copies a folder to where npm would install it. */
function copy(word) {
  const folder = word.replace(/^file:/, '');
  const { name } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const target = path.resolve('node_modules', name);
  rmSync(target, { recursive: true, force: true });
  cpSync(folder, target, { recursive: true, filter: (file) => path.basename(file) !== 'node_modules' });
  return { name, range: `file:${folder}` };
}

/** Returns the version of a package that this repository has. */
function find(name) {
  const manifest = path.join(repository, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) refuse('E404', `'${name}' is not in this registry.`);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

function refuse(code, message) {
  process.stderr.write(`npm error code ${code}\nnpm error ${message}\n`);
  process.exit(1);
}

/** The environment without the folder in which this program is called npm. */
function withoutSelf() {
  const own = path.dirname(process.argv[1]);
  const folders = process.env.PATH.split(path.delimiter).filter((folder) => folder !== own);
  return { ...process.env, PATH: folders.join(path.delimiter) };
}
