import type { EngineClock } from '@cairn/engine';

/** Maximum duration of timers of a {@link steppingClock}, in real milliseconds. */
const SOON = 40;

/**
 * Returns a clock that advances one millisecond at every read, so that times differ and runs repeat exactly. Its timers
 * cause no long waits.
 */
export function steppingClock(start: Date = new Date(Date.UTC(2030, 0, 1))): EngineClock {
  let elapsed = 0;
  return {
    now: () => new Date(start.getTime() + ++elapsed),
    monotonicMs: () => ++elapsed,
    after: (ms, run) => {
      const timer = setTimeout(run, Math.min(ms, SOON));
      return () => clearTimeout(timer);
    },
  };
}

/** Maximum number of rounds of the event loop for a timer of a {@link turningClock}. */
const ROUNDS = 60;

/**
 * Returns a {@link steppingClock} whose timers count rounds of the event loop, so that they never overtake work in
 * memory.
 */
export function turningClock(): EngineClock {
  return {
    ...steppingClock(),
    after: (ms, run) => {
      let left: number | undefined = Math.min(ms, ROUNDS);
      const turn = (): void => {
        if (left === undefined) return;
        if (left <= 0) return run();
        left -= 1;
        setImmediate(turn);
      };
      setImmediate(turn);
      return () => (left = undefined);
    },
  };
}

/** Returns a generator of UUID-shaped texts in order: `00000000-0000-4000-8000-000000000001`, … */
export function sequentialIds(): () => string {
  let last = 0;
  return () => `00000000-0000-4000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

/** Returns bytes 0, 1, 2, … in every call. */
export function countedBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index & 0xff);
}
