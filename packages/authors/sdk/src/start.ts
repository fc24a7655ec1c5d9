import path from 'node:path';
import process from 'node:process';
import { chunkLoader, openCodeCache, scriptLoader } from '@cairn/processes/packs';
import type { Chunk, ModulePack } from '@cairn/processes/packs';

/** Table of the chunks of this package, which the build fills in. */
declare const CHUNKS: Readonly<Record<string, Chunk>>;
/** Digest of the scripts, which the build fills in. */
declare const BUILD: string;

const scripts = scriptLoader(openCodeCache('program', BUILD, process.env));

/** Evaluates an entry of the package, once in a process, and returns its exports. */
export const load = chunkLoader(__dirname, CHUNKS, {
  open: (pack) => scripts.open(path.join(__dirname, 'packs', `${pack}.cjs`), pack) as ModulePack,
  load: (name) => import(name),
  onImport: () => undefined,
});

/** Runs the program of this process, and stores the compiled code for later processes if it ends well. */
export function runProgram(): void {
  load('./run.js');
  process.on('exit', () => {
    if (process.exitCode === 0) scripts.store();
  });
}
