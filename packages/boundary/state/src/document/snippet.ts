import type { Json } from '../values/go-json.js';

/** A snippet in the form of a file. */
export interface Snippet {
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  readonly code: string;
  readonly descriptor: Json;
  readonly references?: Readonly<Record<string, string>>;
}
