import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';
import type * as Main from '../main.js';
import { growHeapSlowly } from '../terminal/heap.js';
import { chunkLoader } from './chunks.js';
import type { Chunk, Pack } from './chunks.js';

/** Table of the bundle's chunks, which the build fills in. */
declare const CHUNKS: Readonly<Record<string, Chunk>>;

/** Loads the command as a library, for processes that run several command lines. */
export function loadMain(): typeof Main {
  const evaluate = chunkLoader(__dirname, CHUNKS, openPack, (name) => import(name));
  return evaluate('./main.js') as unknown as typeof Main;
}

/** Runs the command line of this process and sets its exit code. */
export function runProcess(): Promise<void> {
  growHeapSlowly();
  return loadMain().runProcess();
}

function openPack(pack: string): Pack {
  const filename = path.join(__dirname, 'packs', `${pack}.cjs`);
  const text = readFileSync(filename, 'latin1');
  if (process.sourceMapsEnabled) return asModule(filename, text);
  return new Script(text, { filename }).runInThisContext() as Pack;
}

/** Evaluates a script as a module, because Node reads source maps of modules only. */
function asModule(filename: string, text: string): Pack {
  const module = new Module(filename) as Module & { _compile(text: string, filename: string): void };
  module._compile(`module.exports=${text}`, filename);
  return module.exports as Pack;
}
