import type { StackId } from '@cairn/backends';
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

/** Notes the newest update of a stack. Runs in the stack's turn. */
export async function noteLatest(ports: TurnPorts, stack: StackId, latest: string): Promise<void> {
  await ports.store.putStackRecord(stack, { ...(await recordOf(ports, stack)), latest });
}

/** Returns the refusal of a stack that does not exist. */
export function unknownStack({ stack }: StackId): Refusal {
  return new Refusal(404, `Stack '${stack}' not found.`);
}
