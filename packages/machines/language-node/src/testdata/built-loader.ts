import { mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

/** The packages of the workspace. */
export const modules = resolve(__dirname, '../../../../../node_modules');

/** Builds the loader of these sources into a folder of its own, `register.js` among others. The caller removes it. */
export function builtLoader(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-loader-')));
  const source = join(__dirname, '../loader');
  buildSync({
    entryPoints: ['register.ts', 'esm-hooks.ts', 'typecheck.ts', 'wait.ts'].map((name) => join(source, name)),
    outdir: directory,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['esbuild'],
  });
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  symlinkSync(modules, join(directory, 'node_modules'));
  return directory;
}
