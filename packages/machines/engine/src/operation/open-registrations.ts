import type { Urn } from '@cairn/addresses';
import { CairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Cell } from '../model/cell.js';
import type { Report } from '../model/report.js';
import { shutDownError } from './refusals.js';

/** The part of a reply that refuses. */
interface Refusable {
  refuse(error: Error): void;
}

/**
 * Counts registrations until they are answered, keeps the work that waits for one, and records whether new ones are
 * accepted.
 */
export class OpenRegistrations {
  /**
   * Work that waits for the end of a URN, or for the end of a chain that deletes an entry ahead of its registration.
   */
  readonly waiting = new Waiters<Urn | Cell>();
  #stopped = false;
  #open = 0;
  readonly #quiet: (() => void)[] = [];
  readonly #stopWatchers: (() => void)[] = [];
  readonly #report: Pick<Report, 'diagnostic'>;
  readonly #onStop: () => void;

  /** `onStop`: ends the operation; called once. */
  constructor(report: Pick<Report, 'diagnostic'>, onStop: () => void) {
    this.#report = report;
    this.#onStop = onStop;
  }

  /** Counts a new registration. It is answered once, by one of the other methods. */
  takeIn(): void {
    this.#open += 1;
  }

  /** Counts an answer and wakes the work that waits for the resource. */
  answered(urn: Urn): void {
    this.waiting.wake(urn);
    this.done();
  }

  refuse(reply: Refusable, error: Error): void {
    reply.refuse(error);
    this.done();
  }

  /**
   * Ends the operation. `visible`: the program receives the error itself instead of the end of the operation [REG-4].
   */
  fail(reply: Refusable, diagnostics: readonly Diagnostic[], visible: boolean): void {
    for (const diagnostic of diagnostics) this.#report.diagnostic(diagnostic);
    this.stop();
    this.refuse(reply, visible ? new CairnError(diagnostics) : shutDownError());
  }

  /**
   * Refuses actions that a plan does not contain, before any of them is done. Returns true if there were any
   * violations.
   */
  notPlanned(reply: Refusable, against: readonly Diagnostic[]): boolean {
    if (against.length === 0) return false;
    this.fail(reply, against, false);
    return true;
  }

  /** Counts one registration less that waits for its answer. */
  done(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    for (const resolve of this.#quiet.splice(0)) resolve();
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Stops deciding about new requests. Registrations without a decision are refused. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#onStop();
    this.waiting.wakeAll();
    for (const resolve of this.#stopWatchers.splice(0)) resolve();
  }

  /** Resolves when it has been stopped; perhaps never. */
  whenStopped(): Promise<void> {
    return this.#stopped ? Promise.resolve() : new Promise((resolve) => this.#stopWatchers.push(resolve));
  }

  /** Resolves when every registration has been answered. */
  quiet(): Promise<void> {
    return this.#open === 0 ? Promise.resolve() : new Promise((resolve) => this.#quiet.push(resolve));
  }
}

/** Work that waits for something to end. Waking runs it at once, in the order in which it began to wait. */
class Waiters<K> {
  readonly #waiting = new Map<K, (() => void)[]>();

  /** Runs `go` when `key` is woken, or everything is. */
  wait(key: K, go: () => void): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, [go]);
    else waiting.push(go);
  }

  wake(key: K): void {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) return;
    this.#waiting.delete(key);
    for (const go of waiting) go();
  }

  wakeAll(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) for (const go of waiting) go();
  }
}
