import type { Clock } from '@cairn/changes';
import { messageOf } from '@cairn/diagnostics';

/** Place of one small document. It is written as a whole, all of it or nothing. */
export interface DocumentStore {
  /** Returns the document, or `undefined` if there is none yet. */
  read(): Promise<Uint8Array | undefined>;
  /** Writes the document; it is durable when the promise resolves. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Interval and total time of retries of a failing write. Milliseconds. */
export interface WriteSchedule {
  readonly everyMs: number;
  readonly limitMs: number;
}

/** Retries every three seconds, for five minutes. */
export const PATIENCE: WriteSchedule = { everyMs: 3_000, limitMs: 300_000 };

/**
 * Writes a document after changes, one write at a time. Changes during a write go together into the next. A failing
 * write is retried. If that fails too, everything fails with the cause.
 */
export class DocumentWriter {
  #modified: boolean;
  #writing: Promise<void> | undefined;
  #failure: Error | undefined;
  readonly #store: DocumentStore;
  readonly #clock: Clock;
  readonly #current: () => Uint8Array;
  readonly #patience: WriteSchedule;

  constructor(
    store: DocumentStore,
    clock: Clock,
    current: () => Uint8Array,
    /** A new document is written with the first transaction; an existing one is not. */
    isNew: boolean,
    patience: WriteSchedule = PATIENCE,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#current = current;
    this.#patience = patience;
    this.#modified = isNew;
  }

  get modified(): boolean {
    return this.#modified;
  }

  /** Throws if writing has failed for good: nothing more should be accepted. */
  refuseWhenBroken(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Marks the document as different from the stored one. */
  touch(): void {
    this.#modified = true;
  }

  /** Writes if there is anything to write. Resolves when all changes so far are durable. */
  async checkpoint(): Promise<void> {
    while (this.#modified || this.#writing !== undefined) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#writing ??= this.#write();
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    this.#modified = false;
    const bytes = this.#current();
    try {
      await this.#patiently(bytes);
    } catch (cause) {
      this.#failure = cause as Error;
      throw cause;
    } finally {
      this.#writing = undefined;
    }
  }

  async #patiently(bytes: Uint8Array): Promise<void> {
    const { everyMs, limitMs } = this.#patience;
    for (let waitedMs = 0; ; waitedMs += everyMs) {
      try {
        return await this.#store.write(bytes);
      } catch (cause) {
        if (waitedMs + everyMs > limitMs) {
          throw new Error(
            `cannot checkpoint even after ${limitMs} ms of retries every ${everyMs} ms: ${messageOf(cause)}`,
            { cause },
          );
        }
      }
      await new Promise<void>((resolve) => this.#clock.after(everyMs, resolve));
    }
  }
}
