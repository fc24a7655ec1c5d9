import { isProviderType, makeProviderReference, tokenPackage } from '@cairn/addresses';
import type { ProviderReference } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import { defaultProviderGoal } from '../providers/defaults.js';
import { anyPackage, withoutInternal } from '../providers/package-request.js';
import { goalEntry } from '../model/make-step.js';
import type { OperationConfig, OperationIdentity } from '../model/request.js';
import type { LiveState } from '../record/live-state.js';

/** Entries of a very old state, completed so that each custom one names a provider. */
export interface CompletedState {
  /** Default providers that were not in state. */
  readonly added: readonly ResourceEntry[];
  /** New entries by base index. */
  readonly changed: ReadonlyMap<number, ResourceEntry>;
}

const COMPLETE: CompletedState = Object.freeze({ added: [], changed: new Map() });

/**
 * Completes states that are older than provider resources [PROV-7]. A custom entry without a provider gets the default
 * provider of its package, with settings from the stack's configuration and the version that the file noted. A default
 * provider that is missing is added in front. O(V).
 */
export function completeProviders(
  { resources, pluginVersions = {} }: Snapshot,
  identity: OperationIdentity,
  config: OperationConfig,
  newId: () => string,
): CompletedState {
  if (!resources.some(lacksProvider)) return COMPLETE;
  const recorded = new Map(
    resources
      .filter(({ type, delete: gone }) => isProviderType(type) && !gone)
      .map((each) => [each.urn, each]),
  );
  const references = new Map<string, ProviderReference>();
  const added: ResourceEntry[] = [];
  const changed = new Map<number, ResourceEntry>();
  const referenceOf = (pkg: string): ProviderReference => {
    const known = references.get(pkg);
    if (known !== undefined) return known;
    const version = Object.hasOwn(pluginVersions, pkg) ? (pluginVersions[pkg] as string) : '';
    const goal = defaultProviderGoal({ ...anyPackage(pkg), version }, identity, config);
    const present = recorded.get(goal.urn);
    const entry =
      present ??
      withEntry(goalEntry(goal, goal.inputs, undefined), {
        id: newId(),
        outputs: withoutInternal(goal.inputs),
      });
    if (present === undefined) added.push(entry);
    const reference = makeProviderReference(entry.urn, entry.id);
    references.set(pkg, reference);
    return reference;
  };
  resources.forEach((entry, index) => {
    if (!lacksProvider(entry)) return;
    changed.set(index, withEntry(entry, { provider: referenceOf(tokenPackage(entry.type)) }));
  });
  return { added, changed };
}

/** Returns the entries of a completed state, in snapshot order. O(V). */
export function completedEntries(
  live: LiveState,
  { added, changed }: CompletedState,
): readonly ResourceEntry[] {
  if (changed.size === 0) return live.entries();
  const now = new Map([...changed].map(([index, entry]) => [live.base[added.length + index], entry]));
  return live.cells().map((cell) => now.get(cell) ?? cell.entry);
}

function lacksProvider({ custom, provider, type }: ResourceEntry): boolean {
  return custom && provider === undefined && !isProviderType(type) && tokenPackage(type) !== '';
}
