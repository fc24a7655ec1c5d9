import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fail } from '@cairn/diagnostics';
import { startProcess } from '@cairn/processes';
import type { RunRequest, RunResult } from '@cairn/wire';
import { findEntryPoint } from './entry-point.js';
import { programTsconfig } from './tsconfig/program-compiler.js';

/**
 * Checks the types of a program on our SDK with the project's own compiler, and how it uses outputs. undefined: both
 * are right. A line for each mistake, with file, line and column, is the failure's message. `loader`: path of the built
 * loader module, which stands beside the check; undefined: the one of this package.
 */
export async function typecheckProgram(
  request: RunRequest,
  node: string,
  environment: Readonly<Record<string, string | undefined>>,
  tsconfig: string | undefined,
  loader: string | undefined,
): Promise<RunResult | undefined> {
  const { programDirectory } = request.info;
  const check = new URL(
    'typecheck.js',
    loader === undefined ? new URL('./loader/', import.meta.url) : pathToFileURL(loader),
  );
  let text = '';
  const compiler = await startProcess({
    command: node,
    args: [fileURLToPath(check), compilerOf(programDirectory), '--noEmit', ...what(request, tsconfig)],
    cwd: programDirectory,
    env: environment,
    onOutput: (_, chunk) => {
      text += chunk;
    },
  });
  const status = await compiler.exit;
  if (status.kind === 'code' && status.code === 0) return undefined;
  return { t: 'failed', message: text.trim() };
}

/** Settings that programs are run under, for projects that have no tsconfig.json. */
const DEFAULTS = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];

/** What is checked: what the program's tsconfig covers, else the entry file under our defaults. */
function what({ info }: RunRequest, tsconfig: string | undefined): readonly string[] {
  const path = programTsconfig(info, tsconfig, '@cairn/sdk');
  return path === undefined ? [...DEFAULTS, findEntryPoint(info).path] : ['-p', path];
}

function compilerOf(directory: string): string {
  try {
    return createRequire(join(directory, 'noop.js')).resolve('typescript');
  } catch (cause) {
    return fail(
      'CAIRN-PROGRAM-LOAD',
      `cannot check the types of the program in ${directory}: typescript is not installed there`,
      { hint: `run \`npm install --save-dev typescript\` in ${directory}, or run without type check` },
      cause,
    );
  }
}
