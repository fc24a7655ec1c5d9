import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name?: string;
  readonly version: string;
}

let found: { readonly directory: string; readonly version: string } | undefined;

function own(): { readonly directory: string; readonly version: string } {
  if (found !== undefined) return found;
  for (let directory = path.dirname(fileURLToPath(import.meta.url)); ; directory = path.dirname(directory)) {
    const { name, version } = manifestOf(directory);
    if (name === '@cairn/automation') return (found = { directory, version });
    if (path.dirname(directory) === directory)
      throw new Error('@cairn/automation is not installed as a package');
  }
}

function manifestOf(directory: string): Manifest {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return { version: '' };
  }
}

/** Returns the directory of this package. */
export function ownDirectory(): string {
  return own().directory;
}

/** Returns the version of this package, without a leading `v`. */
export function ownVersion(): string {
  return own().version;
}
