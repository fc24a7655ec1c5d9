import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * Texts of the tsconfig files that decide how a source is transpiled: the given one, else the nearest `tsconfig.json`
 * above the source, and what they extend by path. Only for the cache key: esbuild reads the files itself.
 */
export function tsconfigTexts(source: string, given: string | undefined): readonly string[] {
  const first = given ?? nearest(dirname(source));
  return first === undefined ? [] : chain(first, []);
}

const nearestByDirectory = new Map<string, string | undefined>();

function nearest(directory: string): string | undefined {
  if (nearestByDirectory.has(directory)) return nearestByDirectory.get(directory);
  const candidate = join(directory, 'tsconfig.json');
  const parent = dirname(directory);
  const found =
    read(candidate) !== undefined ? candidate : parent === directory ? undefined : nearest(parent);
  nearestByDirectory.set(directory, found);
  return found;
}

function chain(path: string, seen: readonly string[]): readonly string[] {
  const text = seen.includes(path) ? undefined : read(path);
  if (text === undefined) return [];
  const parents = [...text.matchAll(/"extends"\s*:\s*(?:\[([^\]]*)\]|("[^"]*"))/g)]
    .flatMap((match) => [...(match[1] ?? match[2] ?? '').matchAll(/"([^"]+)"/g)])
    .map((match) => match[1] as string);
  return [text, ...parents.flatMap((parent) => extended(path, parent, [...seen, path]))];
}

function extended(from: string, parent: string, seen: readonly string[]): readonly string[] {
  if (!parent.startsWith('.') && !isAbsolute(parent)) return [parent];
  const path = isAbsolute(parent) ? parent : join(dirname(from), parent);
  const texts = chain(path, seen);
  return texts.length > 0 ? texts : chain(`${path}.json`, seen);
}

const textByPath = new Map<string, string | undefined>();

function read(path: string): string | undefined {
  if (textByPath.has(path)) return textByPath.get(path);
  let text: string | undefined;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    text = undefined;
  }
  textByPath.set(path, text);
  return text;
}
