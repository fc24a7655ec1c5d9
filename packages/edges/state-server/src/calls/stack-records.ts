import type { NotedState, StackId } from '@cairn/backends';
import { Refusal } from '../domain/refusal.js';
import type { StackRecord } from '../store/service-store.js';
import type { TurnPorts } from './service-ports.js';

/** Returns a record for a stack that is new to the service. */
export async function newStackRecord({ newId, keys }: TurnPorts): Promise<StackRecord> {
  const id = newId();
  return { id, key: await keys.create(id) };
}

/**
 * Returns the record of a stack. A stack that was made directly in the bucket gets its record here. Refuses a stack
 * that does not exist. Runs in the stack's turn.
 */
export async function recordOf(ports: TurnPorts, stack: StackId): Promise<StackRecord> {
  const { store } = ports;
  if (!(await store.stackExists(stack))) throw unknownStack(stack);
  const known = await store.stackRecord(stack);
  if (known !== undefined) return known;
  const record = await newStackRecord(ports);
  await store.putStackRecord(stack, record);
  return record;
}

/** News of a stack: its newest update, or the state that was stored. */
interface StackNews {
  readonly latest?: string;
  readonly stored?: NotedState | undefined;
  /** True if the mark that the store has lost something stays. */
  readonly keepsMark: boolean;
}

/** Notes what is new about a stack. Runs in the stack's turn. */
export async function noteNews(ports: TurnPorts, stack: StackId, news: StackNews): Promise<void> {
  const record = await recordOf(ports, stack);
  const { latest, stored, keepsMark } = news;
  await ports.store.putStackRecord(stack, {
    ...record,
    ...(latest !== undefined && { latest }),
    ...(stored !== undefined && { stored: following(record.stored, stored) }),
    ...(!keepsMark && { lost: undefined }),
  });
}

/**
 * Returns the note of a state that was stored. One that was there already, because an interrupted call stored it,
 * replaced the one that was noted before.
 */
function following(before: NotedState | undefined, noted: NotedState): NotedState {
  const isSame = noted.replaced === undefined && before?.version === noted.version;
  return {
    ...noted,
    replaced: isSame ? before.replaced : noted.replaced,
    stamp: noted.stamp ?? before?.stamp,
  };
}

/** Returns the refusal of a stack that does not exist. */
export function unknownStack({ stack }: StackId): Refusal {
  return new Refusal(404, `Stack '${stack}' not found.`);
}
