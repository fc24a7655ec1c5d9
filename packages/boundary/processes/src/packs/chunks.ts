import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Place and needs of a chunk of the bundle. */
export interface Chunk {
  /** Name of the script that contains it. Defaults to its own name, without `./` and `.js`. */
  readonly pack?: string;
  /** Packages in `node_modules` that it imports statically, or a chunk below it does. */
  readonly outside?: readonly string[];
}

type Exports = Record<string, unknown>;

/** Value of a script: its chunks as functions, by name. */
export type ModulePack = Readonly<
  Record<
    string,
    (
      exports: Exports,
      require: (name: string) => unknown,
      load: (name: string) => Promise<unknown>,
      url: string,
    ) => void
  >
>;

/** Parts of a loader of chunks that differ by process. */
interface ChunkPorts {
  /** Returns the value of a script. */
  open(pack: string): ModulePack;
  /** Imports a module, relative to the bundle's directory. Code from a cache has no `import()` of its own. */
  load(name: string): Promise<unknown>;
  /** Learns that a chunk is loaded with `import()`, before it is. */
  onImport(name: string): void;
}

/**
 * Evaluates chunks of the bundle in `directory`, each once. Names of chunks begin with `./`. Returns the function that
 * evaluates one.
 */
export function chunkLoader(
  directory: string,
  chunks: Readonly<Record<string, Chunk>>,
  { open, load, onImport }: ChunkPorts,
): (name: string) => Exports {
  const file = path.join(directory, 'main.js');
  const url = pathToFileURL(file).href;
  const fromNode = createRequire(file);
  const packs = new Map<string, ModulePack>();
  const evaluated = new Map<string, Exports>();
  const outside = new Map<string, unknown>();

  const evaluate = (name: string): Exports => {
    const before = evaluated.get(name);
    if (before !== undefined) return before;
    const { pack = name.slice('./'.length, -'.js'.length) } = chunks[name] as Chunk;
    let functions = packs.get(pack);
    if (functions === undefined) packs.set(pack, (functions = open(pack)));
    const exports: Exports = {};
    evaluated.set(name, exports);
    functions[name]?.(exports, require, importOf, url);
    return exports;
  };
  const require = (name: string): unknown =>
    name in chunks ? evaluate(name) : (outside.get(name) ?? fromNode(name));
  const importOf = async (name: string): Promise<unknown> => {
    const chunk = chunks[name];
    if (chunk === undefined) return load(name);
    onImport(name);
    for (const needed of chunk.outside ?? []) outside.set(needed, await load(needed));
    return evaluate(name);
  };
  return evaluate;
}
