import * as v from 'valibot';

/** Name of the capability of a service that keeps the records of changes. Only our own services have it. */
export const CHANGES_CAPABILITY = 'cairn-changes';

/** Most messages to one change. */
export const MOST_MESSAGES = 1000;
/** Latest time that a change can have begun, in seconds since 1970: the last one of the year 9999. */
const MOST_SECONDS = 253_402_300_799;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const ChangeName = v.pipe(v.string(), v.regex(/^\d{8,15}$/, 'has to be the name of a change'));
const TaskId = v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'has to be the number of a task'));

const continues = v.optional(
  v.object({ change: ChangeName, how: v.picklist(['resume', 'rollback', 'resolve', 'edit']) }),
);
const status = v.picklist([
  ...(['abort', 'undoing', 'undo', 'doing', 'do', 'wait', 'error', 'undone', 'done', 'hold'] as const),
]);
const tasks = v.object({
  ...{ total: Count, done: Count, undone: Count, failed: Count },
  ...{ held: Count, waiting: Count, doubt: Count },
});

/** Process of an operation, as its lock on a bucket names it. */
const ChangeProcess = v.object({
  pid: Count,
  hostname: v.string(),
  machine: v.optional(v.string()),
  started: v.optional(v.string()),
});

/** Description of a change, besides what every update has. It comes with the creation of its update. */
export const ChangeRequest = v.object({
  operation: v.picklist(['up', 'destroy', 'refresh', 'import', 'rollback', 'resolve']),
  continues,
  options: v.optional(v.unknown()),
  goalKey: v.optional(v.string()),
  process: ChangeProcess,
});

export type ChangeRequest = v.InferOutput<typeof ChangeRequest>;

/** End of a change. It comes with the end of its update, and may say more about it. */
export const ChangeEndRequest = v.object({
  result: v.picklist(['succeeded', 'failed', 'waiting', 'rolled-back']),
  status,
  tasks,
  message: v.optional(v.string()),
  environment: v.optional(v.record(v.string(), v.string())),
  /** Order of the resources, as positions in the result of the journal. */
  order: v.optional(v.array(Count)),
  /** Number of journal entries that the service has acknowledged. */
  entries: v.optional(Count),
});

export type ChangeEndRequest = v.InferOutput<typeof ChangeEndRequest>;

const by = v.string();

/** Message to a change. */
export const ChangeMessageRequest = v.variant('t', [
  v.object({ t: v.literal('abort'), rollback: v.boolean(), by }),
  v.object({ t: v.literal('approve'), task: TaskId, by }),
  v.object({
    t: v.literal('resolve'),
    task: TaskId,
    answer: v.union([
      v.literal('not-created'),
      v.object({ created: v.pipe(v.string(), v.nonEmpty()) }),
      v.literal('not-done'),
      v.object({ done: v.literal(true) }),
    ]),
    by,
  }),
]);

/**
 * Request that adds a change which has ended, under its number. `operation` and `end` are the files of its journal.
 * `states` names the states that it started from and left, `base` is the export document of the first, if it is known.
 * Records have their entries; they and the document are passed on as text.
 */
export const ImportChangeRequest = v.object({
  operation: v.object({
    ...ChangeProcess.entries,
    username: v.optional(v.string()),
    kind: v.picklist(['update', 'refresh', 'destroy', 'resource-import', 'preview', 'import', 'rename']),
    message: v.string(),
    startTime: v.pipe(Count, v.maxValue(MOST_SECONDS)),
    environment: v.record(v.string(), v.string()),
    config: v.record(v.string(), v.unknown()),
    operation: v.optional(v.picklist(['up', 'destroy', 'refresh', 'import', 'rollback', 'resolve', 'edit'])),
    continues,
    options: v.optional(v.unknown()),
    goalKey: v.optional(v.string()),
    claims: v.optional(v.array(v.object({ key: v.string(), mode: v.picklist(['exclusive', 'shared']) }))),
    closed: v.optional(Count),
  }),
  end: v.object({
    result: v.picklist(['succeeded', 'failed', 'interrupted', 'nothing', 'waiting', 'rolled-back']),
    status: v.optional(status),
    tasks: v.optional(tasks),
    ended: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    same: v.optional(v.literal(true)),
    setAside: v.optional(v.literal(true)),
  }),
  states: v.object({ base: v.string(), left: v.optional(v.string()) }),
  messages: v.pipe(v.array(v.record(v.string(), v.unknown())), v.maxLength(MOST_MESSAGES)),
  records: v.array(v.unknown()),
  base: v.optional(v.unknown()),
});

export type ImportChangeRequest = v.InferOutput<typeof ImportChangeRequest>;

/** Number of a change, and the digest of the state that it starts from. It comes with the start of its update. */
export const StartedChange = v.object({ number: Count, base: v.string() });

export type StartedChange = v.InferOutput<typeof StartedChange>;

/** Answer about the capabilities of a service. */
export const CapabilitiesBody = v.object({
  capabilities: v.nullish(v.array(v.object({ capability: v.string() })), []),
});

/**
 * Changes of a stack, oldest first, without their records: the files of a journal in a bucket. `running` is the update
 * that runs.
 */
export const ChangesBody = v.object({
  running: v.nullish(v.string()),
  changes: v.array(
    v.object({
      number: Count,
      operation: v.looseObject({}),
      sealed: v.nullish(v.looseObject({})),
    }),
  ),
});

/** Records of a change, in order. An entry that the journal has is its sequence id in a record, and is in `entries`. */
export const RecordsBody = v.object({
  records: v.array(v.record(v.string(), v.unknown())),
  entries: v.array(v.record(v.string(), v.unknown())),
});

/** Messages to a change, in order of arrival. */
export const MessagesBody = v.object({ messages: v.array(v.record(v.string(), v.unknown())) });
