import { noUpdate } from '../domain/admission.js';
import type { FoundUpdate } from '../domain/admission.js';
import type { StackStore, UpdateName } from '../store/service-store.js';

/** Returns an update. Refuses one that does not exist. */
export async function knownUpdate(store: StackStore, update: UpdateName): Promise<FoundUpdate> {
  checkUpdateId(update.id);
  return (await store.findUpdate(update)) ?? noUpdate();
}

/** Refuses a text that is no id of an update: stores do not take it. */
export function checkUpdateId(id: string): void {
  if (!UUID.test(id)) noUpdate();
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
