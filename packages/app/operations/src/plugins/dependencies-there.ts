import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** Tells whether node already finds every dependency of the package.json in a directory, as in a workspace. */
export async function dependenciesAreThere(directory: string): Promise<boolean> {
  const text = await readFile(path.join(directory, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const found = await Promise.all(names.map((name) => isFound(directory, name)));
  return found.every(Boolean);
}

async function isFound(directory: string, name: string): Promise<boolean> {
  const here = await stat(path.join(directory, 'node_modules', name, 'package.json')).catch(() => undefined);
  if (here !== undefined) return true;
  const above = path.dirname(directory);
  return above !== directory && isFound(above, name);
}
