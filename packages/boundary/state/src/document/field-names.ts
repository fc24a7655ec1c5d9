import type { Json, JsonObject } from '../values/go-json.js';

/**
 * Keys of a struct of the format. They are written in their exact case and read in any case [STATE-6]. If an object has
 * several spellings of one key, the last counts.
 */
export class FieldNames {
  readonly #exact: ReadonlySet<string>;
  readonly #folded: ReadonlyMap<string, string>;

  constructor(names: readonly string[]) {
    this.#exact = new Set(names);
    this.#folded = new Map(names.map((name) => [fold(name), name]));
  }

  /** Returns the key that a spelling means, or `undefined` if the struct has none. */
  nameOf(key: string): string | undefined {
    return this.#exact.has(key) ? key : this.#folded.get(fold(key));
  }

  /** Returns the object under the exact keys, without unknown ones. Returns it unchanged if it has only exact keys. */
  exactly(object: JsonObject): JsonObject {
    let odd = false;
    for (const key in object) if (!this.#exact.has(key)) odd = true;
    if (!odd) return object;
    const named: { [key: string]: Json } = {};
    for (const key of Object.keys(object)) {
      const name = this.nameOf(key);
      if (name !== undefined) named[name] = object[key] as Json;
    }
    return named;
  }
}

/**
 * Returns one form for every spelling, as the format's other readers compare keys: the long s and the Kelvin sign are
 * letters too.
 */
function fold(key: string): string {
  return key.toLowerCase().replaceAll('\u017f', 's');
}
