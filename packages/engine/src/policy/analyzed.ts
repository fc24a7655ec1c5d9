import { parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { AnalyzedOptions, AnalyzedProvider, AnalyzedResource, AnalyzedStackResource } from '@cairn/wire';
import type { Goal } from '../model/goal.js';

/** Looks up an entry of the stack as it is now. */
export type EntryOf = (urn: Urn) => ResourceEntry | undefined;

/** A registration as packs see it [POL-3]. */
export function analyzedGoal(goal: Goal, inputs: PropertyMap, entryOf: EntryOf): AnalyzedResource {
  const { urn, type, name } = goal;
  return {
    urn,
    type,
    name,
    properties: inputs,
    options: goalOptions(goal),
    provider: analyzedProvider(goal.provider, entryOf),
  };
}

/** What a registration says beside its inputs. */
export function goalOptions(goal: Goal): AnalyzedOptions {
  const { protect, ignoreChanges, deleteBeforeReplace, additionalSecretOutputs, aliases } = goal;
  return {
    protect,
    ignoreChanges,
    deleteBeforeReplace,
    additionalSecretOutputs,
    aliases,
    customTimeouts: goal.customTimeouts,
    parent: goal.parent ?? '',
  };
}

/** An entry of the final state as packs see it [POL-6]; `options`: what its registration said, if it was registered. */
export function analyzedEntry(
  entry: ResourceEntry,
  outputs: PropertyMap,
  options: AnalyzedOptions | undefined,
  entryOf: EntryOf,
): AnalyzedStackResource {
  const { urn, type, parent = '', dependencies, propertyDependencies } = entry;
  return {
    urn,
    type,
    name: urnName(urn),
    properties: outputs,
    options: options ?? entryOptions(entry),
    provider: analyzedProvider(entry.provider, entryOf),
    parent,
    dependencies,
    propertyDependencies,
  };
}

function entryOptions(entry: ResourceEntry): AnalyzedOptions {
  const { protect, ignoreChanges, additionalSecretOutputs, aliases, customTimeouts, parent } = entry;
  return {
    protect,
    ignoreChanges,
    deleteBeforeReplace: undefined,
    additionalSecretOutputs,
    aliases,
    customTimeouts,
    parent: parent ?? '',
  };
}

function analyzedProvider(
  reference: ProviderReference | undefined,
  entryOf: EntryOf,
): AnalyzedProvider | undefined {
  if (reference === undefined) return undefined;
  const { urn } = parseProviderReference(reference);
  const entry = entryOf(urn);
  if (entry === undefined) return undefined;
  return { urn, type: entry.type, name: urnName(urn), properties: entry.inputs ?? emptyMap };
}
