import { rememberInterrupts } from './ports.js';

test('an interrupt between two phases is remembered', () => {
  let interrupt: (() => void) | undefined;
  const remembered = rememberInterrupts({
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => (interrupt = undefined);
    },
  });
  expect(remembered.heard()).toBe(false);
  interrupt?.();
  expect(remembered.heard()).toBe(true);
  remembered.stop();
  expect(interrupt).toBeUndefined();
});
