import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { isInstalled } from './module-format.js';

/** Writes to stderr where the program calls `process.exit` with an error: nothing else in its process would. */
export function tellExits(): void {
  const { exit } = process;
  process.exit = function leave(code?: number | string | null): never {
    const line = Number(code ?? process.exitCode ?? 0) === 0 ? undefined : lineOfProgram(leave);
    if (line !== undefined) process.stderr.write(`process.exit(${code ?? ''}) was called\n    ${line}\n`);
    return exit.call(process, code);
  };
  // Named imports get the replacement too.
  syncBuiltinESMExports();
}

/** `at <place>` of what called `below`, if that is of the program and not of a package. */
function lineOfProgram(below: () => never): string | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below);
  const [, line = ''] = holder.stack?.split('\n') ?? [];
  const [file] = /(?:file:\/\/)?\/[^():]+/.exec(line) ?? [];
  return file === undefined || isInstalled(file) ? undefined : line.trim();
}
