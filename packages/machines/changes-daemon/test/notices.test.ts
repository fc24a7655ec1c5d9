import { BARE, FakeClock, memoryStore, openChange } from '@cairn/changes';
import type { ChangeMachine, Status, StepKinds } from '@cairn/changes';
import { keepChangeNotice } from '../src/notices/change-notices.js';
import { formatNoticeDuration, parseNoticeDuration } from '../src/notices/duration.js';
import { formatMicros, parseMicros } from '../src/notices/instant.js';
import type { StoredNotice, NoticeType } from '../src/notices/notice.js';
import { noticeToJson } from '../src/notices/notice.js';
import { Notices } from '../src/notices/notices.js';
import type { WarningJson } from '../src/notices/warnings.js';
import { Warnings, warningFromJson, warningToJson } from '../src/notices/warnings.js';

const SECOND = 1_000;
const DAY = 24 * 3_600_000;

function world(): { clock: FakeClock; notices: Notices } {
  const clock = new FakeClock();
  return { clock, notices: new Notices(clock) };
}
const keys = (notices: readonly StoredNotice[]): string[] => notices.map(({ key }) => key);
const only = (notices: Notices): StoredNotice => notices.list()[0] as StoredNotice;

describe('the notice of a change', () => {
  /**
   * Makes a change on the bare machine whose tasks x, y and z wait for each other; its statuses are collected in
   * `derived`.
   */
  function noticed(last?: Status): {
    machine: ChangeMachine;
    notices: Notices;
    derived: Status[];
    told: () => string;
    run: (names: string, failing?: string) => Promise<void>;
  } {
    const clock = new FakeClock();
    const notices = new Notices(clock);
    const derived: Status[] = [];
    const kinds: StepKinds = {
      step: { do: () => ({ t: 'ok' }), undo: () => ({ t: 'ok' }) },
      fails: {
        do: () => {
          throw new Error('no power');
        },
      },
    };
    const opened = { id: '7', kind: 'up', summary: 'test', scope: 'org/shop/dev' };
    const machine = openChange(opened, { store: memoryStore(), kinds, clock, policies: BARE });
    const told = keepChangeNotice(machine, notices, last);
    machine.observeChange((_from, to) => void derived.push(to));
    const run = async (names: string, failing = ''): Promise<void> => {
      machine.tx((t) => {
        let waits: string[] = [];
        for (const name of names)
          waits = [t.addTask({ kind: name === failing ? 'fails' : 'step', summary: name, waits })];
      });
      await machine.settled();
    };
    return { machine, notices, derived, told, run };
  }

  test('CH-091 kind, summary and first notice of a new change', () => {
    const { machine, notices } = noticed();
    expect([machine.change.kind, machine.change.summary]).toEqual(['up', 'test']);
    expect(notices.list()).toHaveLength(1);
    expect(only(notices)).toMatchObject({
      type: 'change-update',
      key: '7',
      data: { kind: 'up' },
      occurrences: 1,
    });
  });

  test('CH-105 a forward run: flapping is not recorded', async () => {
    const { notices, derived, run } = noticed();
    await run('xyz');
    expect(derived.slice(-6)).toEqual(['doing', 'do', 'doing', 'do', 'doing', 'done']);
    expect([notices.size, only(notices).occurrences]).toEqual([1, 3]);
  });

  test('CH-106 a rollback: flapping is not recorded', async () => {
    const { notices, derived, run } = noticed();
    await run('xyz', 'z');
    expect(derived.slice(-5)).toEqual(['undo', 'undoing', 'undo', 'undoing', 'error']);
    expect([notices.size, only(notices).occurrences]).toEqual([1, 5]);
  });

  test('after a restart nothing is told twice', async () => {
    const { notices, told, run } = noticed('doing');
    expect([notices.size, told()]).toEqual([0, 'doing']);
    await run('xy');
    expect([notices.size, told(), only(notices).occurrences]).toEqual([1, 'done', 1]);
  });
});

test('CH-185 notice repeat rule', () => {
  const { clock, notices } = world();
  notices.add('warning', 'k', { repeatAfterMs: 10 * SECOND });
  const first = only(notices);
  const seen: unknown[] = [];
  let lastRepeated = first.lastRepeated;
  for (const [at, repeat] of [
    [5, 10],
    [11, 10],
    [13, 1],
    [15, 10],
    [16, 0],
  ] as const) {
    clock.advance(at * SECOND - clock.monotonicMs());
    notices.add('warning', 'k', { repeatAfterMs: repeat * SECOND });
    const notice = only(notices);
    seen.push([notice.lastRepeated > lastRepeated, notice.occurrences]);
    expect(notice.lastOccurred).toBe(first.firstOccurred + at * 1e6);
    expect(notice.firstOccurred).toBe(first.firstOccurred);
    lastRepeated = notice.lastRepeated;
  }
  expect(seen).toEqual([
    [false, 2],
    [true, 3],
    [true, 4],
    [false, 5],
    [true, 6],
  ]);
  expect(noticeToJson(only(notices))).not.toHaveProperty('repeat-after-ms');
  expect(noticeToJson(first)).toHaveProperty('repeat-after-ms', 10 * SECOND);
});

