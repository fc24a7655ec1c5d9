import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import type { CodeCache } from './code-cache.js';

/** Compiles scripts, with code that an earlier process has stored. */
export interface ScriptLoader {
  /** Returns the value of a script. `name` identifies its stored code. */
  open(file: string, name: string): unknown;
  /** Stores the code of all scripts that were compiled without stored code. */
  store(): void;
}

/** Makes a loader of scripts over a cache, if there is one. */
export function scriptLoader(cache: CodeCache | undefined): ScriptLoader {
  const compiled: (readonly [name: string, file: string, script: Script])[] = [];
  return {
    open: (file, name) => {
      const cachedData = cache?.read(name, file);
      const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
      if (cachedData === undefined || script.cachedDataRejected === true) compiled.push([name, file, script]);
      return script.runInThisContext();
    },
    store: () => {
      if (cache === undefined) return;
      for (const [name, file, script] of compiled) cache.write(name, file, script.createCachedData());
    },
  };
}
