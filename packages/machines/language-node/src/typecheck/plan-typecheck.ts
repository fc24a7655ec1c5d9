import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { ProgramInfo } from '@cairn/wire';
import type { EntryPoint } from '../entry-point.js';
import { isTypeScript } from '../loader/module-format.js';
import type { TypecheckRequest } from '../loader/typecheck-request.js';
import type { ProgramSdk } from '../program-sdk.js';
import type { RuntimeOptions } from '../runtime-options.js';
import { compilerOfSdk, installed, programTsconfig } from '../tsconfig/program-compiler.js';
import type { Compiler } from '../tsconfig/program-compiler.js';
import { readTsconfig } from '../tsconfig/read-tsconfig.js';
import { decideTypecheck } from './decide-typecheck.js';
import type { TypecheckCause } from './decide-typecheck.js';
import { tsNodeSettings } from './ts-node-settings.js';

/** Planned check: its sources, and its compiler. */
export interface TypecheckPlan {
  readonly compiler: Compiler;
  readonly what: TypecheckRequest['what'];
  /** True if the user, or the project, has asked for it. */
  readonly wanted: boolean;
}

/** Program as it was found. */
export interface FoundProgram {
  readonly info: ProgramInfo;
  readonly options: RuntimeOptions;
  readonly entry: EntryPoint;
  readonly sdk: ProgramSdk;
}

/**
 * Plans the check of a program. Returns undefined if nothing is to be checked. Throws CAIRN-PROGRAM-LOAD if there is no
 * compiler for a check that was asked for, or a tsconfig cannot be read.
 */
export function planTypecheck(
  { info, options, entry, sdk }: FoundProgram,
  cause: TypecheckCause,
  environment: Readonly<Record<string, string | undefined>>,
): TypecheckPlan | undefined {
  // Nothing will be checked, so no file is read.
  if (!options.typescript || (cause === 'on-demand' && options.typecheck !== true)) return undefined;
  const isPulumi = sdk.name === '@pulumi/pulumi';
  const path = programTsconfig(info, options.tsconfig, sdk.name);
  const settings = tsNodeSettings(
    isPulumi && path !== undefined ? readTsconfig(path) : undefined,
    isPulumi ? environment : {},
  );
  const compiler = isPulumi
    ? compilerOfSdk(sdk.runner)
    : installed(createRequire(join(info.programDirectory, 'noop.js')), 'typescript');
  const decision = decideTypecheck({
    cause,
    options,
    sdk: sdk.name,
    typed: isTypeScript(entry.path),
    transpileOnly: environment['PULUMI_NODEJS_TRANSPILE_ONLY'],
    settled: settings.unchecked,
    compiler: compiler !== undefined,
  });
  if (decision === 'no-compiler') return noCompiler(info.programDirectory);
  if (decision === 'leave' || compiler === undefined) return undefined;
  const wanted = cause === 'asked' || options.typecheck === true;
  if (!isPulumi) return { compiler, wanted, what: { t: 'covered', tsconfig: path, entry: entry.path } };
  const { files, ignored, compilerOptions } = settings;
  const modules = entry.isModule || resolvesAsNode(sdk.runner) ? 'node' : 'commonjs';
  return {
    compiler,
    wanted,
    what: { t: 'run', tsconfig: path, entry: entry.path, modules, compilerOptions, ignored, files },
  };
}

/** Release of `@pulumi/pulumi` since which its programs find modules as node does. */
const NODE_MODULES_SINCE = [3, 229] as const;

function resolvesAsNode(runner: string): boolean {
  let version: string;
  try {
    ({ version } = createRequire(runner)('../../package.json') as { readonly version: string });
  } catch {
    return true;
  }
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [sinceMajor, sinceMinor] = NODE_MODULES_SINCE;
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}

/** Fails because a check was wanted, but there is no compiler. */
export function noCompiler(directory: string): never {
  return fail(
    'CAIRN-PROGRAM-LOAD',
    `cannot check the types of the program in ${directory}: typescript is not installed there`,
    { hint: `Run \`npm install --save-dev typescript\` in ${directory}, or run without type check.` },
  );
}
