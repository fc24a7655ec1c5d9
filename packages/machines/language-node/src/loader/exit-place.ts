import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { isInstalled } from './module-format.js';

/**
 * Writes to stderr where the program calls `process.exit` with an error. Nothing else in its process would report that.
 */
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

/** Returns `at <place>` for the caller of `below`, if it belongs to the program and not to a package. */
function lineOfProgram(below: () => never): string | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below);
  const [, line = ''] = holder.stack?.split('\n') ?? [];
  const [file] = /(?:file:\/\/)?\/[^():]+/.exec(line) ?? [];
  return file === undefined || isInstalled(file) ? undefined : line.trim();
}
