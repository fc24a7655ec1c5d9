import type { World } from '../world.js';
import { handleInterrupts, rememberInterrupts } from './interrupts.js';
import type { InterruptedDisplay } from './interrupts.js';

/** A world in which only interrupts happen, and what they lead to. */
function scene(): {
  world: World;
  interrupt: () => void;
  said: string[];
  done: string[];
  display: InterruptedDisplay;
  operation: { cancel: () => void; kill: () => void };
} {
  const listeners = new Set<(signal: 'SIGINT') => void>();
  const said: string[] = [];
  const done: string[] = [];
  return {
    world: {
      now: () => new Date(0),
      onInterrupt: (listener: (signal: 'SIGINT') => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as World,
    interrupt: () => listeners.forEach((listener) => listener('SIGINT')),
    said,
    done,
    display: { say: (line) => said.push(line), running: () => ['create slow', 'update page'] },
    operation: { cancel: () => done.push('cancel'), kill: () => done.push('kill') },
  };
}

describe('interrupts', () => {
  test.each([
    ['run', 1, ['cancel']],
    ['run', 2, ['cancel', 'kill']],
    ['preview', 1, ['kill']],
  ] as const)('in a %s, heard %d times', (phase, times, expected) => {
    const { world, interrupt, done, said, display, operation } = scene();
    const interrupts = handleInterrupts(world, phase, display);
    interrupts.started(operation);
    for (let heard = 0; heard < times; heard++) interrupt();
    expect(done).toEqual(expected);
    expect(said).toHaveLength(times);
    interrupts.stop();
    interrupt();
    expect(done).toEqual(expected);
  });

  test.each([
    ['run', 'cancel'],
    ['preview', 'kill'],
  ] as const)('in a %s, heard before the operation is there, reach it when it is', (phase, expected) => {
    const { world, interrupt, done, display, operation } = scene();
    const interrupts = handleInterrupts(world, phase, display);
    interrupt();
    expect(done).toEqual([]);
    interrupts.started(operation);
    expect(done).toEqual([expected]);
    interrupts.stop();
  });

  test('between two phases are remembered', () => {
    const { world, interrupt } = scene();
    const remembered = rememberInterrupts(world);
    expect(remembered.heard()).toBe(false);
    interrupt();
    expect(remembered.heard()).toBe(true);
    remembered.stop();
  });

  test('name what they wait for, what they leave in doubt, and how to go on', () => {
    const { world, interrupt, said, display } = scene();
    handleInterrupts(world, 'run', display, '7');
    interrupt();
    interrupt();
    expect(said[0]).toMatch(/waiting for running ones: create slow, update page\./);
    expect(said[1]).toMatch(/now in doubt: create slow, update page\. .*`cairn resume 7`/);
  });
});
