import { FakeClock } from '@cairn/changes';
import { ABORT_GRACE_MS, CANCEL_GRACE_MS, CallingOff } from './calling-off.js';

/** Sets a scene in which steps `a` and `b` run. */
function scene(more: { readonly cancelGraceMs?: number } = {}) {
  const clock = new FakeClock();
  const [a, b] = [{}, {}];
  const running = new Set<object>([a, b]);
  const done: string[] = [];
  const callingOff = new CallingOff({
    ...more,
    clock,
    running: () => new Set(running),
    report: { diagnostic: ({ severity }) => done.push(severity) },
    cancelCalls: () => done.push('cancel calls'),
    cancel: () => done.push('cancel'),
    kill: () => done.push('kill'),
  });
  return { clock, a, b, running, done, callingOff };
}

describe('after an abort', () => {
  test('what still runs when its time is over is cancelled, and then left in doubt', () => {
    const { clock, a, running, done, callingOff } = scene();
    callingOff.aborted();
    callingOff.aborted();
    running.delete(a);
    clock.advance(ABORT_GRACE_MS - 1);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(done).toEqual(['warning', 'cancel', 'cancel calls']);
    clock.advance(CANCEL_GRACE_MS);
    expect(done.slice(3)).toEqual(['kill']);
  });

  test('what has begun since, to roll something back, is left alone', () => {
    const { clock, a, b, running, done, callingOff } = scene();
    callingOff.aborted();
    running.delete(a);
    running.delete(b);
    running.add({});
    clock.advance(10 * ABORT_GRACE_MS);
    expect(done).toEqual([]);
  });
});

describe('a cancel of what runs', () => {
  test('gives it a grace, once', () => {
    const { clock, done, callingOff } = scene();
    callingOff.cancelCalls();
    callingOff.cancelCalls();
    clock.advance(CANCEL_GRACE_MS - 1);
    expect(done).toEqual(['cancel calls']);
    clock.advance(1);
    expect(done).toEqual(['cancel calls', 'kill']);
  });

  test('gives it the grace that was asked for', () => {
    const { clock, done, callingOff } = scene({ cancelGraceMs: 20 });
    callingOff.cancelCalls();
    clock.advance(19);
    expect(done).toEqual(['cancel calls']);
    clock.advance(1);
    expect(done).toEqual(['cancel calls', 'kill']);
  });

  test('waits for nothing when nothing runs', () => {
    const { running, done, callingOff } = scene();
    running.clear();
    callingOff.cancelCalls();
    expect(done).toEqual(['kill']);
  });

  test('lets go of nothing that has ended meanwhile', () => {
    const { clock, done, callingOff } = scene();
    callingOff.cancelCalls();
    callingOff.over();
    clock.advance(CANCEL_GRACE_MS);
    expect(done).toEqual(['cancel calls']);
  });
});
