import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { chunkLoader, openCodeCache, scriptLoader } from '@cairn/processes/packs';
import type { Chunk, ModulePack, ScriptLoader } from '@cairn/processes/packs';
import type * as Main from '../main.js';
import { growHeapSlowly } from '../terminal/heap.js';

/** Table of the bundle's chunks, filled in by the build. */
declare const CHUNKS: Readonly<Record<string, Chunk>>;
/** Digest of the bundle's scripts, filled in by the build. */
declare const BUILD: string;

/** Loads the command as a library, for processes that run several command lines. */
export function loadMain(): typeof Main {
  return mainOf(scriptLoader(undefined));
}

/** Runs the command line of this process, sets its exit code, and stores compiled code for later processes. */
export async function runProcess(): Promise<void> {
  growHeapSlowly();
  const scripts = scriptLoader(openCodeCache('command', BUILD, process.env));
  await mainOf(scripts).runProcess();
  if (process.exitCode === 0) scripts.store();
}

function mainOf(scripts: ScriptLoader): typeof Main {
  let group = '';
  const evaluate = chunkLoader(__dirname, CHUNKS, {
    open: (pack) => openPack(scripts, pack, group),
    load: (name) => import(name),
    // The first chunk that is loaded later is the command of the command line.
    onImport: (name) => (group ||= `.${name.replace(/[^a-z]*-[A-Z0-9]+\.js$|^\.\//g, '')}`),
  });
  return evaluate('./main.js') as unknown as typeof Main;
}

function openPack(scripts: ScriptLoader, pack: string, group: string): ModulePack {
  const file = path.join(__dirname, 'packs', `${pack}.cjs`);
  return (process.sourceMapsEnabled ? asModule(file) : scripts.open(file, `${pack}${group}`)) as ModulePack;
}

/** Evaluates a script as a module, because Node reads source maps of modules only. */
function asModule(file: string): unknown {
  const module = new Module(file) as Module & { _compile(text: string, file: string): void };
  module._compile(`module.exports=${readFileSync(file, 'latin1')}`, file);
  return module.exports;
}
