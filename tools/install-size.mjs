// The size of an install by npm, and its limits.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Most packages and megabytes (of 1,000,000 bytes) that a published package may bring with it. */
export const INSTALL_LIMITS = {
  '@cairn/cli': { packages: 20, megabytes: 26 },
  '@cairn/automation': { packages: 20, megabytes: 22.7 },
  '@cairn/sdk': { packages: 8, megabytes: 3 },
  '@cairn/provider-sdk': { packages: 10, megabytes: 3.2 },
};

/**
 * Counts the packages and megabytes that a package in `node_modules` of a folder brings with it, itself included:
 * everything that it needs, as Node finds it there.
 */
export function installSize(folder, name) {
  const { packages } = readJson(path.join(folder, 'node_modules', '.package-lock.json'));
  const places = new Set([`node_modules/${name}`]);
  for (const place of places) {
    for (const [needed, isOptional] of neededBy(packages[place])) {
      const found = placeOf(packages, place, needed);
      if (found !== undefined) places.add(found);
      else if (!isOptional) throw new Error(`${place} needs ${needed}, which is not installed`);
    }
  }
  // A file with several names counts once.
  const sizes = new Map([...places].flatMap((place) => filesIn(path.join(folder, place))));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { packages: places.size, megabytes: bytes / 1e6 };
}

/** Names of the packages that one needs. True for those that an install may leave out. */
function neededBy({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} }) {
  const peers = Object.keys({ ...peerDependencies }).filter(
    (name) => peerDependenciesMeta[name] === undefined,
  );
  return new Map([
    ...[...Object.keys({ ...dependencies }), ...peers].map((name) => [name, false]),
    ...Object.keys({ ...optionalDependencies }).map((name) => [name, true]),
  ]);
}

/** Returns the place of a package as seen from another one. Undefined if it is not installed. */
function placeOf(packages, from, name) {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf('/node_modules/'))) {
    const place = `${at}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (!at.includes('/node_modules/')) break;
  }
  const outermost = `node_modules/${name}`;
  return packages[outermost] === undefined ? undefined : outermost;
}

/** Complaints about an install; none if it is within the limits of its package. */
export function checkInstallSize(name, { packages, megabytes }) {
  const most = INSTALL_LIMITS[name];
  return [
    ...(packages > most.packages ? [`${packages} packages, at most ${most.packages}`] : []),
    ...(megabytes > most.megabytes ? [`${megabytes.toFixed(1)} MB, at most ${most.megabytes}`] : []),
  ].map((complaint) => `an install of ${name} has ${complaint}`);
}

/** Inodes and sizes of a package's files, without those of packages inside it. */
function filesIn(folder) {
  const inside = path.join(folder, 'node_modules');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.startsWith(`${inside}/`))
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)))
    .map(({ ino, size }) => [ino, size]);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
