import { DriftRunsBody, DriftStatusBody, ScheduleBody, SchedulesBody } from '@cairn/http-api';
import type { ScheduleContent, ScheduleKind, StackSchedules } from '../service-part.js';
import type { StackId } from '../stack-id.js';
import type { ServiceCallName } from './service-calls.js';
import { pathNames } from './service-context.js';
import type { ServiceContext } from './service-context.js';

/** Rows of a page of looks for drift. */
const PAGE = 100;

const CREATES = {
  raw: 'createSchedule',
  drift: 'createDriftSchedule',
  ttl: 'createTtlSchedule',
} as const satisfies Record<ScheduleKind, ServiceCallName>;
const CHANGES = {
  raw: 'changeSchedule',
  drift: 'changeDriftSchedule',
  ttl: 'changeTtlSchedule',
} as const satisfies Record<ScheduleKind, ServiceCallName>;

/** Returns the schedules of a stack of the service, and its looks for drift. */
export function serviceSchedules(context: ServiceContext, id: StackId): StackSchedules {
  const { http } = context;
  const names = pathNames(context, id);
  const of = (schedule: string) => ({ names: { ...names, schedule } });
  return {
    list: async () => (await http.json('listSchedules', SchedulesBody, { names })).schedules ?? [],
    get: (schedule) => http.json('getSchedule', ScheduleBody, of(schedule)),
    create: (content) => http.json(CREATES[content.kind], ScheduleBody, { names, body: bodyOf(content) }),
    change: (schedule, content) =>
      http.json(CHANGES[content.kind], ScheduleBody, { ...of(schedule), body: bodyOf(content) }),
    setPaused: async (schedule, paused) =>
      void (await http.text(paused ? 'pauseSchedule' : 'resumeSchedule', of(schedule))),
    remove: async (schedule) => void (await http.text('removeSchedule', of(schedule))),
    driftStatus: () => http.json('driftStatus', DriftStatusBody, { names }),
    driftRuns: async (most) => {
      const runs = [];
      for (let page = 1; ; page += 1) {
        const query = { page: String(page), pageSize: String(Math.min(PAGE, most)) };
        const { driftRuns, total } = await http.json('driftRuns', DriftRunsBody, { names, query });
        runs.push(...(driftRuns ?? []));
        if ((driftRuns ?? []).length < PAGE || runs.length >= most)
          return { runs: runs.slice(0, most), total: Math.max(total ?? 0, runs.length) };
      }
    },
  };
}

function bodyOf({ kind, cron, once, zone, jitter, operation, also }: ScheduleContent): object {
  const clock = (zone !== undefined || jitter !== undefined) && { cairn: { zone, jitter } };
  if (kind === 'drift') return { scheduleCron: cron, ...clock, autoRemediate: also };
  if (kind === 'ttl') return { timestamp: once, deleteAfterDestroy: also };
  return { scheduleCron: cron, scheduleOnce: once, ...clock, request: { operation, inheritSettings: true } };
}
