import { readdir } from 'node:fs/promises';
import path from 'node:path';

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const SKIPPED = new Set(['node_modules', 'dist', 'bin', 'build', 'out']);

/** Returns the package.json files and sources of a program, by path, without installed or built ones. */
export async function programFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(directory, entry.name);
    const isSource = entry.name === 'package.json' || SOURCE.test(entry.name);
    if (entry.isFile() && isSource) found.push(full);
    if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
      found.push(...(await programFiles(full)));
  }
  return found;
}
