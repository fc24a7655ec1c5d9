import * as v from 'valibot';

/** Name of the capability of a service that keeps the records of changes. Only our own services have it. */
export const CHANGES_CAPABILITY = 'cairn-changes';

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const ChangeName = v.pipe(v.string(), v.regex(/^\d{8,15}$/, 'has to be the name of a change'));
const TaskId = v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'has to be the number of a task'));

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
  continues: v.optional(
    v.object({ change: ChangeName, how: v.picklist(['resume', 'rollback', 'resolve', 'edit']) }),
  ),
  options: v.optional(v.unknown()),
  goalKey: v.optional(v.string()),
  process: ChangeProcess,
});

export type ChangeRequest = v.InferOutput<typeof ChangeRequest>;

/** End of a change. It comes with the end of its update, and may say more about it. */
export const ChangeEndRequest = v.object({
  result: v.picklist(['succeeded', 'failed', 'waiting', 'rolled-back']),
  status: v.picklist([
    ...(['abort', 'undoing', 'undo', 'doing', 'do', 'wait', 'error', 'undone', 'done', 'hold'] as const),
  ]),
  tasks: v.object({
    ...{ total: Count, done: Count, undone: Count, failed: Count },
    ...{ held: Count, waiting: Count, doubt: Count },
  }),
  message: v.optional(v.string()),
  environment: v.optional(v.record(v.string(), v.string())),
  /** Order of the resources, as positions in the result of the journal. */
  order: v.optional(v.array(Count)),
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
