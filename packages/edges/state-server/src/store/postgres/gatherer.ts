/** Result of one of several items that were worked on together. */
export type GatherOutcome<T> = { readonly value: T } | { readonly refused: unknown };

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (value: O) => void;
  readonly reject: (reason: unknown) => void;
}

/** Limits: groups at once, and items of a group. */
interface GatherLimits {
  readonly lanes: number;
  readonly most: number;
}

/** Works on items that wait at the same moment together. */
export class Gatherer<I, O> {
  #waiting: Waiting<I, O>[] = [];
  #busy = 0;
  readonly #work: (items: readonly I[]) => Promise<readonly GatherOutcome<O>[]>;
  readonly #limits: GatherLimits;

  constructor(work: (items: readonly I[]) => Promise<readonly GatherOutcome<O>[]>, limits: GatherLimits) {
    this.#work = work;
    this.#limits = limits;
  }

  add(item: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#busy < this.#limits.lanes && this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#limits.most);
      this.#busy += 1;
      void this.#settle(group).finally(() => {
        this.#busy -= 1;
        this.#next();
      });
    }
  }

  /** If a group fails, each item is tried separately. */
  async #settle(group: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outcomes = await this.#work(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] as GatherOutcome<O>;
        if ('value' in outcome) resolve(outcome.value);
        else reject(outcome.refused);
      }
    } catch (thrown) {
      const [only] = group;
      if (group.length === 1) only?.reject(thrown);
      else for (const each of group) await this.#settle([each]);
    }
  }
}
