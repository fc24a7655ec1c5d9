import type { EngineClock } from '@cairn/engine';

/** How long timers of a {@link steppingClock} take at most, in real milliseconds. */
const SOON = 40;

/**
 * A clock that moves one millisecond at every look, so that times differ and runs repeat exactly. Its timers do not
 * make anybody wait.
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

/** How many rounds of the event loop a timer of a {@link turningClock} takes at most. */
const ROUNDS = 60;

/**
 * A {@link steppingClock} whose timers count rounds of the event loop: what lives in memory alone is never overtaken by
 * them.
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

/** UUID-shaped texts in order: `00000000-0000-4000-8000-000000000001`, … */
export function sequentialIds(): () => string {
  let last = 0;
  return () => `00000000-0000-4000-8000-${(++last).toString(16).padStart(12, '0')}`;
}

/** Bytes 0, 1, 2, … in every call. */
export function countedBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index & 0xff);
}
