import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf, isSaidStill } from './answers.js';
import type { TypeAnswers } from './answers.js';
import type { DescribedComponents } from './described.js';

interface Kept {
  readonly answers: TypeAnswers;
  readonly components: DescribedComponents;
}

/** Types read from a file, with all answers of the file system during the read. */
export type ReadTypes = Kept;

/**
 * Returns the types of `file` that an earlier process read. They are valid if nothing that it read or looked for has
 * changed, and the readers are the same: this code and that version of TypeScript. Otherwise `read` reads them. They
 * are cached for the next process in `$CAIRN_HOME/cache/component-types`, unless that cannot be written.
 */
export function keptTypes(file: string, typescript: string, read: () => ReadTypes): DescribedComponents {
  const key = createHash('sha256').update([file, typescript, ownKey()].join('\n')).digest('hex');
  const target = path.join(cacheDirectory(), `${key}.json`);
  const kept = readKept(target);
  if (kept !== undefined && isSaidStill(kept.answers)) return kept.components;
  const found = read();
  try {
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(`${target}.${process.pid}`, JSON.stringify(found));
    renameSync(`${target}.${process.pid}`, target);
  } catch {
    // The next process reads them again.
  }
  return found.components;
}

/** Returns `$CAIRN_HOME/cache/component-types`. The default home is `~/.cairn`. */
function cacheDirectory(): string {
  const home = process.env['CAIRN_HOME'];
  const base = home === undefined || home === '' ? path.join(homedir(), '.cairn') : home;
  return path.join(base, 'cache', 'component-types');
}

function readKept(file: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

/** Returns the key of the modules that read types. */
function ownKey(): string {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const modules = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name));
  return modules.map((name) => `${name} ${hashOf(path.join(folder, name))}`).join('\n');
}
