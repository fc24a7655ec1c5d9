import { cronProblem, lookAtSchedule, parseNoticeDuration, zoneProblem } from '@cairn/changes-daemon';
import type { ScheduleAnswer } from '@cairn/http-api';
import { Refusal } from '../refusal.js';
import type { ScheduleRow } from './deployment.js';

/** Refuses an expression that is not valid or never due, an unknown zone, and a delay that is no duration. */
export function checkCron(cron: string, { zone, jitter }: Pick<ScheduleRow, 'zone' | 'jitter'>): void {
  const problem = cronProblem(cron);
  if (problem !== undefined) throw new Refusal(400, `scheduleCron: ${problem}`);
  const fault = zone === undefined ? undefined : zoneProblem(zone);
  if (fault !== undefined) throw new Refusal(400, `cairn.zone: ${fault}`);
  if (jitter !== undefined && parseNoticeDuration(jitter) === undefined)
    throw new Refusal(400, 'cairn.jitter: is no duration such as 90s, 10m or 24h');
}

/** Looks at a schedule: true if it is due, and the row to store. Missed times are due once, together [AGT-5]. */
export function scheduleLook(
  row: ScheduleRow,
  now: Date,
): { readonly due: boolean; readonly row: ScheduleRow } {
  const { mark: before, ...rest } = row;
  if (row.cron === undefined) {
    const due = !row.paused && row.lastExecuted === undefined && Date.parse(row.once ?? '') <= now.getTime();
    return { due, row: due ? { ...row, lastExecuted: now.toISOString() } : row };
  }
  const { cron, zone = 'UTC', jitter = '', paused } = row;
  const schedule = { cron, zone, jitterMs: parseNoticeDuration(jitter) ?? 0, paused };
  const { due, mark } = lookAtSchedule(schedule, row.id, before, now);
  const looked = mark === undefined ? rest : { ...rest, mark };
  return { due, row: due ? { ...looked, lastExecuted: now.toISOString() } : looked };
}

/** Returns the next time of a schedule that was looked at, in milliseconds since 1970. */
export function nextExecution({ cron, once, paused, mark, lastExecuted }: ScheduleRow): number | undefined {
  if (paused) return undefined;
  if (cron !== undefined) return mark && Date.parse(mark.next);
  return lastExecuted === undefined && once !== undefined ? Date.parse(once) : undefined;
}

/** Returns a schedule as the protocol shows it. */
export function scheduleAnswer(row: ScheduleRow, organization: string): ScheduleAnswer {
  const next = nextExecution(row);
  const options =
    row.kind === 'drift'
      ? { remediateIfDriftDetected: row.then }
      : row.kind === 'ttl'
        ? { deleteAfterDestroy: row.then }
        : undefined;
  return {
    ...{ id: row.id, orgID: organization, kind: 'deployment', paused: row.paused },
    ...(row.cron !== undefined && { scheduleCron: row.cron }),
    ...(row.once !== undefined && { scheduleOnce: row.once }),
    ...(next !== undefined && { nextExecution: new Date(next).toISOString() }),
    definition: {
      request: {
        ...{ ...row.settings, operation: row.operation, inheritSettings: true },
        ...(options && { operationContext: { ...(row.settings['operationContext'] as object), options } }),
      },
      programmatic: false,
    },
    ...((row.zone !== undefined || row.jitter !== undefined) && {
      cairn: {
        ...(row.zone !== undefined && { zone: row.zone }),
        ...(row.jitter !== undefined && { jitter: row.jitter }),
      },
    }),
    ...{ created: row.created, modified: row.modified },
    ...(row.lastExecuted !== undefined && { lastExecuted: row.lastExecuted }),
  };
}
