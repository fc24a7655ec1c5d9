import { createRequire } from 'node:module';
import process from 'node:process';
import type ts from 'typescript';
import { typeErrors } from './type-errors.js';

/**
 * Main module of the type check: `typecheck.js <path of typescript> <arguments of tsc>`. Prints what is wrong and ends
 * with 1 then.
 */
function main([typescript, ...args]: readonly string[]): void {
  const compiler = createRequire(import.meta.url)(typescript as string) as typeof ts;
  const directory = compiler.sys.getCurrentDirectory();
  const { options, fileNames, errors } = compiler.parseCommandLine(args);
  const host: ts.ParseConfigFileHost = {
    ...compiler.sys,
    getCurrentDirectory: () => directory,
    onUnRecoverableConfigFileDiagnostic: (diagnostic) => errors.push(diagnostic),
  };
  const parsed =
    options.project === undefined
      ? { options, fileNames, errors }
      : compiler.getParsedCommandLineOfConfigFile(options.project, options, host);
  const program = compiler.createProgram({
    rootNames: parsed?.fileNames ?? [],
    options: parsed?.options ?? options,
    configFileParsingDiagnostics: parsed?.errors ?? errors,
  });
  const lines = typeErrors(compiler, program, directory);
  if (lines.length === 0) return;
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = 1;
}

main(process.argv.slice(2));
