import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from './answers.js';
import type { DescribedComponents } from './described.js';
import type { ReadTypes } from './kept.js';

interface Written {
  /** SHA-256 of the package's own declarations that were read, by their path from this file. */
  readonly declarations: Readonly<Record<string, string>>;
  readonly components: DescribedComponents;
}

/** Returns the path of `<module>.components.json` beside a built module. */
export function writtenBeside(module: string): string {
  return module.replace(/\.[cm]?js$/, '.components.json');
}

/** Writes the types that were read from the declarations of a built module. */
export function writeSidecar(module: string, { answers, components }: ReadTypes): void {
  const target = writtenBeside(module);
  const root = packageRoot(module);
  const own = Object.entries(answers.bytes).flatMap(([file, hash]) => {
    const inside = path.relative(root, file);
    const isOwn = !inside.startsWith('..') && !/(^|[\\/])node_modules[\\/]/.test(inside);
    const here = path.relative(path.dirname(target), file).split(path.sep).join('/');
    return isOwn && hash !== null && /\.d\.[cm]?ts$/.test(file) ? [[here, hash] as const] : [];
  });
  const written: Written = { declarations: Object.fromEntries(own.sort()), components };
  writeFileSync(target, `${JSON.stringify(written, undefined, 2)}\n`);
}

/**
 * Returns the types written beside a module when its package was built; undefined if there are none. `stale` means that
 * the declarations beside it have changed. A package that ships none of them counts as built.
 */
export function readBeside(module: string): DescribedComponents | 'stale' | undefined {
  const target = writtenBeside(module);
  if (!existsSync(target)) return undefined;
  const { declarations = {}, components } = JSON.parse(readFileSync(target, 'utf8')) as Partial<Written>;
  const today = Object.entries(declarations).map(([name, hash]) => {
    const now = hashOf(path.resolve(path.dirname(target), name));
    return now === null ? 'gone' : now === hash;
  });
  const isAsBuilt = today.every((each) => each === true) || today.every((each) => each === 'gone');
  return isAsBuilt && components !== undefined ? components : 'stale';
}

function packageRoot(module: string): string {
  let directory = path.dirname(module);
  while (!existsSync(path.join(directory, 'package.json'))) {
    const above = path.dirname(directory);
    if (above === directory) return path.dirname(module);
    directory = above;
  }
  return directory;
}
