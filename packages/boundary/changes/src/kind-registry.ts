import type { TaskDefinition, StepKinds } from './kinds.js';

/** Handler for every kind that matches and was not registered by name [CHG-12]. */
export interface OptionalKind {
  readonly matches: (kind: string) => boolean;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in StepKinds
  readonly handler: TaskDefinition<any>;
}

/**
 * Kinds that a machine knows. Optional handlers are consulted in order and only for the bare machine. In the product, a
 * catch-all would let an unknown step succeed [CHG-12].
 */
export class KindRegistry {
  readonly #kinds: Record<string, TaskDefinition>;
  readonly #optional: readonly OptionalKind[];

  constructor(kinds: StepKinds, optional: readonly OptionalKind[] = []) {
    this.#optional = optional;
    this.#kinds = { ...kinds };
  }

  /** Adds kinds. A kind that exists already gets the new handler. */
  add(kinds: StepKinds): void {
    Object.assign(this.#kinds, kinds);
  }

  /** Names that were registered. Optional handlers have none. */
  get known(): readonly string[] {
    return Object.keys(this.#kinds);
  }

  of(kind: string): TaskDefinition | undefined {
    if (Object.hasOwn(this.#kinds, kind)) return this.#kinds[kind];
    return this.#optional.find((one) => one.matches(kind))?.handler;
  }

  hasUndo(kind: string): boolean {
    return this.of(kind)?.undo !== undefined;
  }
}
