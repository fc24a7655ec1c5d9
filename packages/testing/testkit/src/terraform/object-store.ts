import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** A change of an object. */
interface Effect {
  readonly effect: 'create' | 'update' | 'delete' | 'open' | 'renew' | 'close';
  readonly type: string;
  readonly id: string;
}

/** The objects of scripted providers, as JSON texts by type and id, and all effects on them. */
export interface ObjectStore {
  get(type: string, id: string): string | undefined;
  /** Returns the ids of a type, sorted. */
  ids(type: string): readonly string[];
  /** Returns an id that no object of the type has had. */
  newId(type: string): string;
  write(effect: Effect, json?: string): void;
  /** Returns the effects in the order in which they were done. */
  effects(): readonly Effect[];
  /** Takes one of so many uses. Returns false if none is left. */
  use(name: string, times: number): boolean;
}

/** A store whose objects exist as long as the process. */
export class MemoryStore implements ObjectStore {
  readonly #objects = new Map<string, Map<string, string>>();
  readonly #effects: Effect[] = [];
  readonly #uses = new Map<string, number>();
  #ids = 0;

  get(type: string, id: string): string | undefined {
    return this.#objects.get(type)?.get(id);
  }

  ids(type: string): readonly string[] {
    return [...(this.#objects.get(type)?.keys() ?? [])].sort();
  }

  newId(type: string): string {
    return `${type}-${++this.#ids}`;
  }

  write(effect: Effect, json?: string): void {
    this.#effects.push(effect);
    const objects = this.#objects.get(effect.type) ?? new Map<string, string>();
    this.#objects.set(effect.type, objects);
    if (effect.effect === 'delete') objects.delete(effect.id);
    else if (json !== undefined) objects.set(effect.id, json);
  }

  effects(): readonly Effect[] {
    return [...this.#effects];
  }

  use(name: string, times: number): boolean {
    const used = this.#uses.get(name) ?? 0;
    if (used >= times) return false;
    this.#uses.set(name, used + 1);
    return true;
  }
}

/**
 * A store in the files of a folder, so that objects outlive processes. Several processes may work at a time. The files
 * are `objects/<type>/<id>.json` and, with a line per effect, `effects`.
 */
export class DirectoryStore implements ObjectStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
  }

  get(type: string, id: string): string | undefined {
    const file = this.#fileOf(type, id);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  ids(type: string): readonly string[] {
    const folder = path.join(this.#directory, 'objects', type);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .map((file) => decodeURIComponent(file.slice(0, -'.json'.length)))
      .sort();
  }

  newId(type: string): string {
    return `${type}-${this.#take(`ids-${type}`, Infinity)}`;
  }

  write(effect: Effect, json?: string): void {
    const file = this.#fileOf(effect.type, effect.id);
    // One short append to a file is not mixed with others.
    appendFileSync(path.join(this.#directory, 'effects'), `${JSON.stringify(effect)}\n`);
    if (effect.effect === 'delete') rmSync(file, { force: true });
    else if (json !== undefined) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, json);
    }
  }

  effects(): readonly Effect[] {
    const file = path.join(this.#directory, 'effects');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Effect);
  }

  use(name: string, times: number): boolean {
    return this.#take(`use-${name}`, times) !== undefined;
  }

  /** Takes a free number, from 1 up to a limit. */
  #take(name: string, limit: number): number | undefined {
    const folder = path.join(this.#directory, 'taken');
    mkdirSync(folder, { recursive: true });
    for (let at = 1; at <= limit; at++) {
      try {
        writeFileSync(path.join(folder, `${name}-${at}`), '', { flag: 'wx' });
        return at;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    return undefined;
  }

  #fileOf(type: string, id: string): string {
    return path.join(this.#directory, 'objects', type, `${encodeURIComponent(id)}.json`);
  }
}
