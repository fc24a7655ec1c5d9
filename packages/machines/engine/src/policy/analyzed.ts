import { parseProviderReference, urnName } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { AnalyzedOptions, AnalyzedProvider, AnalyzedResource, AnalyzedStackResource } from '@cairn/wire';
import type { Goal } from '../model/goal.js';
import { POLICY_OPTIONS, isStored } from '../model/options.js';

/** Looks up an entry of the stack in its present state. */
export type EntryOf = (urn: Urn) => ResourceEntry | undefined;

/** Returns a registration in the form that packs receive [POL-3]. */
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

/** Returns the options of a registration, which it has besides its inputs. */
export function goalOptions(goal: Goal): AnalyzedOptions {
  return { ...picked(POLICY_OPTIONS, goal), parent: goal.parent ?? '' };
}

/**
 * Returns an entry of the final state in the form that packs receive [POL-6]. `options`: those of its registration, if
 * it was registered.
 */
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

/** Returns the options that entries store. An entry's aliases contain the one name under which it was found. */
function entryOptions(entry: ResourceEntry): AnalyzedOptions {
  return {
    ...picked(POLICY_OPTIONS.filter(isStored), entry),
    deleteBeforeReplace: undefined,
    aliases: entry.aliases,
    parent: entry.parent ?? '',
  };
}

function picked<K extends PropertyKey, T extends { readonly [N in K]: unknown }>(
  names: readonly K[],
  from: T,
): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
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