test('CH-186 notices aggregate by owner, type and key', () => {
  const { notices } = world();
  notices.add('warning', 'W');
  notices.add('change-update', '123');
  notices.add('warning', 'W');
  notices.add('warning', 'W');
  notices.add('warning', 'W', {}, 'ann');
  expect(notices.list().map(({ id, key, occurrences, owner }) => [id, key, occurrences, owner])).toEqual([
    ['2', '123', 1, undefined],
    ['1', 'W', 3, undefined],
    ['3', 'W', 1, 'ann'],
  ]);
  expect(notices.list({ owner: 'bob' })).toHaveLength(2);
});

test.each([
  [10, 0],
  [0, 10],
  [10, 10],
])('CH-187 repeat-after is chosen by the later call: %d s, then %d s', (first, second) => {
  const { clock, notices } = world();
  notices.add('warning', 'k', { repeatAfterMs: first * SECOND });
  const { lastRepeated } = only(notices);
  clock.advance(10 * SECOND);
  notices.add('warning', 'k', { repeatAfterMs: second * SECOND });
  expect(only(notices).lastRepeated).toBe(lastRepeated + 10e6);
});

test('CH-188 after is exclusive, before-or-at inclusive; times differ even within one millisecond', () => {
  const { notices } = world();
  for (const key of ['x', 'y', 'z']) notices.add('warning', key);
  const [x, y] = notices.list() as [StoredNotice, StoredNotice];
  expect(keys(notices.list({ after: x.lastRepeated }))).toEqual(['y', 'z']);
  expect(keys(notices.list({ beforeOrAt: y.lastRepeated }))).toEqual(['x', 'y']);
  expect(keys(notices.list({ after: x.lastRepeated, beforeOrAt: y.lastRepeated }))).toEqual(['y']);
  expect(keys(notices.list({ keys: ['z', 'x'], types: ['warning'] }))).toEqual(['x', 'z']);
});

test('CH-189 drain removes what it returns', () => {
  const { notices } = world();
  notices.add('warning', 'b');
  notices.add('change-update', '1');
  notices.add('upkeep-paused', '-');
  notices.add('warning', 'a');
  expect(keys(notices.drain({ types: ['change-update'] }))).toEqual(['1']);
  expect(keys(notices.drain({ types: ['warning'] }))).toEqual(['b', 'a']);
  expect(notices.size).toBe(1);
});

test('CH-190 notices persist and expire', () => {
  const { clock, notices } = world();
  notices.add('warning', 'old 1');
  notices.add('warning', 'old 2');
  clock.advance(8 * DAY);
  notices.add('warning', 'new 1');
  notices.add('warning', 'new 2', { data: { a: 'b' } });
  notices.expire();
  expect(keys(notices.list())).toEqual(['new 1', 'new 2']);
  const again = new Notices(clock, JSON.parse(JSON.stringify(notices.toJson())));
  expect(again.list()).toEqual(notices.list());
  expect(again.add('warning', 'next')).toBe('5');
  clock.advance(7 * DAY + 1);
  expect(new Notices(clock, again.toJson()).size).toBe(0);
});

describe('CH-191 wait for notices', () => {
  test('returns what is there at once', async () => {
    const { notices } = world();
    notices.add('waiting', '7/3');
    expect(keys(await notices.wait({ keys: ['7/3'] }, SECOND))).toEqual(['7/3']);
  });

  test('blocks until one arrives that matches; a repetition that is not told wakes nobody', async () => {
    const { clock, notices } = world();
    notices.add('warning', 'w', { repeatAfterMs: DAY });
    const after = only(notices).lastRepeated;
    let answered: readonly StoredNotice[] | undefined;
    void notices.wait({ after, types: ['warning', 'waiting'] }, SECOND).then((found) => (answered = found));
    notices.add('change-update', '1');
    clock.advance(1);
    notices.add('warning', 'w', { repeatAfterMs: DAY });
    await Promise.resolve();
    expect(answered).toBeUndefined();
    notices.add('waiting', '7/3');
    await Promise.resolve();
    expect(keys(answered ?? [])).toEqual(['7/3']);
    expect(clock.nextIn()).toBeUndefined();
  });

  test('fails when the time is up, and is answered at once when only the past can match', async () => {
    const { clock, notices } = world();
    const waiting = notices.wait({ keys: ['never'] }, SECOND);
    clock.advance(SECOND);
    await expect(waiting).rejects.toMatchObject({ diagnostics: [{ code: 'CAIRN-TIMEOUT' }] });
    expect(await notices.wait({ beforeOrAt: 5 }, SECOND)).toEqual([]);
  });
});

