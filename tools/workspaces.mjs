// Where the packages are: `packages/<floor>/<name>`. Built-ins only: tools use it before anything is installed.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/** The floors of the house, bottom to top (docs/packages.md). */
export const FLOORS = ['ground', 'boundary', 'machines', 'authors', 'providers', 'app', 'edges', 'testing'];

/** Folders of all packages, absolute, by their names without `@cairn/`; in the order of the floors. */
export const packageFolders = new Map(FLOORS.flatMap(packagesOf));

/** Folder of a package, absolute. Throws when there is no package of that name. */
export function packageFolder(name) {
  const folder = packageFolders.get(name.replace(/^@cairn\//, ''));
  if (folder === undefined) throw new Error(`there is no package ${name}`);
  return folder;
}

/** A path below the root of `NAME/rest`, such as `blobs/src/index.ts`, as an absolute path in that package. */
export function inPackage(place) {
  const [name, ...rest] = place.split('/');
  return path.join(packageFolder(name), ...rest);
}

function packagesOf(floor) {
  const folder = path.join(root, 'packages', floor);
  return readdirSync(folder).map((entry) => {
    const place = path.join(folder, entry);
    const { name } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8'));
    return [name.replace(/^@cairn\//, ''), place];
  });
}
