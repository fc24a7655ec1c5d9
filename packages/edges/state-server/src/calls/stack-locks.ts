import { isCairnError } from '@cairn/diagnostics';
import { MATCHED_TEXTS } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';
import type { OtherHolder, RunningNote, StackStore } from '../store/service-store.js';

/**
 * Locks a stack for an update. The note comes first, so that a restart finds the lock. Refuses a stack that is locked.
 */
export async function lockServedStack(store: StackStore, note: RunningNote, reason: string): Promise<void> {
  await store.notes?.put(note);
  try {
    await store.lock(note, note.id, reason);
  } catch (thrown) {
    await store.notes?.remove(note.id);
    const found = isCairnError(thrown) ? thrown.diagnostics[0] : undefined;
    if (found?.code !== 'CAIRN-STATE-LOCKED') throw thrown;
    // The causes name the lock with the place of the store, which clients do not need.
    const holder = await store.otherHolder(note);
    throw anotherUpdate(holder === undefined ? found.summary : `It is locked by ${describedHolder(holder)}.`);
  }
}

function describedHolder({ by, since, reason }: OtherHolder): string {
  const text = `${by} since ${new Date(since * 1000).toISOString()}`;
  return reason === undefined ? text : `${text}: ${reason}`;
}

/** Removes the lock of an update and then its note. May be repeated. */
export async function releaseLock(store: StackStore, note: RunningNote): Promise<void> {
  await store.unlock(note, note.id);
  await store.notes?.remove(note.id);
}

/** Returns the refusal of a second update, with the text that clients match. */
export function anotherUpdate(more: string): Refusal {
  return new Refusal(409, `${MATCHED_TEXTS.anotherUpdate} ${more}`);
}
