/** Waits and measures. Milliseconds everywhere. */
export interface Timer {
  /** Calls something once, later; the answer calls it off. The process lives until then. */
  after(ms: number, run: () => void): () => void;
  /** As {@link after}, but keeps no process alive. */
  inBackground(ms: number, run: () => void): () => void;
  /** A clock that nobody sets: only differences of what it says mean something. */
  ticks(): number;
  /** Measures from now on how long it takes, times at which this machine slept included as far as they can be known. */
  stopwatch(): () => number;
}

/** The machine's own timer. */
export const systemTimer: Timer = {
  after: (ms, run) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
  inBackground: (ms, run) => {
    const handle = setTimeout(run, ms);
    handle.unref();
    return () => clearTimeout(handle);
  },
  ticks: () => performance.now(),
  // The clock that nobody sets may stand still while the machine sleeps; the other one does not.
  stopwatch: () => {
    const [ticks, time] = [performance.now(), Date.now()];
    return () => Math.max(performance.now() - ticks, Date.now() - time);
  },
};
