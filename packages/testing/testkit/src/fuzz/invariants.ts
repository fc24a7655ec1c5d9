import { isProviderType } from '@cairn/addresses';
import type { EngineEvent } from '@cairn/engine';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { OUTSIDE } from './scripted-world.js';
import type { ScriptedWorld } from './scripted-world.js';

/**
 * Returns objects that left the state without a delete by the provider. The entry of each gives a reason: retained,
 * deleted with another one, external.
 */
export function released(events: readonly EngineEvent[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.t !== 'step-ended' || event.planning) continue;
    const { old, kind } = event.step;
    if (old === undefined || !REMOVES.has(kind)) continue;
    if (old.retainOnDelete || old.deletedWith !== undefined || old.external) ids.add(old.id);
  }
  return ids;
}

const REMOVES: ReadonlySet<string> = new Set([
  'delete',
  'delete-replaced',
  'read-discard',
  'discard-replaced',
  'remove-pending-replace',
]);

/**
 * Returns the inconsistencies between the snapshot and the outside: unknown objects, and entries without their object.
 */
export function worldFaults(snapshot: Snapshot, world: ScriptedWorld): readonly string[] {
  const known = new Set<string>();
  const faults: string[] = [...world.offences];
  for (const entry of snapshot.resources) {
    if (!ownsObject(entry)) continue;
    if (known.has(entry.id) && !world.excused.has(entry.id) && !isOutside(entry.id))
      faults.push(`two entries own ${entry.id}`);
    known.add(entry.id);
    if (!world.objects.has(entry.id) && !isOutside(entry.id) && !world.excused.has(entry.id)) {
      faults.push(`${entry.urn} owns ${entry.id}, which is not there`);
    }
  }
  for (const id of world.objects.keys()) {
    if (!known.has(id) && !isOutside(id) && !world.excused.has(id)) faults.push(`${id} is an orphan`);
  }
  return faults;
}

/** Tells whether an entry represents an object that a mock provider has created. */
export function ownsObject(entry: ResourceEntry): boolean {
  return (
    entry.custom &&
    !entry.external &&
    !entry.pendingReplacement &&
    entry.id !== '' &&
    !isProviderType(entry.type)
  );
}

function isOutside(id: string): boolean {
  return id.startsWith(OUTSIDE);
}

/**
 * Returns the difference between the live state and its replay, if there is one. A replay rewrites URNs if aliases were
 * used. The order of dependencies has no meaning and does not cause a write.
 */
export function replayFault(live: readonly ResourceEntry[], replayed: Snapshot): string | undefined {
  const renamed = live.some((entry) => entry.aliases.length > 0);
  const shown = (entry: ResourceEntry) =>
    JSON.stringify([
      entry.type,
      entry.id,
      entry.delete,
      entry.pendingReplacement,
      entry.protect,
      entry.external,
      entry.inputs,
      entry.outputs,
      entry.initErrors,
      renamed
        ? []
        : [entry.urn, entry.parent, entry.provider, [...entry.dependencies].sort(), entry.deletedWith],
    ]);
  const expected = live.map(shown);
  const found = replayed.resources.map(shown);
  const at = expected.findIndex((text, index) => text !== found[index]);
  if (at < 0 && expected.length === found.length) return undefined;
  const index = at < 0 ? expected.length : at;
  return `the live state and its replay differ at ${index}: ${expected[index] ?? 'nothing'} and ${found[index] ?? 'nothing'}`;
}
