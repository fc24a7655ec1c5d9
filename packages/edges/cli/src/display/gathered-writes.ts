/** Text that is written soon. */
interface GatheredWrites {
  /** Takes text; what is taken during one turn of the event loop is written at once, in order. */
  write(text: string): void;
  /** Writes what was taken so far now: before anything else is written to the same place, and at the end. */
  flush(): void;
}

/**
 * Fewer writes for the same text: a write to a pipe or a terminal is a system call of its own, and an operation may say
 * thousands of lines in a moment. `later` runs its function in a later turn of the event loop.
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
