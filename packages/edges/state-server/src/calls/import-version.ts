import type { HistoryEntry, RecordedUpdate, StackId, StateText } from '@cairn/backends';
import { Refusal } from '../domain/refusal.js';
import type { StackStore } from '../store/service-store.js';
import type { TurnPorts } from './service-ports.js';
import { releaseLock, lockServedStack } from './stack-locks.js';
import { noteNews, recordOf } from './stack-records.js';

/** Update of the past that another place had. `number` is its version, and the next one of the stack here. */
export interface PastVersion {
  readonly number: number;
  readonly entry: HistoryEntry;
  /** State after it, which becomes that of the stack, if it is known. */
  readonly state: StateText | undefined;
  readonly by: string;
}

/**
 * Adds an update of the past to the history [STORE-17]. Adding the same one again changes nothing. Refuses another one
 * of the same number, and a gap (409). Runs in the turn of the stack, while no update runs.
 */
export async function addPastVersion(
  ports: TurnPorts,
  stack: StackId,
  { number, entry, state, by }: PastVersion,
): Promise<void> {
  const { store, newId } = ports;
  const { id: stackId } = await recordOf(ports, stack);
  const [newest] = await store.history(stack, { size: 1 });
  const next = (newest?.number ?? 0) + 1;
  if (number < next) return checkSame(store, stack, { number, entry, newest: next - 1 });
  if (number > next) throw new Refusal(409, `The next version of the stack is ${next}, not ${number}.`);
  const note = { ...stack, stackId, id: newId() };
  const update: RecordedUpdate = { stamp: stampOf(entry, number), entry };
  await lockServedStack(store, note, `import of the history by ${by} through the state service`);
  try {
    const stored = await (state === undefined
      ? store.recordUpdate(stack, update)
      : store.storeState(stack, note.id, state, update));
    if (stored) await noteNews(ports, stack, { stored, keepsMark: true });
  } finally {
    await releaseLock(store, note);
  }
}

/** Returns the place of an update in the history of a bucket, in nanoseconds since 1970. */
function stampOf({ startTime }: HistoryEntry, number: number): string {
  return String(BigInt(startTime) * 1_000_000_000n + BigInt(number));
}

async function checkSame(
  store: StackStore,
  stack: StackId,
  { number, entry, newest }: Pick<PastVersion, 'number' | 'entry'> & { readonly newest: number },
): Promise<void> {
  const [present] = await store.history(stack, { size: 1, page: newest - number + 1 });
  const isSame =
    present?.kind === entry.kind &&
    present.startTime === entry.startTime &&
    present.endTime === entry.endTime &&
    present.result === entry.result;
  if (!isSame) throw new Refusal(409, `Version ${number} of the stack is another update.`);
}
