import { Socket } from 'node:net';
import process from 'node:process';
import { INSTRUCTIONS_DESCRIPTOR, PRELOAD_VARIABLE } from './instructions.js';
import type { Instructions } from './instructions.js';

// Preloaded by node, after the loader, in a process that starts before its task is known. Loads the SDK and nothing of
// the program, and ends when the pipe ends without instructions. Threads and processes that the program starts do not
// wait.
const preload = process.env[PRELOAD_VARIABLE];
if (preload !== undefined) {
  delete process.env[PRELOAD_VARIABLE];
  process.execArgv.splice(process.execArgv.lastIndexOf(import.meta.url) - 1, 2);
  await waitForInstructions(JSON.parse(preload) as readonly string[]);
}

async function waitForInstructions(modules: readonly string[]): Promise<void> {
  const told = read();
  // The program meets a module that cannot be loaded again, and reports it.
  for (const url of modules) await import(url).catch(() => undefined);
  const text = await told;
  if (text === '') process.exit(0);
  const { variables, args } = JSON.parse(text) as Instructions;
  for (const [name, value] of Object.entries(variables)) {
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  }
  process.argv.push(...args);
}

function read(): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const pipe = new Socket({ fd: INSTRUCTIONS_DESCRIPTOR, readable: true, writable: false });
    pipe.on('data', (chunk: Buffer) => chunks.push(chunk));
    pipe.on('error', () => undefined);
    pipe.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}
