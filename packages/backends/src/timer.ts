/** Calls something once, later; the answer calls it off. */
export interface Timer {
  after(ms: number, run: () => void): () => void;
}

/** The machine's own timer. */
export const systemTimer: Timer = {
  after: (ms, run) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
};
