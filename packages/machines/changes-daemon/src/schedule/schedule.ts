import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { messageOf } from '@cairn/diagnostics';

/** Times at which something is due. */
export interface Schedule {
  /** Cron expression of five fields. */
  readonly cron: string;
  /** IANA zone by whose clock it counts. */
  readonly zone: string;
  /** Longest delay after each time, in milliseconds, so that not everything begins at once. */
  readonly jitterMs: number;
  /** True while nothing is due. */
  readonly paused: boolean;
}

/** Stored state of a schedule: the time from which the next one was counted, and that next time. */
export interface ScheduleMark {
  readonly from: string;
  readonly next: string;
}

/** Result of a look at a schedule: true if it is due, and the mark to store. */
interface ScheduleLook {
  readonly due: boolean;
  /** `undefined` while the schedule is paused. */
  readonly mark: ScheduleMark | undefined;
}

/** Returns why a text is no zone, or `undefined` if it is one. */
export function zoneProblem(zone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return undefined;
  } catch {
    return `names no time zone: ${JSON.stringify(zone)}`;
  }
}

/** Returns why a text is no cron expression, or `undefined` if it is one that is due some time. */
export function cronProblem(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/).length;
  if (fields !== 5)
    return `must have five fields (minute, hour, day, month, weekday), not ${cron.trim() === '' ? 0 : fields}`;
  try {
    const next = new Cron(cron, { paused: true, mode: '5-part', timezone: 'UTC' }).nextRun(FIRST);
    return next === null ? 'is never due' : undefined;
  } catch (thrown) {
    return messageOf(thrown).replace(/^CronPattern: /, 'is not valid: ');
  }
}

/** Leap years and weekdays repeat, so a look from any time finds the dates that exist. */
const FIRST = new Date('2026-01-01T00:00:00Z');

/**
 * Returns the first time after another one, with its delay. `name` spreads schedules: the delay of a time is always the
 * same for a name. An hour that the clock skips is due at its end; a time in a repeated hour is due once, unless the
 * hour field is a star [AGT-5].
 */
export function nextTime(schedule: Schedule, name: string, after: Date): Date {
  const cron = new Cron(schedule.cron, { paused: true, mode: '5-part', timezone: schedule.zone });
  let from = new Date(after.getTime() - schedule.jitterMs);
  for (;;) {
    const base = cron.nextRun(from);
    // A valid expression has dates until the calendar of the library ends.
    if (base === null) return new Date(8.64e15);
    const time = new Date(base.getTime() + delayOf(schedule, name, base));
    if (time.getTime() > after.getTime()) return time;
    from = base;
  }
}

/**
 * Looks at a schedule. Times that were missed are due once, together. If the clock was set back behind the time from
 * which the next one was counted, the next one is counted again.
 */
export function lookAtSchedule(
  schedule: Schedule,
  name: string,
  mark: ScheduleMark | undefined,
  now: Date,
): ScheduleLook {
  if (schedule.paused) return { due: false, mark: undefined };
  const again = (): ScheduleMark => ({
    from: now.toISOString(),
    next: nextTime(schedule, name, now).toISOString(),
  });
  if (mark === undefined || Date.parse(mark.from) > now.getTime()) return { due: false, mark: again() };
  return Date.parse(mark.next) <= now.getTime() ? { due: true, mark: again() } : { due: false, mark };
}

function delayOf({ jitterMs }: Schedule, name: string, base: Date): number {
  if (jitterMs === 0) return 0;
  const digest = createHash('sha256').update(`${name} ${base.getTime()}`).digest();
  return digest.readUInt32BE(0) % (jitterMs + 1);
}
