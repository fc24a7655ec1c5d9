import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf, isSaidStill } from './answers.js';
import type { Answers } from './answers.js';
import type { DescribedComponents } from './described.js';

interface Kept {
  readonly answers: Answers;
  readonly components: DescribedComponents;
}

/** What was read of a file, with everything that the file system said meanwhile. */
export type ReadTypes = Kept;

/**
 * The types of `file` as an earlier process read them, where nothing that it read or looked for has changed since, and
 * what reads is the same: this code and that version of TypeScript. Otherwise `read` reads them, and they are kept for
 * the next process in `$CAIRN_HOME/cache/component-types`; nothing is kept where that cannot be written.
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

/** `$CAIRN_HOME/cache/component-types`, by default below `~/.cairn`. */
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

/** Of the modules that read types. */
function ownKey(): string {
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const modules = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name));
  return modules.map((name) => `${name} ${hashOf(path.join(folder, name))}`).join('\n');
}
