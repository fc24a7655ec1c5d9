import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where a run keeps its stack. `env` is what commands need to reach it. */
export interface KillsStore {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Returns when the files below a folder were written, in milliseconds, by their path below it. */
  written(folder: string): ReadonlyMap<string, number>;
}

/** The objects of a bucket in this process, by name. */
type Objects = ReadonlyMap<string, { readonly modified: number }>;

export function directoryStore(directory: string): KillsStore {
  return {
    url: pathToFileURL(directory).href,
    env: {},
    written: (folder) => {
      const base = path.join(directory, folder);
      const found = new Map<string, number>();
      for (const name of namesBelow(base)) {
        const stat = statSync(path.join(base, name), { throwIfNoEntry: false });
        if (stat?.isFile() === true) found.set(name, stat.mtimeMs);
      }
      return found;
    },
  };
}

/** Returns the store of a stack behind a state service. A service over a bucket keeps its files in the directory. */
export function servedStore(service: Pick<KillsStore, 'url' | 'env'>, directory: string): KillsStore {
  return { ...directoryStore(directory), ...service };
}

export function bucketStore(
  store: Pick<KillsStore, 'url' | 'env'>,
  prefix: string,
  all: Objects,
): KillsStore {
  return {
    ...store,
    written: (folder) => {
      const base = `${prefix}/${folder}/`;
      const inside = [...all].filter(([name]) => name.startsWith(base));
      return new Map(inside.map(([name, { modified }]) => [name.slice(base.length), modified]));
    },
  };
}

function namesBelow(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false }) === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
