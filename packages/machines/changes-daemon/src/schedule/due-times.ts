import { Heap } from '@cairn/changes';

/** Plan of a name. It is out of date once the name has another one. */
interface Plan {
  readonly name: string;
  readonly at: number;
  /** Place of the name among those that are due at the same time: the order in which names were first planned. */
  readonly order: number;
}

/** Number of outdated plans beside the others that are not worth a cleaning. */
const OUTDATED = 64;

/**
 * Times at which names are due. A look at what is due takes time for what is due only, however many names there are.
 * Times are numbers of the caller's clock, such as milliseconds since 1970.
 */
export class DueTimes {
  readonly #plans = new Map<string, Plan>();
  /** Plans with a time, and outdated ones. */
  #heap = new Heap<Plan>(isBefore);
  #last = -Infinity;
  #orders = 0;

  /** Plans a name, in place of its earlier plan. With `Infinity` it is not due at any time. */
  plan(name: string, at: number): void {
    const known = this.#plans.get(name);
    if (known?.at === at) return;
    const plan = { name, at, order: known?.order ?? (this.#orders += 1) };
    this.#plans.set(name, plan);
    if (at < Infinity) this.#heap.push(plan);
    if (this.#heap.size > 2 * this.#plans.size + OUTDATED) this.#clean();
  }

  /** Forgets a name. */
  forget(name: string): void {
    this.#plans.delete(name);
  }

  /**
   * Returns the names that are due at a time, earliest first, and at most `most`. They remain due until they have
   * another plan. If the time is before that of the last call, every name is due: the clock was set back, and plans
   * were counted from a later time.
   */
  due(now: number, most = Infinity): readonly string[] {
    if (now < this.#last) for (const name of this.#plans.keys()) this.plan(name, -Infinity);
    this.#last = now;
    const found: Plan[] = [];
    while (found.length < most && this.next <= now) found.push(this.#heap.pop() as Plan);
    for (const plan of found) this.#heap.push(plan);
    return found.map(({ name }) => name);
  }

  /** Time at which the next name is due; `Infinity` if none is. */
  get next(): number {
    for (let first = this.#heap.peek(); first !== undefined; first = this.#heap.peek()) {
      if (this.#plans.get(first.name) === first) return first.at;
      this.#heap.pop();
    }
    return Infinity;
  }

  #clean(): void {
    this.#heap = new Heap(isBefore);
    for (const plan of this.#plans.values()) if (plan.at < Infinity) this.#heap.push(plan);
  }
}

function isBefore(one: Plan, other: Plan): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}
