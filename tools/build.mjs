// Builds the packages of the workspace that have changed: `node tools/build.mjs [NAME…] [--declarations]`. Names choose
// packages, with those that they depend on. Declarations are for typed programs, tests and publishing, always of all
// packages.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildLibrary } from './build-library.mjs';
import { root } from './setup.mjs';
import { packageFolder, packageFolders } from './workspaces.mjs';

/** File in `dist` with the digest of the sources of its code. */
const STAMP = '.inputs';
const DECLARATIONS_STAMP = path.join(root, '.nx', 'declarations');

const words = process.argv.slice(2);
const manifests = new Map([...packageFolders.keys()].map((name) => [name, readManifest(name)]));
const digests = new Map([...manifests.keys()].map((name) => [name, sourcesOf(name)]));
const common = digestOf(['package-lock.json', 'tsconfig.base.json', ...toolsOfBuilds()]);
const everything = digestOfTexts([common, ...digests.values()]);

const chosen = closure(words.filter((word) => !word.startsWith('--')));
await Promise.all([
  ...[...chosen].map(buildCode),
  ...(words.includes('--declarations') ? [makeDeclarations()] : []),
]);

/** Bundles contain other packages, so that they change with every one of them. */
async function buildCode(name) {
  const folder = packageFolder(name);
  const script = manifests.get(name).scripts.build;
  const isBundle = script !== 'node ../../../tools/build-library.mjs';
  const digest = isBundle ? everything : digestOfTexts([common, digests.get(name)]);
  const stamp = path.join(folder, 'dist', STAMP);
  if (contentOf(stamp) === digest) return;
  await (isBundle ? run(['build.mjs'], folder) : buildLibrary(folder));
  writeFileSync(stamp, digest);
}

async function makeDeclarations() {
  const index = path.join(packageFolder('sdk'), 'dist', 'index.d.ts');
  if (contentOf(DECLARATIONS_STAMP) === everything && existsSync(index)) return;
  await run([path.join(root, 'tools', 'declarations.mjs')], root);
  mkdirSync(path.dirname(DECLARATIONS_STAMP), { recursive: true });
  writeFileSync(DECLARATIONS_STAMP, everything);
}

/** Packages by name and all that they depend on in the workspace; all packages if none is named. */
function closure(names) {
  if (names.length === 0) return new Set(manifests.keys());
  const found = new Set();
  const add = (name) => {
    if (found.has(name) || !manifests.has(name)) return;
    found.add(name);
    for (const needed of Object.keys(manifests.get(name).dependencies ?? {})) add(shortName(needed));
  };
  for (const name of names) add(shortName(name));
  return found;
}

function shortName(name) {
  return name.replace(/^@cairn\//, '');
}

function readManifest(name) {
  return JSON.parse(readFileSync(path.join(packageFolder(name), 'package.json'), 'utf8'));
}

function sourcesOf(name) {
  const folder = path.relative(root, packageFolder(name));
  const folders = ['src', 'web'].filter((name) => existsSync(path.join(root, folder, name)));
  const src = folders
    .flatMap((name) => readdirSync(path.join(root, folder, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  const build = path.join(folder, 'build.mjs');
  return digestOf([
    path.join(folder, 'package.json'),
    ...(existsSync(path.join(root, build)) ? [build] : []),
    ...src.sort(),
  ]);
}

/** Tools that builds are made with: all modules of the folder itself, of which most others change rarely. */
function toolsOfBuilds() {
  return [
    'build',
    'build-library',
    'bundle',
    'bundle-clouds',
    'declarations',
    'dist',
    'from-own-modules',
    'imports-on-use',
    'notices',
    'packs',
    'workspaces',
  ].map((name) => `tools/${name}.mjs`);
}

function digestOf(files) {
  return digestOfTexts(files.flatMap((file) => [file, readFileSync(path.join(root, file))]));
}

function digestOfTexts(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest('hex');
}

function contentOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Runs node; ends this process when it fails. */
function run(args, cwd) {
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd, stdio: 'inherit' }).on('close', (code) =>
      code === 0 ? resolve() : process.exit(code ?? 1),
    );
  });
}
