import type { StepKind, StepKinds } from './kinds.js';

/** A handler for every kind that matches and that nobody registered by name [CHG-12]. */
export interface OptionalKind {
  readonly matches: (kind: string) => boolean;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in StepKinds
  readonly handler: StepKind<any>;
}

/**
 * The kinds that a machine knows. Optional handlers are consulted in order and belong to the bare machine: a product
 * with a catch-all would let a step succeed that it does not know [CHG-12].
 */
export class KindRegistry {
  readonly #kinds: Record<string, StepKind>;

  constructor(
    kinds: StepKinds,
    private readonly optional: readonly OptionalKind[] = [],
  ) {
    this.#kinds = { ...kinds };
  }

  /** More kinds; one that was there is handled by the new handler. */
  add(kinds: StepKinds): void {
    Object.assign(this.#kinds, kinds);
  }

  /** The names that were registered; optional handlers have none. */
  get known(): readonly string[] {
    return Object.keys(this.#kinds);
  }

  of(kind: string): StepKind | undefined {
    if (Object.hasOwn(this.#kinds, kind)) return this.#kinds[kind];
    return this.optional.find((one) => one.matches(kind))?.handler;
  }

  hasUndo(kind: string): boolean {
    return this.of(kind)?.undo !== undefined;
  }
}
