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
