import { ofRequest } from '../domain/request-fault.js';
import { Refusal } from '../domain/refusal.js';
import { readDocument } from '../domain/fold.js';
import type { TakenChange } from '../store/change-store.js';
import type { TurnPorts } from './service-ports.js';
import { releaseLock, lockServedStack } from './stack-locks.js';
import { recordOf } from './stack-records.js';
import type { StackId } from '@cairn/backends';

/** Change that ended elsewhere, without the id of the update that represents it here. */
export type ImportedChange = Omit<TakenChange, 'lock'>;

/**
 * Adds a change that has ended under its number [STORE-24]. Adding the same one again changes nothing. Refuses another
 * one of the same number (409). Runs in the turn of the stack, while no update runs.
 */
export async function addEndedChange(
  ports: TurnPorts,
  stack: StackId,
  change: ImportedChange,
): Promise<void> {
  const { store, newId } = ports;
  const { base, by, number } = change;
  if (base !== undefined) ofRequest(() => readDocument(base, 'the state before the change'));
  const { id: stackId } = await recordOf(ports, stack);
  const note = { ...stack, stackId, id: newId() };
  await lockServedStack(store, note, `import of a change by ${by} through the state service`);
  try {
    const outcome = await store.takeChange({ stack, stackId }, { ...change, lock: note.id });
    if (outcome === 'taken') throw new Refusal(409, `Change ${number} of the stack is another operation.`);
  } finally {
    await releaseLock(store, note);
  }
}
