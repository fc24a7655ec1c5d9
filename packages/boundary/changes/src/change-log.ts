import type { Clock } from './clock.js';
import type { ChangeRecord, RecordBody } from './records.js';
import type { ChangeStore } from './store.js';
import { soon } from './soon.js';

type Stamped = { more?: true } & Omit<ChangeRecord, 'more'>;

/** Maximum number of records that wait to be written with others, so that a long quiet run does not fill the memory. */
const LAZY_LIMIT = 512;

/** Numbers of the last record that the store already has. */
interface LogPosition {
  readonly seq: number;
  readonly tx: number;
}

/**
 * Stamps the records of one change, passes them to the store in order and reports when they are durable. Records of one
 * turn of the event loop go to the store in one append. Lazy records wait for the next record that is not lazy.
 */
export class ChangeLog {
  #seq: number;
  #tx: number;
  #durable: number;
  #handedOver: number;
  /** Last append. Records become durable in order, whichever append the store finishes first. */
  #appended: Promise<void> = Promise.resolve();
  #pending: Stamped[] = [];
  #scheduled = false;
  #depth = 0;
  #txStart = 0;
  #waiters: { readonly seq: number; readonly run: () => void }[] = [];
  #failure: { readonly cause: unknown } | undefined;
  #flushes: {
    readonly resolve: () => void;
    readonly reject: (cause: unknown) => void;
    readonly seq: number;
  }[] = [];
  #atMs = Number.NaN;
  #at = '';
  readonly #store: ChangeStore;
  readonly #clock: Clock;
  readonly #onFailure: (cause: unknown) => void;

  constructor(store: ChangeStore, clock: Clock, start: LogPosition, onFailure: (cause: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#seq = start.seq;
    this.#durable = start.seq;
    this.#handedOver = start.seq;
    this.#tx = start.tx;
  }

  /** Number of the last durable record. */
  get durable(): number {
    return this.#durable;
  }

  /** Returns the time for the next record, RFC 3339. */
  now(): string {
    const now = this.#clock.now();
    if (now.getTime() !== this.#atMs) {
      this.#atMs = now.getTime();
      this.#at = now.toISOString();
    }
    return this.#at;
  }

  /**
   * Makes the records that `run` adds one transaction: after a restart either all of them exist or none. Nested calls
   * join the outer transaction. An empty transaction takes no number.
   */
  transaction<R>(run: () => R): R {
    if (this.#depth === 0) this.#txStart = this.#pending.length;
    this.#depth += 1;
    try {
      return run();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#endTransaction();
    }
  }

  /** Adds one record and returns its number. A lazy record does not cause a write by itself. */
  add(body: RecordBody, at: string, lazy: boolean): number {
    if (this.#depth === 0 || this.#pending.length === this.#txStart) this.#tx += 1;
    this.#seq += 1;
    this.#pending.push({ seq: this.#seq, tx: this.#tx, at, ...body });
    if (!lazy || this.#pending.length > LAZY_LIMIT) this.#schedule();
    return this.#seq;
  }

  /** Calls `run` in a later turn, once the record of this number is durable. */
  after(seq: number, run: () => void): void {
    if (this.#failure !== undefined) return;
    if (seq <= this.#durable) {
      soon(() => this.#guarded(run));
      return;
    }
    this.#waiters.push({ seq, run });
    if (seq > this.#handedOver) this.#schedule();
  }

  /** Resolves when everything added so far is durable. */
  flush(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.cause);
    if (this.#durable === this.#seq) return Promise.resolve();
    this.#schedule();
    return new Promise((resolve, reject) => this.#flushes.push({ resolve, reject, seq: this.#seq }));
  }

  /** Stops writing. Everything that waits fails with this cause. */
  abandon(cause: unknown): void {
    this.#fail(cause);
  }

  #endTransaction(): void {
    for (let at = this.#txStart; at < this.#pending.length - 1; at += 1)
      (this.#pending[at] as Stamped).more = true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#failure !== undefined) return;
    this.#scheduled = true;
    // Delayed, so that records of the coming pass, e.g. the intents of dependents, go into the same append.
    const later = this.#store.later ?? ((run) => soon(() => soon(run)));
    later(() => this.#handOver());
  }

  #handOver(): void {
    this.#scheduled = false;
    if (this.#pending.length === 0 || this.#failure !== undefined) return;
    const records = this.#pending as unknown as readonly ChangeRecord[];
    const last = this.#seq;
    this.#pending = [];
    this.#handedOver = last;
    const appended = this.#store.append(records);
    appended.catch(() => undefined);
    this.#appended = this.#appended
      .then(() => appended)
      .then(() => this.#becameDurable(last))
      .catch((cause: unknown) => this.#fail(cause));
  }

  #becameDurable(seq: number): void {
    if (this.#failure !== undefined) return;
    this.#durable = seq;
    this.#runWaiters();
    const later = this.#flushes.findIndex((flush) => flush.seq > seq);
    const durable = this.#flushes.splice(0, later < 0 ? this.#flushes.length : later);
    for (const { resolve } of durable) resolve();
  }

  #runWaiters(): void {
    const waiters = this.#waiters;
    let next = 0;
    while (next < waiters.length && (waiters[next] as { seq: number }).seq <= this.#durable) next += 1;
    if (next === 0) return;
    this.#waiters = waiters.slice(next);
    for (let at = 0; at < next; at += 1) this.#guarded((waiters[at] as { run: () => void }).run);
  }

  #guarded(run: () => void): void {
    try {
      run();
    } catch (cause) {
      this.#fail(cause);
    }
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { cause };
    this.#pending = [];
    this.#waiters = [];
    for (const waiting of this.#flushes.splice(0)) waiting.reject(cause);
    this.#onFailure(cause);
  }
}
