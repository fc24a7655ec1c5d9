import type { RecordedUpdate, StackId, StateText } from '@cairn/backends';
import { historyEntryOf } from '../domain/update-info.js';
import type { UpdateEnding, UpdateRecord } from '../domain/update-record.js';
import { seconds } from './service-ports.js';
import type { TurnPorts } from './service-ports.js';
import { releaseLock, lockServedStack } from './stack-locks.js';
import { noteNews, recordOf } from './stack-records.js';

/** Update without a client: an import, or a renaming. */
interface BriefUpdate {
  readonly kind: 'import' | 'rename';
  readonly by: string;
  readonly message: string;
}

/** State that a brief update stores, and the stack that it is of. */
interface BriefResult {
  readonly state: StateText;
  readonly at: StackId;
}

/**
 * Stores the state that `work` returns under the lock of its stack, and records it as an update that succeeded.
 * Resolves with the id of the update. Runs in the turn of the stack, while no update runs.
 */
export async function briefUpdate(
  ports: TurnPorts,
  stack: StackId,
  { kind, by, message }: BriefUpdate,
  work: () => Promise<BriefResult>,
): Promise<string> {
  const { store, now, newId } = ports;
  const { id: stackId } = await recordOf(ports, stack);
  const id = newId();
  const at = seconds(now());
  const ending = { status: 'succeeded', at } as const;
  const record: UpdateRecord = {
    ...{ id, stackId, kind, by, message, environment: {}, config: {}, dryRun: false },
    ...{ status: 'created', createdAt: at, startedAt: at, stamp: await store.stamp(stack) },
  };
  await store.putUpdateRecord(stack, record);
  const result = await work();
  const note = { ...result.at, stackId, id };
  await lockServedStack(store, note, `${kind} of ${by} through the state service`);
  try {
    const stored = await store.storeState(result.at, id, result.state, recorded(record, ending));
    await store.putUpdateRecord(result.at, { ...record, status: 'succeeded', ending });
    await noteNews(ports, result.at, { latest: id, stored, keepsMark: kind !== 'import' });
  } finally {
    await releaseLock(store, note);
  }
  return id;
}

/** Returns an update that ends, as the history records it. */
export function recorded(record: UpdateRecord, ending: UpdateEnding): RecordedUpdate {
  return { stamp: record.stamp ?? '', entry: historyEntryOf(record, ending) };
}
