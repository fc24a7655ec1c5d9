import type { ConsoleDifference, ConsoleResourceRow } from './resources.js';

/** Answer with what differs between two states. */
export interface ConsoleCompareAnswer {
  readonly added: readonly ConsoleResourceRow[];
  readonly gone: readonly ConsoleResourceRow[];
  /** Objects that are the same under another URN. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly changed: readonly { readonly urn: string; readonly differences: readonly ConsoleDifference[] }[];
  readonly unchanged: number;
}
