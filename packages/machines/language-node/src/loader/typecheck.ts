import { createRequire } from 'node:module';
import process from 'node:process';
import type ts from 'typescript';
import { coveredErrors } from './covered-errors.js';
import { errorsOfSourcesThatRun } from './running-errors.js';
import { recordLookups } from './seen-files.js';
import { openTransformCache } from './transform-cache.js';
import { TYPECHECK_EXIT } from './typecheck-request.js';
import type { CoveredSources, TypecheckRequest } from './typecheck-request.js';

type TypeScript = typeof ts;

/**
 * Main module of the type check: `typecheck.js <TypecheckRequest as JSON>`, in the program's directory. Prints the
 * errors, keeps them with everything that they depend on, and ends with a code of {@link TYPECHECK_EXIT}.
 */
function main(text: string): void {
  const { compiler: path, what, cacheDirectory, key } = JSON.parse(text) as TypecheckRequest;
  const compiler = createRequire(import.meta.url)(path) as TypeScript;
  if (typeof compiler.createProgram !== 'function') {
    process.exitCode = TYPECHECK_EXIT.noApi;
    return;
  }
  const seen = recordLookups(compiler.sys);
  const directory = compiler.sys.getCurrentDirectory();
  const lines =
    what.t === 'covered'
      ? coveredErrors(compiler, coveredProgram(compiler, what, directory), directory)
      : errorsOfSourcesThatRun(compiler, what, directory);
  openTransformCache(cacheDirectory).put(key, JSON.stringify({ lines, seen: seen() }));
  if (lines.length === 0) return;
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = TYPECHECK_EXIT.mistakes;
}

/** Settings for running programs, for projects that have no tsconfig.json. */
const DEFAULTS = ['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];

function coveredProgram(
  compiler: TypeScript,
  { tsconfig, entry }: CoveredSources,
  directory: string,
): ts.Program {
  const given = compiler.parseCommandLine([
    '--noEmit',
    ...(tsconfig === undefined ? [...DEFAULTS, entry] : ['-p', tsconfig]),
  ]);
  const host: ts.ParseConfigFileHost = {
    ...compiler.sys,
    getCurrentDirectory: () => directory,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => given.errors.push(diagnostic),
  };
  const { options, fileNames, errors } =
    (tsconfig === undefined
      ? given
      : compiler.getParsedCommandLineOfConfigFile(tsconfig, given.options, host)) ?? given;
  return compiler.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
}

main(process.argv[2] ?? '');
