import type { Json } from '../values/go-json.js';
import type { SerializedResource } from './serialized.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields whose text other resources have too. */
const REPEATED = ['urn', 'type', 'parent', 'provider', 'sourcePosition'] as const;

/**
 * Makes equal texts of a document one string. A parser makes a new one for each reference to a resource, and for each
 * output that is an input again, so that they would take half of a deployment's memory.
 */
export class SharedTexts {
  readonly #texts = new Map<string, string>();

  /** Replaces texts of a resource by equal ones. Returns the resource. */
  share(resource: Mutable<SerializedResource>): SerializedResource {
    for (const key of REPEATED) {
      const text = resource[key];
      if (text !== undefined) resource[key] = this.#shared(text);
    }
    const { dependencies, propertyDependencies, inputs, outputs } = resource;
    if (dependencies !== undefined) this.#shareList(dependencies as string[]);
    for (const key in propertyDependencies) {
      const list = propertyDependencies[key] ?? null;
      if (list !== null) this.#shareList(list as string[]);
    }
    if (inputs !== undefined && outputs !== undefined) shareValues(outputs, inputs);
    return resource;
  }

  #shareList(list: string[]): void {
    for (let at = 0; at < list.length; at++) list[at] = this.#shared(list[at] as string);
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}

/** Uses the texts of one map for equal ones under the same keys of another. */
function shareValues(to: { [key: string]: Json }, from: { readonly [key: string]: Json }): void {
  for (const key in to) {
    const value = from[key];
    if (typeof value === 'string' && to[key] === value) to[key] = value;
  }
}
