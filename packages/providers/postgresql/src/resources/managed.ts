/**
 * What a read reports of an input that may be left out: for an import what was found; otherwise what was found when the
 * program says something about it, and nothing when it leaves it to the server. `known`: what the read was told.
 */
export function managed<T>(known: unknown, before: T | undefined, found: T): T | undefined {
  return known === undefined || before !== undefined ? found : undefined;
}
