import { FakeClock } from '@cairn/changes';
import { QUIET_MS, RestWatch } from './rest-watch.js';

/** Makes a watch on its own clock, with variables for everything that it asks about. */
function watched() {
  const clock = new FakeClock();
  const seen = { waits: true, busy: false, rests: 0 };
  const watch = new RestWatch({
    after: (ms, run) => clock.after(ms, run),
    waits: () => seen.waits,
    busy: () => seen.busy,
    onRest: () => (seen.rests += 1),
  });
  return { clock, seen, watch };
}

describe('an operation rests', () => {
  test('after the quiet, once', () => {
    const { clock, seen, watch } = watched();
    watch.noteActivity();
    clock.advance(QUIET_MS - 1);
    expect(seen.rests).toBe(0);
    clock.advance(1);
    watch.noteActivity();
    clock.advance(10 * QUIET_MS);
    expect(seen.rests).toBe(1);
  });

  test('not before what happens meanwhile has been quiet as well', () => {
    const { clock, seen, watch } = watched();
    watch.noteActivity();
    clock.advance(QUIET_MS / 2);
    watch.noteActivity();
    clock.advance(QUIET_MS);
    expect(seen.rests).toBe(0);
    clock.advance(QUIET_MS);
    expect(seen.rests).toBe(1);
  });

  test('not while something runs', () => {
    const { clock, seen, watch } = watched();
    seen.busy = true;
    watch.noteActivity();
    clock.advance(5 * QUIET_MS);
    expect(seen.rests).toBe(0);
    seen.busy = false;
    clock.advance(QUIET_MS);
    expect(seen.rests).toBe(1);
  });

  test('not while work beside it goes on', async () => {
    const { clock, seen, watch } = watched();
    let end: () => void = () => undefined;
    const work = watch.during(() => new Promise<void>((resolve) => (end = resolve)));
    watch.noteActivity();
    clock.advance(5 * QUIET_MS);
    expect(seen.rests).toBe(0);
    end();
    await work;
    clock.advance(2 * QUIET_MS);
    expect(seen.rests).toBe(1);
  });

  test('never when nobody waits, or nobody waits any more', () => {
    const { clock, seen, watch } = watched();
    watch.noteActivity();
    seen.waits = false;
    clock.advance(5 * QUIET_MS);
    watch.noteActivity();
    clock.advance(5 * QUIET_MS);
    expect(seen.rests).toBe(0);
  });
});
