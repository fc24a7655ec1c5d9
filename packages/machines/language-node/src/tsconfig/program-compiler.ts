import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { ProgramInfo } from '@cairn/wire';
import type { CompilerSettings, PathSettings, TypeScriptCompiler } from '../loader/compiler-settings.js';
import { compilerSettings, decidedOptions } from '../loader/compiler-settings.js';
import type { SdkName } from '../program-sdk.js';
import { readTsconfig } from './read-tsconfig.js';

/**
 * Returns the path of the one tsconfig file of a program, or undefined when there is none. It is the one of the runtime
 * option (relative to the program's directory; it need not exist). Otherwise it is the nearest `tsconfig.json` from the
 * program's directory up to the project's root. Programs on `@pulumi/pulumi` have it in the program's directory or
 * nowhere, as with their SDK's own loader.
 */
export function programTsconfig(
  { programDirectory, rootDirectory }: Pick<ProgramInfo, 'programDirectory' | 'rootDirectory'>,
  option: string | undefined,
  sdk: SdkName,
): string | undefined {
  if (option !== undefined) return resolve(programDirectory, option);
  return nearest(programDirectory, sdk === '@pulumi/pulumi' ? programDirectory : rootDirectory);
}

/**
 * Returns the settings for compiling all sources of a program: those of its one tsconfig file, as a compiler would use
 * it. Throws CAIRN-PROGRAM-LOAD when that cannot be used.
 */
export function programCompiler(
  info: Pick<ProgramInfo, 'programDirectory' | 'rootDirectory'>,
  option: string | undefined,
  sdk: Sdk,
): CompilerSettings {
  return settingsOf(programTsconfig(info, option, sdk.name), sdk);
}

/**
 * Returns the settings for compiling a plugin on `@pulumi/pulumi`: those without a tsconfig, whichever program starts
 * it. The SDK's own loader takes the one of the folder that it is started in, which is the program's, and never the
 * plugin's.
 */
export function pluginCompiler(runner: string): CompilerSettings {
  return settingsOf(undefined, { name: '@pulumi/pulumi', runner });
}

interface Sdk {
  readonly name: SdkName;
  readonly runner: string;
}

function settingsOf(path: string | undefined, sdk: Sdk): CompilerSettings {
  const options = path === undefined ? {} : readTsconfig(path).options;
  const writesTypes = options['emitDecoratorMetadata'] === true && options['experimentalDecorators'] === true;
  const ofSdk = sdk.name === '@pulumi/pulumi' ? compilerOfSdk(sdk.runner) : undefined;
  const found = ofSdk ?? (writesTypes ? compilerBeside(path as string) : undefined);
  return {
    ...compilerSettings(options),
    paths: pathSettings(options),
    typescript: found && {
      ...found,
      options: decidedOptions(ofSdk === undefined ? { esModuleInterop: true, ...options } : options),
      sources: ofSdk === undefined ? 'decorators' : 'all',
    },
  };
}

/** Installed compiler. */
export type Compiler = Pick<TypeScriptCompiler, 'path' | 'version'>;

/**
 * Returns the compiler that an SDK loads in every program, to read functions: the project's, else the one that the SDK
 * contains. `runner` is the module that runs its programs.
 */
export function compilerOfSdk(runner: string): Compiler | undefined {
  const require = createRequire(runner);
  return (
    installed(require, 'typescript') ?? installed(require, '../../vendor/typescript@3.8.3/typescript.js')
  );
}

/** Returns the compiler of a name, as `require` finds it. */
export function installed(require: NodeJS.Require, name: string): Compiler | undefined {
  try {
    const path = require.resolve(name);
    return {
      path,
      version: name === 'typescript' ? (require('typescript/package.json') as Compiler).version : name,
    };
  } catch {
    return undefined;
  }
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

function compilerBeside(path: string): Compiler {
  return (
    installed(createRequire(path), 'typescript') ??
    fail(
      'CAIRN-PROGRAM-LOAD',
      `${path} asks for emitDecoratorMetadata, which needs the TypeScript compiler, and it is not installed there`,
      { hint: `Run \`npm install --save-dev typescript\` in ${dirname(path)}, or remove the option.` },
    )
  );
}
