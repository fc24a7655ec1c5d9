/** Waits and measures. Milliseconds everywhere. */
export interface Timer {
  /** Calls a function once, later. The returned function cancels the call. The process lives until then. */
  after(ms: number, run: () => void): () => void;
  /** Same as {@link after}, but keeps no process alive. */
  inBackground(ms: number, run: () => void): () => void;
  /** Returns the time of a monotonic clock. Only differences of its values are meaningful. */
  ticks(): number;
  /** Measures the time from now on. It includes times at which this machine slept, as far as they can be known. */
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
  // The monotonic clock may stop while the machine sleeps; the other one does not.
  stopwatch: () => {
    const [ticks, time] = [performance.now(), Date.now()];
    return () => Math.max(performance.now() - ticks, Date.now() - time);
  },
};
