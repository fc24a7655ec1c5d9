import * as v from 'valibot';

/** Request for one secret value of a resource in the newest state. */
export const RevealRequest = v.object({
  urn: v.string(),
  part: v.picklist(['inputs', 'outputs']),
  path: v.pipe(v.array(v.union([v.string(), v.pipe(v.number(), v.safeInteger())])), v.maxLength(100)),
});

/** Resource in a list: an entry of a state without its properties. */
export interface ConsoleResourceRow {
  readonly urn: string;
  readonly id?: string;
  readonly parent?: string;
  /** URNs of the resources that it depends on. */
  readonly needs?: readonly string[];
  readonly custom: boolean;
  readonly protect?: true;
  /** True for an object that must still be deleted. */
  readonly delete?: true;
  readonly external?: true;
  readonly taint?: true;
}

/** Answer with the resources of a state. */
export interface ConsoleResourcesAnswer {
  readonly version: number;
  readonly resources: readonly ConsoleResourceRow[];
}

/** Answer about one resource: its entries with their properties, without the values of secrets. */
export interface ConsoleResourceAnswer {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** URNs of the resources that depend on it. */
  readonly neededBy: readonly string[];
}

/** Difference at one path of a property. An absent side has no member. */
export interface ConsoleDifference {
  readonly path: readonly (string | number)[];
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Version that a resource has changed in. */
interface ConsoleResourceVersion {
  readonly version: number;
  readonly kind: string;
  /** In seconds since 1970. */
  readonly at: number;
  /** `unknown` if the state after it, or the one before, is not kept. */
  readonly what: 'created' | 'deleted' | 'changed' | 'unknown';
  readonly differences: readonly ConsoleDifference[];
}

/** Answer with the versions of one page of the history that changed a resource, newest first. */
export interface ConsoleResourceHistoryAnswer {
  readonly versions: readonly ConsoleResourceVersion[];
  /** Number of versions that were looked at. */
  readonly looked: number;
  /** True if the history has older versions. */
  readonly more: boolean;
}
