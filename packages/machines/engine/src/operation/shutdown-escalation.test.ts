import { FakeClock } from '@cairn/changes';
import { ABORT_GRACE_MS, CANCEL_GRACE_MS, ShutdownEscalation } from './shutdown-escalation.js';

/** Sets a scene in which steps `a` and `b` run. */
function scene(more: { readonly cancelGraceMs?: number } = {}) {
  const clock = new FakeClock();
  const [a, b] = [{}, {}];
  const running = new Set<object>([a, b]);
  const done: string[] = [];
  const shutdown = new ShutdownEscalation({
    ...more,
    clock,
    running: () => new Set(running),
    report: { diagnostic: ({ severity }) => done.push(severity) },
    cancelCalls: () => done.push('cancel calls'),
    cancel: () => done.push('cancel'),
    kill: () => done.push('kill'),
  });
  return { clock, a, b, running, done, shutdown };
}

describe('after an abort', () => {
  test('what still runs when its time is over is cancelled, and then left in doubt', () => {
    const { clock, a, running, done, shutdown } = scene();
    shutdown.aborted();
    shutdown.aborted();
    running.delete(a);
    clock.advance(ABORT_GRACE_MS - 1);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(done).toEqual(['warning', 'cancel', 'cancel calls']);
    clock.advance(CANCEL_GRACE_MS);
    expect(done.slice(3)).toEqual(['kill']);
  });

  test('what has begun since, to roll something back, is left alone', () => {
    const { clock, a, b, running, done, shutdown } = scene();
    shutdown.aborted();
    running.delete(a);
    running.delete(b);
    running.add({});
    clock.advance(10 * ABORT_GRACE_MS);
    expect(done).toEqual([]);
  });
});

describe('a cancel of what runs', () => {
  test('gives it a grace, once', () => {
    const { clock, done, shutdown } = scene();
    shutdown.cancelCalls();
    shutdown.cancelCalls();
    clock.advance(CANCEL_GRACE_MS - 1);
    expect(done).toEqual(['cancel calls']);
    clock.advance(1);
    expect(done).toEqual(['cancel calls', 'kill']);
  });

  test('gives it the grace that was asked for', () => {
    const { clock, done, shutdown } = scene({ cancelGraceMs: 20 });
    shutdown.cancelCalls();
    clock.advance(19);
    expect(done).toEqual(['cancel calls']);
    clock.advance(1);
    expect(done).toEqual(['cancel calls', 'kill']);
  });

  test('waits for nothing when nothing runs', () => {
    const { running, done, shutdown } = scene();
    running.clear();
    shutdown.cancelCalls();
    expect(done).toEqual(['kill']);
  });

  test('lets go of nothing that has ended meanwhile', () => {
    const { clock, done, shutdown } = scene();
    shutdown.cancelCalls();
    shutdown.over();
    clock.advance(CANCEL_GRACE_MS);
    expect(done).toEqual(['cancel calls']);
  });
});
