import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { StreamCaller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { MonitorClient } from '@cairn/wire/monitor-client';
import { entryFile } from './runtime/entry.js';
import { readEnvironment } from './runtime/environment.js';
import { PROGRAM_EXIT, runProgram } from './runtime/run-program.js';

const LEFT_EARLY =
  'process.exit was called before everything the program declares was done. Let the program end by itself; to stop it, throw an error.';

/**
 * Program runner: started by Cairn as the main module of the program's process. Reads the environment, loads the entry
 * module, and ends with the exit codes of [PRG-5].
 */
function main(): void {
  const environment = readEnvironment(process.env);
  const entry = pathToFileURL(entryFile(environment.program)).href;
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
    directory: process.cwd(),
    idle: () => new Promise((resolve) => process.once('beforeExit', () => resolve())),
  });
  let over = false;
  // Ending with success says that everything is declared: what is not would be deleted.
  process.on('exit', (code) => {
    if (over || code !== PROGRAM_EXIT.ok) return;
    process.stderr.write(`${LEFT_EARLY}\n`);
    process.exitCode = 1;
  });
  process.on('uncaughtException', (error) => program.report(error));
  process.on('unhandledRejection', (error) => program.report(error));
  program.finished.then(
    (code) => {
      over = true;
      for (const caller of callers.values()) caller.close();
      process.exitCode = code;
      // A failed program may have timers and handles of its own left; nobody waits for them.
      if (code !== PROGRAM_EXIT.ok) process.exit(code);
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
