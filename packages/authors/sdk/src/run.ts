import { readFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { StreamCaller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { entryFile } from './runtime/entry.js';
import { readEnvironment } from './runtime/environment.js';
import type { ProgramModules } from './runtime/deployment.js';
import { PROGRAM_EXIT, runProgram } from './runtime/run-program.js';
import { RunError } from './resource/resource-error.js';

const LEFT_EARLY =
  'process.exit was called before everything the program declares was done. Let the program end on its own. To stop it, throw an error.';

/**
 * Runs a program: started by Cairn as the main module of the program's process. Reads the environment, loads the entry
 * module, and ends with the program's exit codes.
 */
// [PRG-5]
function main(): void {
  const environment = readEnvironment(process.env);
  const file = entryFile(environment.program);
  const entry = pathToFileURL(file).href;
  const callers = new Map(
    [environment.monitorAddress, environment.engineAddress].map((address) => [
      address,
      new StreamCaller(address),
    ]),
  );
  const callerOf = (address: string): StreamCaller => callers.get(address) as StreamCaller;
  const program = runProgram(() => import(entry) as Promise<object>, {
    monitor: new MonitorClient(callerOf(environment.monitorAddress)),
    engine: new EngineClient(callerOf(environment.engineAddress)),
    settings: environment.settings,
    modules: { entry: file, bundle: bundler(environment.settings.rootDirectory) },
    directory: process.cwd(),
    idle: () => new Promise((resolve) => process.once('beforeExit', () => resolve())),
    exitCode: () => Number(process.exitCode ?? 0),
  });
  let over = false;
  // Ending with success means that everything is declared: resources that are not would be deleted.
  process.on('exit', (code) => {
    const leftAt = (globalThis as { [EXIT_PLACE]?: string })[EXIT_PLACE];
    if (over || (code !== PROGRAM_EXIT.ok && leftAt === undefined)) return;
    process.stderr.write(`${LEFT_EARLY}${leftAt === undefined ? '' : `\n    at ${leftAt}`}\n`);
    process.exitCode ||= 1;
  });
  process.on('uncaughtException', (error) => program.report(error));
  process.on('unhandledRejection', (error) => program.report(error, true));
  program.finished.then(
    (code) => {
      over = true;
      for (const caller of callers.values()) caller.close();
      process.exitCode = code;
      // A failed program may have timers and handles left; no code waits for them.
      if (code !== PROGRAM_EXIT.ok) process.exit(code);
    },
    (error: unknown) => {
      over = true;
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}

/** Returns a function that bundles modules with the compiler of this process's loader. */
const bundler =
  (directory: string): ProgramModules['bundle'] =>
  async (file, exportName) => {
    const bundle = (globalThis as { [LOADER]?: LoaderBundle })[LOADER];
    if (bundle === undefined) throw new RunError('this process has no loader to bundle it');
    const standIn = { name: '@cairn/sdk', code: readFileSync(STAND_IN, 'utf8') };
    return bundle({ file, exportName, directory, standIn });
  };

/** Key under which the loader records where the program calls `process.exit`. */
const EXIT_PLACE = Symbol.for('cairn.loader.exit-place');

/** Key under which the loader offers to bundle modules. */
const LOADER = Symbol.for('cairn.loader.bundle');

/** Replacement of this package in a bundle. Built beside this module. */
const STAND_IN = new URL('./dynamic/stand-in.cjs', import.meta.url);

type LoaderBundle = (request: {
  readonly file: string;
  readonly exportName: string;
  readonly directory: string;
  readonly standIn: { readonly name: string; readonly code: string };
}) => Promise<string>;

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
