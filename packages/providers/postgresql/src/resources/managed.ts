/**
 * Returns the value that a read reports for an optional input. An import reports the found value. Any other read
 * reports it if the program sets the input, and nothing if the program leaves it to the server. `known` is the known
 * state passed to the read.
 */
export function managed<T>(known: unknown, before: T | undefined, found: T): T | undefined {
  return known === undefined || before !== undefined ? found : undefined;
}
