/** Functions of time that stay real. */
const REAL = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const),
  ...(['clearImmediate', 'setTimeout', 'clearTimeout'] as const),
];

/** Holds the intervals of what a test starts: they run as it says, by `jest.advanceTimersByTime`. */
export function holdIntervals(): void {
  jest.useFakeTimers({ doNotFake: REAL });
}

afterEach(() => jest.useRealTimers());
