import { makeUrn, rootStackUrn } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';
import { resourceEntry } from '@cairn/state';
import { paintFor } from '../terminal/paint.js';
import { LiveDisplay } from './live-display.js';
import { RowModel } from './rows.js';

const root = rootStackUrn('shop', 'dev');

/** Returns a step that counts each access to it. */
function created(index: number, looked: () => void): StepView {
  const urn = makeUrn({
    stack: 'dev',
    project: 'shop',
    parent: root,
    type: 'a:b:Page',
    name: `page-${index}`,
  });
  const step: StepView = {
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
  return new Proxy(step, {
    get: (target, key) => (looked(), Reflect.get(target, key) as unknown),
  });
}

/** Returns the cost of one frame after that many resources: accesses to their steps, characters and lines. */
function picture(resources: number): {
  readonly looks: number;
  readonly characters: number;
  readonly lines: number;
} {
  let looks = 0;
  let tick = (): void => undefined;
  let drawn = '';
  let now = 0;
  const rows = new RowModel();
  const display = new LiveDisplay({
    rows,
    screen: {
      draw: (text) => (drawn = text),
      above: () => undefined,
      done: () => undefined,
      columns: () => 100,
      rows: () => 30,
    },
    paint: paintFor(true),
    unicode: true,
    debug: false,
    nowMs: () => now,
    every: (_ms, run) => {
      tick = run;
      return () => undefined;
    },
  });
  for (let index = 0; index < resources; index++) {
    const step = created(index, () => (looks += 1));
    const events: EngineEvent[] = [
      { t: 'step-started', step, planning: false },
      { t: 'step-ended', step, planning: false, elapsedMs: 5 },
    ];
    events.forEach((event) => display.event(event, rows.apply(event, now)));
  }
  looks = 0;
  now += 1000;
  tick();
  return { looks, characters: drawn.length, lines: drawn.split('\n').length };
}

test('a picture costs what is on the screen, not what is in the stack [CLI-7]', () => {
  const [small, large] = [picture(100), picture(30_000)];
  expect([small.lines, large.lines]).toEqual([28, 28]);
  expect(small.looks).toBeGreaterThan(0);
  expect(large.looks).toBeLessThanOrEqual(small.looks);
  expect(large.characters).toBeLessThanOrEqual(28 * 110);
});
