import type { CommandContext } from '../command-context.js';
import { handleInterrupts } from './interrupts.js';
import type { InterruptedDisplay } from './interrupts.js';

/** Returns a context in which only interrupts happen, and a record of their effects. */
function scene(env: Record<string, string> = {}): {
  context: CommandContext;
  interrupt: () => void;
  said: string[];
  done: string[];
  display: InterruptedDisplay;
  operation: { cancel: () => void; cancelRunning: () => void; kill: () => void };
  tick: (ms: number) => void;
} {
  const listeners = new Set<(signal: 'SIGINT') => void>();
  const said: string[] = [];
  const done: string[] = [];
  let now = 0;
  return {
    tick: (ms) => (now += ms),
    context: {
      env,
      now: () => new Date(now),
      onInterrupt: (listener: (signal: 'SIGINT') => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as CommandContext,
    interrupt: () => {
      now += 1000;
      listeners.forEach((listener) => listener('SIGINT'));
    },
    said,
    done,
    display: { say: (line) => said.push(line), running: () => ['create slow (12s)', 'update page (3.0s)'] },
    operation: {
      cancel: () => done.push('cancel'),
      cancelRunning: () => done.push('cancel running'),
      kill: () => done.push('kill'),
    },
  };
}

describe('interrupts', () => {
  test.each([
    ['run', 1, ['cancel']],
    ['run', 2, ['cancel', 'cancel running']],
    ['preview', 1, ['kill']],
  ] as const)('in a %s, heard %d times', (phase, times, expected) => {
    const { context, interrupt, done, said, display, operation } = scene();
    const interrupts = handleInterrupts(context, phase, display);
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
    const { context, interrupt, done, display, operation } = scene();
    const interrupts = handleInterrupts(context, phase, display);
    interrupt();
    expect(done).toEqual([]);
    interrupts.started(operation);
    expect(done).toEqual([expected]);
    interrupts.stop();
  });

  test('name what they wait for and how long already, what is cancelled, and how to go on', () => {
    const { context, interrupt, said, display } = scene();
    const interrupts = handleInterrupts(context, 'run', display, '7');
    interrupt();
    interrupt();
    expect(said[0]).toMatch(/waiting for running ones: create slow \(12s\), update page \(3\.0s\)\./);
    expect(said[1]).toMatch(/asking the providers to end create slow .*in 5 s is in doubt; `cairn resume 7`/);
    interrupts.stop();
  });

  test('name the grace of the environment', () => {
    const { context, interrupt, said, display } = scene({ CAIRN_STOP_GRACE: '0.5' });
    const interrupts = handleInterrupts(context, 'run', display);
    interrupt();
    interrupt();
    expect(said[1]).toMatch(/what has not answered in 0\.5 s is in doubt$/);
    interrupts.stop();
  });

  test.each([
    [{}, 1],
    [{ CAIRN_EXIT_CODES: 'fine' }, 8],
  ])('a third one leaves at once (%j)', (env, code) => {
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const { context, interrupt, said, done, display, operation } = scene(env as Record<string, string>);
    const interrupts = handleInterrupts(context, 'run', display, '7');
    interrupts.started(operation);
    interrupt();
    interrupt();
    expect(exit).not.toHaveBeenCalled();
    interrupt();
    expect(exit).toHaveBeenCalledWith(code);
    expect(said[2]).toMatch(/ends now; in doubt: create slow/);
    expect(done.slice(0, 2)).toEqual(['cancel', 'cancel running']);
    interrupts.stop();
    exit.mockRestore();
  });

  test('that come at the same moment are one: the terminal and a parent that passes it on both send it', () => {
    const { context, interrupt, tick, done, display, operation } = scene();
    const interrupts = handleInterrupts(context, 'run', display);
    interrupts.started(operation);
    interrupt();
    tick(-1000 + 20);
    interrupt();
    expect(done).toEqual(['cancel']);
    interrupts.stop();
  });
});
