// Names in package-lock.json the optional packages of every platform. npm leaves out those that the registry at hand
// does not carry (a mirror for one platform), and `npm ci` then refuses the lock file everywhere. Run it after
// `npm install` behind such a registry. Entries that npm wrote stay as they are.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
/** Words of package names, with node's name of the processor. */
const PROCESSORS = {
  arm: 'arm',
  arm64: 'arm64',
  armv7: 'arm',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  ppc64le: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
};

const file = path.join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = Object.entries(lock.packages).flatMap(([place, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => !isFound(place, name))
    .map(([name, version]) => [`node_modules/${name}`, platformEntry(name, version, entry)]),
);
const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
packages.sort(([one], [other]) => one.localeCompare(other, 'en'));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
process.stdout.write(`${missing.length} entries added\n`);

/** Tells whether a package at a place in the tree finds another one in its own or an outer node_modules. */
function isFound(place, name) {
  if (lock.packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`] !== undefined) return true;
  return place !== '' && isFound(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name);
}

/** Returns npm's entry for a package of a platform, as far as its name tells. Its owner asks for one exact version. */
function platformEntry(name, version, owner) {
  if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${name}: ${version} is not one version`);
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const system = words.find((word) => SYSTEMS.includes(word));
  const processor = words.map((word) => PROCESSORS[word]).find((word) => word !== undefined);
  const library = words.map(libraryOf).find((word) => word !== undefined);
  if (system === undefined || processor === undefined) throw new Error(`${name}: for which platform?`);
  return {
    version,
    cpu: [processor],
    ...(owner.dev === true && { dev: true }),
    ...(library !== undefined && { libc: [library] }),
    optional: true,
    os: [system],
  };
}

function libraryOf(word) {
  if (word.startsWith('musl')) return 'musl';
  return word.startsWith('gnu') ? 'glibc' : undefined;
}
