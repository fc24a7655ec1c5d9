import type { EngineEvent } from '@cairn/engine';
import type { Display } from './display.js';
import type { Row } from './rows.js';

/** Text that will be written soon. */
interface GatheredWrites {
  /** Accepts text. All text of one turn of the event loop is written at once, in order. */
  write(text: string): void;
  /** Writes the gathered text now: before other text goes to the same place, and at the end. */
  flush(): void;
}

/**
 * Reduces the number of writes for the same text. Each write to a pipe or a terminal is a system call, and an operation
 * may print thousands of lines in a moment. `later` runs its function in a later turn of the event loop.
 */
export function gatheredWrites(
  write: (text: string) => void,
  later: (run: () => void) => void = (run) => void setImmediate(run),
): GatheredWrites {
  let gathered = '';
  let waiting = false;
  const flush = (): void => {
    const text = gathered;
    gathered = '';
    if (text !== '') write(text);
  };
  return {
    write(text) {
      gathered += text;
      if (waiting) return;
      waiting = true;
      later(() => {
        waiting = false;
        flush();
      });
    },
    flush,
  };
}

/** Gathers lines about events into few writes. Messages and the end are written at once. */
export class GatheredDisplay implements Display {
  readonly #writes: GatheredWrites;
  readonly #display: Display;
  readonly #closed: () => void;

  /** `open` makes the display that writes the lines. `closed` is called after its last line is written. */
  constructor(
    write: (text: string) => void,
    open: (write: (text: string) => void) => Display,
    closed: () => void = () => undefined,
  ) {
    this.#writes = gatheredWrites(write);
    this.#display = open(this.#writes.write);
    this.#closed = closed;
  }

  event(event: EngineEvent, row?: Row): void {
    this.#display.event(event, row);
  }

  say(line: string): void {
    this.#display.say(line);
    this.#writes.flush();
  }

  close(page?: string): void {
    this.#display.close(page);
    this.#writes.flush();
    this.#closed();
  }
}
