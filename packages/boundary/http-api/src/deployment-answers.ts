import * as v from 'valibot';

/** Schedule as any service of the protocol shows it. Times are RFC 3339. */
export const ScheduleBody = v.looseObject({
  id: v.string(),
  scheduleCron: v.nullish(v.string()),
  scheduleOnce: v.nullish(v.string()),
  nextExecution: v.nullish(v.string()),
  lastExecuted: v.nullish(v.string()),
  paused: v.nullish(v.boolean(), false),
  created: v.string(),
  /** Our own member. */
  cairn: v.nullish(v.looseObject({ zone: v.nullish(v.string()), jitter: v.nullish(v.string()) })),
  definition: v.looseObject({
    request: v.nullish(
      v.looseObject({
        operation: v.nullish(v.string(), 'update'),
        operationContext: v.nullish(
          v.looseObject({
            options: v.nullish(
              v.looseObject({
                remediateIfDriftDetected: v.nullish(v.boolean()),
                deleteAfterDestroy: v.nullish(v.boolean()),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
});

/** Schedules of a stack. */
export const SchedulesBody = v.looseObject({ schedules: v.nullish(v.array(ScheduleBody), []) });

/** Our own member of looks for drift: the objects that differ. */
const DriftMembers = v.nullish(
  v.looseObject({
    resources: v.array(
      v.looseObject({
        urn: v.string(),
        kind: v.string(),
        keys: v.array(v.string()),
        says: v.nullish(v.array(v.string())),
        since: v.string(),
      }),
    ),
  }),
);

/** Last look for drift of a stack. */
export const DriftStatusBody = v.looseObject({
  driftDetected: v.nullish(v.boolean(), false),
  latestDriftRun: v.nullish(v.string(), ''),
  runInProgress: v.nullish(v.boolean(), false),
  cairn: DriftMembers,
});

/** One look for drift. */
export const DriftRunBody = v.looseObject({
  id: v.string(),
  created: v.string(),
  status: v.string(),
  driftDetected: v.nullish(v.boolean(), false),
  deploymentVersion: v.nullish(v.number()),
  detectUpdate: v.nullish(v.looseObject({ resourceChanges: v.nullish(v.record(v.string(), v.number())) })),
  cairn: DriftMembers,
});

/** Page of looks for drift, newest first. */
export const DriftRunsBody = v.looseObject({
  driftRuns: v.nullish(v.array(DriftRunBody), []),
  total: v.nullish(v.number(), 0),
});
