import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { goJson } from '../values/go-json.js';
import type { Json } from '../values/go-json.js';
import { integrityFaults } from '../document/integrity.js';
import type { IntegrityFault } from '../document/integrity.js';
import { manifestMagic } from '../document/manifest.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { followPruned, prune } from './prune.js';
import type { PrunedEntry } from './prune.js';
import type { EditedEntry, StateEdit } from './state-edit.js';
import { toposort } from '../graph/toposort.js';

/**
 * Result of `state repair`. `faults` are all errors of the state; if it is valid, there are none and nothing changes.
 */
export interface Repair extends StateEdit {
  readonly faults: readonly IntegrityFault[];
}

/**
 * Repairs a damaged state [INT-7]. An entry that exists twice with the same content is deleted once. Entries are
 * sorted, references to missing entries are removed, and a manifest that does not match its magic gets the right one.
 *
 * Throws `CAIRN-STATE-INTEGRITY` when the state is not valid afterwards, or has a cycle: such faults need a person who
 * knows the intended state. Needs no passphrase.
 */
export function repairState(deployment: SerializedDeployment): Repair {
  const faults = integrityFaults(deployment);
  if (faults.length === 0) return { deployment, changed: [], notes: [], faults };
  const single = withoutTwins(deployment.resources);
  const sorted = toposort(single.resources, 'refuse');
  const { resources, pruned } = prune(sorted);
  const { manifest } = deployment;
  const repaired = {
    ...deployment,
    ...followPruned(deployment, pruned),
    manifest: { ...manifest, magic: manifestMagic(manifest.version) },
    resources,
    integrityError: undefined,
  };
  const left = integrityFaults(repaired);
  if (left.length > 0) throw beyondRepair(left);
  const moved = movedOnes(single.resources, sorted);
  return {
    deployment: repaired,
    changed: [...markRow(deployment), ...single.changed, ...moved, ...prunedRows(pruned)],
    notes: [],
    faults,
  };
}

function markRow({ manifest }: SerializedDeployment): readonly EditedEntry[] {
  if (manifest.magic === manifestMagic(manifest.version)) return [];
  return [{ what: 'renew', urn: '', why: "the manifest's mark, which does not match its version" }];
}

function beyondRepair(left: readonly IntegrityFault[]): CairnError {
  return cairnError('CAIRN-STATE-INTEGRITY', `the state cannot be repaired: ${left[0]?.problem ?? ''}`, {
    causes: left.map(({ number, problem }) => `integrity rule ${number}: ${problem}`),
    hint: 'Nothing was changed. Repair the rest by hand with `cairn state edit --disable-integrity-checking` or `cairn state delete --disable-integrity-checking`, or restore the state from its .bak copy or a backup.',
  });
}

/** Merges two live entries with one URN and exactly the same content. */
function withoutTwins(resources: readonly SerializedResource[]): {
  readonly resources: readonly SerializedResource[];
  readonly changed: readonly EditedEntry[];
} {
  const live = new Map<string, SerializedResource>();
  const changed: EditedEntry[] = [];
  const kept = resources.filter((resource) => {
    if (resource.delete === true) return true;
    const twin = live.get(resource.urn);
    live.set(resource.urn, twin ?? resource);
    if (twin === undefined || textOf(twin) !== textOf(resource)) return true;
    changed.push({ what: 'delete', urn: resource.urn, why: 'it is an exact duplicate' });
    return false;
  });
  return { resources: kept, changed };
}

function textOf(resource: SerializedResource): string {
  return goJson(resource as unknown as Json);
}

/** Returns the entries that had to wait for another one: those that follow an entry that they preceded. */
function movedOnes(
  before: readonly SerializedResource[],
  after: readonly SerializedResource[],
): readonly EditedEntry[] {
  const places = new Map(before.map((resource, index) => [resource, index]));
  let furthest = -1;
  const moved: EditedEntry[] = [];
  for (const resource of after) {
    const place = places.get(resource) ?? 0;
    if (place < furthest)
      moved.push({ what: 'put in order', urn: resource.urn, why: 'after what it refers to' });
    furthest = Math.max(furthest, place);
  }
  return moved;
}

function prunedRows(pruned: readonly PrunedEntry[]): readonly EditedEntry[] {
  return pruned.flatMap(({ urn, to, lost }): readonly EditedEntry[] => [
    ...(lost.length === 0 ? [] : [{ what: 'take out references' as const, urn, why: lost.join(', ') }]),
    ...(to === undefined ? [] : [{ what: 'rename' as const, urn, to, why: 'it now has another parent' }]),
  ]);
}
