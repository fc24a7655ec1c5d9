import { FakeClock } from '@cairn/changes';
import { RegistrationIntake, roomFor } from './intake.js';

/** Registrations `arrive` by name. `waiting` counts those that wait for a slot; each one that is let in adds to it. */
class World {
  waiting = 0;
  readonly in: string[] = [];
  readonly clock = new FakeClock();
  readonly intake = new RegistrationIntake({
    waiting: () => this.waiting,
    room: 2,
    after: (ms, run) => this.clock.after(ms, run),
  });

  arrive(...names: readonly string[]): void {
    for (const name of names) {
      const enter = () => {
        this.in.push(name);
        this.waiting += 1;
      };
      if (this.intake.open) enter();
      else this.intake.wait(enter);
    }
  }

  /** Gives slots to `count` of them. */
  placed(count: number): void {
    this.waiting -= count;
    this.intake.look();
  }
}

const cases: readonly (readonly [string, (context: World) => unknown, readonly string[]])[] = [
  ['as many as there is room for come in', (w) => w.arrive('a', 'b', 'c', 'd'), ['a', 'b']],
  [
    'who waits comes in when there is room',
    (w) => (w.arrive('a', 'b', 'c', 'd'), w.placed(1)),
    ['a', 'b', 'c'],
  ],
  [
    'nobody overtakes',
    (w) => {
      w.arrive('a', 'b', 'c', 'd');
      w.waiting = 0;
      w.arrive('e');
      w.intake.look();
    },
    ['a', 'b', 'c', 'd'],
  ],
  ['all in: at once', (w) => (w.arrive('a', 'b', 'c', 'd'), w.intake.letAllIn()), ['a', 'b', 'c', 'd']],
  [
    'all in: those that come later are held back as ever',
    (w) => (w.arrive('a', 'b', 'c'), w.intake.letAllIn(), w.arrive('d')),
    ['a', 'b', 'c'],
  ],
  [
    'closed: nobody is held back',
    (w) => (w.arrive('a', 'b', 'c'), w.intake.close(), w.arrive('d')),
    ['a', 'b', 'c', 'd'],
  ],
  [
    'nobody came in for a second: some do',
    (w) => (w.arrive('a', 'b', 'c', 'd', 'e'), w.clock.advance(999), w.arrive(), w.clock.advance(1)),
    ['a', 'b', 'c', 'd'],
  ],
  [
    'a second after that: the next',
    (w) => (w.arrive('a', 'b', 'c', 'd', 'e'), w.clock.advance(1_000), w.clock.advance(1_000)),
    ['a', 'b', 'c', 'd', 'e'],
  ],
  [
    'somebody came in within the second: it begins anew',
    (w) => (w.arrive('a', 'b', 'c', 'd'), w.clock.advance(600), w.placed(1), w.clock.advance(600)),
    ['a', 'b', 'c'],
  ],
];

test.each(cases)('%s', (_, happen, expected) => {
  const context = new World();
  happen(context);
  expect(context.in).toEqual(expected);
});

test('work before a registration can wait for a place takes room until it has ended', async () => {
  const context = new World();
  let end: () => void = () => {};
  context.intake.entering(new Promise<void>((resolve) => (end = resolve)));
  context.intake.entering(Promise.reject(new Error('refused')));
  context.arrive('a');
  expect(context.in).toEqual([]);
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await turn();
  expect(context.in).toEqual(['a']);
  context.arrive('b');
  await turn();
  expect(context.in).toEqual(['a']);
  end();
  await turn();
  expect(context.in).toEqual(['a', 'b']);
});

test('the watch ends with the last one that was held back', () => {
  const context = new World();
  context.arrive('a', 'b', 'c');
  expect(context.clock.nextIn()).toBe(1_000);
  context.placed(1);
  expect(context.clock.nextIn()).toBeUndefined();
});

test.each([
  [1, 128],
  [64, 128],
  [500, 1_000],
  [Infinity, Infinity],
])('room at %d at a time: %d', (parallel, room) => {
  expect(roomFor(parallel)).toBe(room);
});