test.each<[string, string, string]>([
  ['an unknown type', 'dance', 'x'],
  ['an inherited name', 'constructor', 'x'],
  ['an empty key', 'warning', ''],
  ['a key of 257 bytes', 'warning', `${'é'.repeat(128)}x`],
  ['a special type with another key', 'upkeep-paused', 'x'],
])('CH-192 notice validation: %s is refused', (_title, type, key) => {
  const { notices } = world();
  expect(() => notices.add(type as NoticeType, key)).toThrow('cannot add');
  expect(notices.size).toBe(0);
});

test('CH-192 a key of 256 bytes is not', () => {
  expect(world().notices.add('warning', 'x'.repeat(256))).toBe('1');
});

describe('warnings', () => {
  const stored: WarningJson = {
    message: 'hello',
    'first-added': '2030-01-01T00:00:00.000001Z',
    'last-added': '2030-01-02T00:00:00Z',
    'expire-after': '672h',
    'repeat-after': '24h',
  };

  test.each<[string, Partial<WarningJson>, string]>([
    ['no message', { message: undefined } as never, 'warning has no message'],
    ['no first-added', { 'first-added': undefined } as never, 'warning has no first-added time'],
    ['no expire-after', { 'expire-after': undefined } as never, 'warning has no expire-after time'],
    ['a blank message', { message: ' ' }, 'malformed warning message " "'],
    ['an empty message', { message: '' }, 'malformed warning message ""'],
    ['a bad time', { 'first-added': 'yesterday' }, 'cannot parse the first-added time "yesterday"'],
    ['days', { 'expire-after': '1d' }, 'cannot parse the expire-after duration "1d"'],
  ])('CH-195 warning parse errors: %s', (_title, change, error) => {
    expect(() => warningFromJson({ ...stored, ...change })).toThrow(error);
    expect(warningToJson(warningFromJson(stored))).toEqual({
      ...stored,
      'last-added': '2030-01-02T00:00:00.000000Z',
    });
  });

  test('a warning is shown, not again before its delay, and forgotten in the end', () => {
    const clock = new FakeClock();
    const warnings = new Warnings(clock);
    warnings.add(' disk is full ');
    const { warnings: pending, at } = warnings.pending();
    expect(pending.map(({ message }) => message)).toEqual(['disk is full']);
    clock.advance(1);
    warnings.add('newer');
    expect(warnings.okay(at)).toBe(1);
    expect(warnings.summary().count).toBe(1);
    clock.advance(DAY);
    expect(warnings.pending().warnings).toHaveLength(2);
    clock.advance(28 * DAY);
    expect(new Warnings(clock, warnings.toJson()).all()).toEqual([]);
    expect(() => warnings.add('  ')).toThrow('without a message');
  });

  test('CH-198 warning repeats after its own delay', () => {
    const clock = new FakeClock();
    const warnings = new Warnings(clock);
    const listed = (): number => warnings.pending().warnings.length;
    warnings.add('w');
    warnings.okay(warnings.pending().at);
    warnings.add('w', { repeatAfterMs: 2 * SECOND });
    expect(listed()).toBe(0);
    clock.advance(2 * SECOND);
    expect(listed()).toBe(1);
  });

  test('CH-199 warning removal, and reads at any time', () => {
    const clock = new FakeClock();
    const warnings = new Warnings(clock);
    let altered = 0;
    warnings.onChanged = () => (altered += 1);
    expect(() => warnings.remove('x')).toThrow('no state entry for key "x"');
    warnings.add('x');
    clock.advance(SECOND);
    warnings.add('y');
    expect(altered).toBe(2);
    const last = clock.now().getTime() * 1000;
    expect(warnings.summary()).toEqual({ count: 2, lastAdded: last });
    expect(warnings.all().map(({ message }) => message)).toEqual(['x', 'y']);
    expect(altered).toBe(2);
    warnings.remove('y');
    expect([altered, warnings.summary().count]).toEqual([3, 1]);
  });
});

test('times and durations as text', () => {
  expect(formatMicros(1_500_001)).toBe('1970-01-01T00:00:01.500001Z');
  expect(parseMicros('1970-01-01T01:00:01.500001+01:00')).toBe(1_500_001);
  expect(parseMicros('1970-01-01T00:00:01Z')).toBe(1_000_000);
  expect([parseMicros('1970-01-01'), parseMicros('1970-13-01T00:00:01Z')]).toEqual([undefined, undefined]);
  for (const ms of [0, 1, 1500, 60_000, 3_600_001, 672 * 3_600_000])
    expect(parseNoticeDuration(formatNoticeDuration(ms))).toBe(ms);
  expect([formatNoticeDuration(5_401_500), parseNoticeDuration('90m'), parseNoticeDuration('')]).toEqual([
    '1h30m1s500ms',
    5_400_000,
    undefined,
  ]);
});
