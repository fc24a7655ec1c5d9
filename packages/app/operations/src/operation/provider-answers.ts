import type { KeptAnswers } from '@cairn/wire';

/**
 * Digests of answers that providers keep for the next operation. Those that nothing asks for in a whole operation are
 * dropped.
 */
export class ProviderAnswers implements KeptAnswers {
  readonly key: Uint8Array;
  /** Digests that earlier operations kept. */
  readonly known: ReadonlySet<string>;
  readonly #current = new Set<string>();

  constructor(key: Uint8Array, known: ReadonlySet<string>) {
    this.key = key;
    this.known = known;
  }

  has(digest: string): boolean {
    if (!this.known.has(digest)) return false;
    this.#current.add(digest);
    return true;
  }

  keep(digest: string): void {
    this.#current.add(digest);
  }

  /** Returns the digests to keep, or `undefined` if they are those that were given. */
  result(isWhole: boolean): ReadonlySet<string> | undefined {
    const kept = isWhole ? this.#current : new Set([...this.known, ...this.#current]);
    const isSame = kept.size === this.known.size && [...kept].every((digest) => this.known.has(digest));
    return isSame ? undefined : kept;
  }
}
