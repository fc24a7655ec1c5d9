// The size of an install by npm, and its limits.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Most packages and megabytes (of 1,000,000 bytes) that an install of a published package alone may have. */
export const INSTALL_LIMITS = {
  '@cairn/cli': { packages: 20, megabytes: 26 },
  '@cairn/automation': { packages: 20, megabytes: 22.7 },
  '@cairn/sdk': { packages: 8, megabytes: 3 },
  '@cairn/provider-sdk': { packages: 10, megabytes: 3.2 },
};

/** Counts the packages and megabytes in `node_modules` of a folder. */
export function installSize(folder) {
  const modules = path.join(folder, 'node_modules');
  const { packages } = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8'));
  return { packages: Object.keys(packages).length, megabytes: bytesIn(modules) / 1e6 };
}

/** Complaints about an install; none if it is within the limits of its package. */
export function checkInstallSize(name, { packages, megabytes }) {
  const most = INSTALL_LIMITS[name];
  return [
    ...(packages > most.packages ? [`${packages} packages, at most ${most.packages}`] : []),
    ...(megabytes > most.megabytes ? [`${megabytes.toFixed(1)} MB, at most ${most.megabytes}`] : []),
  ].map((complaint) => `an install of ${name} has ${complaint}`);
}

/** Bytes of all files in a folder; a file with several names counts once. */
function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)));
  return [...new Map(files.map(({ ino, size }) => [ino, size])).values()].reduce(
    (sum, size) => sum + size,
    0,
  );
}
