import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { ProgramInfo } from '@cairn/wire';
import type { CompilerSettings, PathSettings } from '../loader/compiler-settings.js';
import { compilerSettings } from '../loader/compiler-settings.js';
import { readTsconfig } from './read-tsconfig.js';

/**
 * How all sources of a program are compiled: by one tsconfig file, as a compiler would do it. That is the one that the
 * runtime option names (relative to the program's directory), else the nearest `tsconfig.json` from the program's directory up
 * to the project's root. Throws CAIRN-PROGRAM-LOAD when it cannot be used.
 */
export function programCompiler(
  info: Pick<ProgramInfo, 'programDirectory' | 'rootDirectory'>,
  option: string | undefined,
): CompilerSettings {
  const path =
    option === undefined
      ? nearest(info.programDirectory, info.rootDirectory)
      : resolve(info.programDirectory, option);
  if (path === undefined) return compilerSettings({});
  const { options } = readTsconfig(path);
  return {
    ...compilerSettings(options),
    paths: pathSettings(options),
    metadataCompiler:
      options['emitDecoratorMetadata'] === true && options['experimentalDecorators'] === true
        ? compilerBeside(path)
        : undefined,
  };
}

function nearest(directory: string, root: string): string | undefined {
  const path = join(directory, 'tsconfig.json');
  if (existsSync(path)) return path;
  const below = relative(root, directory);
  const leaves = below === '' || below.startsWith('..') || isAbsolute(below);
  return leaves ? undefined : nearest(dirname(directory), root);
}

function pathSettings({
  paths,
  pathsBase,
  baseUrl,
}: Readonly<Record<string, unknown>>): PathSettings | undefined {
  const base = typeof baseUrl === 'string' ? baseUrl : undefined;
  if (paths === undefined && base === undefined) return undefined;
  const from = base ?? (pathsBase as string);
  const patterns = Object.entries((paths ?? {}) as Readonly<Record<string, unknown>>).map(
    ([pattern, targets]): [string, readonly string[]] => [
      pattern,
      (Array.isArray(targets) ? targets : [])
        .filter((target): target is string => typeof target === 'string')
        .map((target) => resolve(from, target)),
    ],
  );
  return { patterns: Object.fromEntries(patterns), baseUrl: base };
}

function compilerBeside(path: string): string {
  try {
    return createRequire(path).resolve('typescript');
  } catch (cause) {
    return fail(
      'CAIRN-PROGRAM-LOAD',
      `${path} asks for emitDecoratorMetadata, which needs the TypeScript compiler, and it is not installed there`,
      { hint: `run \`npm install --save-dev typescript\` in ${dirname(path)}, or remove the option` },
      cause,
    );
  }
}
