import { makeUrn, rootStackUrn } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import { paintFor } from '../terminal/paint.js';
import { liveDisplay } from './live-display.js';

const root = rootStackUrn('shop', 'dev');

function created(index: number): StepView {
  const urn = makeUrn({
    stack: 'dev',
    project: 'shop',
    parent: root,
    type: 'a:b:Page',
    name: `page-${index}`,
  });
  return {
    kind: 'create',
    urn,
    type: 'a:b:Page',
    provider: undefined,
    old: undefined,
    new: resourceEntry({ urn, type: 'a:b:Page', custom: true, parent: root }),
    replaceKeys: [],
    changedKeys: [],
    detailedDiff: undefined,
    reason: { t: 'new' },
    refreshResult: undefined,
  };
}

/** The shortest time that a picture takes after so many resources, in milliseconds, and its lines. */
function picture(resources: number): { readonly ms: number; readonly lines: number } {
  let tick = (): void => undefined;
  let drawn = '';
  let now = 0;
  const display = liveDisplay({
    screen: {
      draw: (text) => (drawn = text),
      above: () => undefined,
      done: () => undefined,
      columns: () => 100,
      rows: () => 30,
    },
    paint: paintFor(true),
    unicode: true,
    showSames: false,
    debug: false,
    nowMs: () => now,
    every: (_ms, run) => {
      tick = run;
      return () => undefined;
    },
  });
  for (let index = 0; index < resources; index++) {
    const step = created(index);
    const events: EngineEvent[] = [
      { t: 'step-started', step, planning: false },
      { t: 'step-ended', step, planning: false, elapsedMs: 5 },
    ];
    events.forEach((event) => display.event(event));
  }
  const times = Array.from({ length: 20 }, () => {
    now += 1000;
    const began = performance.now();
    tick();
    return performance.now() - began;
  });
  return { ms: Math.min(...times), lines: drawn.split('\n').length };
}

test('a picture costs what is on the screen, not what is in the stack [CLI-7]', () => {
  const [small, large] = [picture(100), picture(30_000)];
  expect([small.lines, large.lines]).toEqual([28, 28]);
  expect(large.ms).toBeLessThan(20 * small.ms + 5);
});
