import { cronProblem, lookAtSchedule, nextTime, zoneProblem } from './schedule.js';
import type { Schedule } from './schedule.js';

const daily = (cron: string, zone = 'UTC', more: Partial<Schedule> = {}): Schedule => ({
  cron,
  zone,
  jitterMs: 0,
  paused: false,
  ...more,
});

test.each([
  ['0 3 * * *', undefined],
  ['*/5 * * * MON-FRI', undefined],
  ['0 0 29 2 *', undefined],
  ['0 0 30 2 *', 'is never due'],
  ['0 0 31 4,6,9,11 *', 'is never due'],
  ['* * * * * *', 'must have five fields (minute, hour, day, month, weekday), not 6'],
  ['@daily', 'must have five fields (minute, hour, day, month, weekday), not 1'],
  ['', 'must have five fields (minute, hour, day, month, weekday), not 0'],
  ['61 * * * *', 'is not valid: Invalid value for minute: 61'],
  ['0 0 * * blue', expect.stringContaining('is not valid: ')],
])('cron %j: %s', (cron, problem) => {
  expect(cronProblem(cron)).toEqual(problem);
});

test.each([
  ['Europe/Berlin', undefined],
  ['UTC', undefined],
  ['Mars/Olympus', 'names no time zone: "Mars/Olympus"'],
  ['', 'names no time zone: ""'],
])('zone %j: %s', (zone, problem) => {
  expect(zoneProblem(zone)).toBe(problem);
});

/** Returns the next times after one. */
function times(schedule: Schedule, from: string, count: number): readonly string[] {
  const found: string[] = [];
  for (let at = new Date(from); found.length < count;) {
    at = nextTime(schedule, 'dev', at);
    found.push(at.toISOString().slice(0, 16));
  }
  return found;
}

test.each([
  [
    'the hour that is skipped',
    daily('30 2 * * *', 'Europe/Berlin'),
    '2026-03-28T00:00:00Z',
    ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
  ],
  [
    'the hour that is repeated',
    daily('30 2 * * *', 'Europe/Berlin'),
    '2026-10-24T00:00:00Z',
    ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'each half hour of a repeated hour',
    daily('*/30 * * * *', 'Europe/Berlin'),
    '2026-10-25T00:10:00Z',
    ['2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
  ],
  ['29 February', daily('0 0 29 2 *'), '2026-01-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ['the time itself is past', daily('0 3 * * *'), '2026-01-01T03:00:00Z', ['2026-01-02T03:00']],
])('%s', (_name, schedule, from, expected) => {
  expect(times(schedule, from, expected.length)).toEqual(expected);
});

test('a delay is within its limit, the same each time, and not the same for all', () => {
  const schedule = daily('0 3 * * *', 'UTC', { jitterMs: 600_000 });
  const from = new Date('2026-01-01T00:00:00Z');
  const delays = Array.from(
    { length: 50 },
    (_, at) => nextTime(schedule, `stack-${at}`, from).getTime() - Date.parse('2026-01-01T03:00:00Z'),
  );
  expect(delays.every((ms) => ms >= 0 && ms <= 600_000)).toBe(true);
  expect(new Set(delays).size).toBeGreaterThan(40);
  expect(nextTime(schedule, 'stack-7', from)).toEqual(
    new Date(Date.parse('2026-01-01T03:00:00Z') + (delays[7] ?? 0)),
  );
  // No time is left out or comes twice.
  expect(times(schedule, '2026-01-01T00:00:00Z', 3).map((time) => time.slice(0, 10))).toEqual([
    '2026-01-01',
    '2026-01-02',
    '2026-01-03',
  ]);
});

describe('a look', () => {
  const schedule = daily('0 3 * * *');
  const at = (text: string): Date => new Date(`2026-01-${text}:00Z`);
  const first = lookAtSchedule(schedule, 'dev', undefined, at('01T00:00'));

  test('the first one counts the next time', () => {
    expect(first).toEqual({
      due: false,
      mark: { from: '2026-01-01T00:00:00.000Z', next: '2026-01-01T03:00:00.000Z' },
    });
    expect(lookAtSchedule(schedule, 'dev', first.mark, at('01T02:59'))).toEqual({
      due: false,
      mark: first.mark,
    });
  });

  test('missed times are due once', () => {
    const late = lookAtSchedule(schedule, 'dev', first.mark, at('09T12:00'));
    expect(late).toEqual({
      due: true,
      mark: { from: '2026-01-09T12:00:00.000Z', next: '2026-01-10T03:00:00.000Z' },
    });
    expect(lookAtSchedule(schedule, 'dev', late.mark, at('09T12:00')).due).toBe(false);
  });

  test('a clock that is set back counts again', () => {
    const ahead = lookAtSchedule(schedule, 'dev', undefined, at('20T12:00'));
    expect(lookAtSchedule(schedule, 'dev', ahead.mark, at('02T00:00'))).toEqual({
      due: false,
      mark: { from: '2026-01-02T00:00:00.000Z', next: '2026-01-02T03:00:00.000Z' },
    });
  });

  test('a paused one is never due', () => {
    const paused = { ...schedule, paused: true };
    expect(lookAtSchedule(paused, 'dev', first.mark, at('09T12:00'))).toEqual({
      due: false,
      mark: undefined,
    });
  });
});
