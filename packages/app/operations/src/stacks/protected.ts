import type { Backend, StackId } from '@cairn/backends';
import { closure, eachReference } from '@cairn/state';
import type { SerializedResource } from '@cairn/state';

/** Counts the resources of a stack that remain because some are protected: those, and everything they need. */
export async function countKept(backend: Backend, id: StackId): Promise<number> {
  const { deployment } = await backend.read(id, { integrity: 'skip' });
  const entries = (deployment?.resources ?? []).filter((entry) => entry.delete !== true);
  const byUrn = new Map<string, SerializedResource>(entries.map((entry) => [entry.urn, entry]));
  const kept = entries.filter((entry) => entry.protect === true);
  return closure(kept, (entry, enter) =>
    eachReference<string>(entry, (urn) => {
      const needed = byUrn.get(urn);
      if (needed !== undefined) enter(needed);
    }),
  ).size;
}
