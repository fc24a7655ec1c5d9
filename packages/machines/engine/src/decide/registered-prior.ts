import { isProviderType, parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { eachReference, walk, withEntry } from '@cairn/state';
import type { Next, ResourceEntry } from '@cairn/state';
import type { ReadGoal } from '../model/goal.js';
import { changedEntry } from '../model/make-step.js';
import { checkedInputs } from './check-inputs.js';
import { askProviderChange, providerChange } from './compare.js';
import type { Facts, ReadFacts } from './facts.js';
import type { Question } from './verdict.js';

/** Entry whose object and references remain unchanged, or the question that decides which provider manages it. */
type RegisteredPrior =
  { readonly t: 'kept'; readonly entry: ResourceEntry } | { readonly t: 'ask'; readonly question: Question };

/**
 * Returns the prior entry with the name, type and provider of its registration. Everything else remains unchanged:
 * inputs and dependencies. Precondition: there is a prior entry.
 */
export function registeredPrior(facts: Facts, prior: ResourceEntry): RegisteredPrior {
  const provider = managingProvider(facts, prior);
  if (provider === 'ask') {
    const asked = askProviderChange(facts);
    return asked.t === 'ask' ? asked : { t: 'kept', entry: renamed(facts, prior) };
  }
  return { t: 'kept', entry: withEntry(renamed(facts, prior), { provider }) };
}

/**
 * Returns the entry of a resource that stays. When goals are applied, it has everything from the goal. When the program
 * only looks or leaves, it has the goal's settings [REF-5] [DEL-7], in the place of the prior entry.
 */
export function resultingEntry(facts: Facts, prior: ResourceEntry): ResourceEntry {
  const inputs = checkedInputs(facts);
  if (facts.policy.mode === 'apply') return changedEntry(facts.goal, inputs, facts.oldUrn, prior);
  return withEntry(renamed(facts, prior), { inputs });
}

/**
 * Returns the entry with the goal's settings for its delete [DEL-7]. An object that depends on this one cannot be
 * deleted before it.
 */
export function withDeleteSettings(facts: Facts, entry: ResourceEntry): ResourceEntry {
  const { protect, retainOnDelete, deletedWith, customTimeouts, resourceHooks } = facts.goal;
  const isNew = deletedWith !== undefined && deletedWith !== entry.deletedWith;
  return withEntry(entry, {
    ...{ protect, retainOnDelete, customTimeouts, resourceHooks },
    deletedWith: isNew && leadsBack(facts, deletedWith) ? entry.deletedWith : deletedWith,
  });
}

/**
 * Returns the goal of a read with the references of its prior entry, if any, when the program only looks or leaves
 * [REF-5] [DEL-7]. Managed resources keep theirs, so the goal's references could lead back to the read.
 */
export function readInPlace(facts: ReadFacts): ReadGoal {
  const { goal, prior, policy } = facts;
  if (policy.mode === 'apply' || prior === undefined) return goal;
  const { parent, dependencies } = renamed(facts, prior);
  const { provider } = goal;
  const isNew = provider !== undefined && provider !== prior.provider;
  const leadsHere = isNew && leadsBack(facts, parseProviderReference(provider).urn);
  return { ...goal, parent, dependencies, provider: leadsHere ? prior.provider : provider };
}

/** Returns true if the goal's name for a prior entry puts it below a resource that depends on it. */
export function isBelowItself(facts: Facts): boolean {
  const { goal, prior } = facts;
  return (
    prior !== undefined && isRenamed(facts) && goal.parent !== undefined && leadsBack(facts, goal.parent)
  );
}

function renamed(facts: Facts | ReadFacts, prior: ResourceEntry): ResourceEntry {
  const { goal, oldUrn } = facts;
  if (oldUrn === undefined || !isRenamed(facts)) return prior;
  return withEntry(prior, {
    urn: goal.urn,
    type: goal.type,
    parent: storedParent(facts),
    aliases: [oldUrn],
  });
}

/**
 * Returns the parent under its name in state. A parent that was left out keeps its stored URN. If state has none, its
 * own parent takes its place.
 */
function storedParent({ goal, view, entries }: Facts | ReadFacts): Urn | undefined {
  let { parent } = goal;
  while (parent !== undefined && view.progress(parent) === 'left-out') {
    const stored = view.oldUrn(parent) ?? parent;
    if (entries.live(stored) !== undefined) return stored;
    parent = view.leftOutParent(parent);
  }
  return parent;
}

function isRenamed({ goal, oldUrn }: Facts | ReadFacts): boolean {
  return oldUrn !== undefined && oldUrn !== goal.urn;
}

/**
 * Returns the provider that manages the object. This is the program's provider, unless it would need another object
 * [DIFF-12], depends on this one or was left out of the run.
 */
function managingProvider(facts: Facts, prior: ResourceEntry): ProviderReference | undefined | 'ask' {
  const { goal } = facts;
  if (
    goal.provider === undefined ||
    goal.provider === prior.provider ||
    !prior.custom ||
    isProviderType(goal.type)
  ) {
    return prior.provider;
  }
  const { urn } = parseProviderReference(goal.provider);
  if (facts.view.progress(urn) === 'left-out' || leadsBack(facts, urn)) return prior.provider;
  if (prior.provider === undefined) return goal.provider;
  const change = providerChange(facts);
  if (change === 'ask') return 'ask';
  return change === 'replace' ? prior.provider : goal.provider;
}

/** Returns true if references from a URN lead back to the resource itself. O(V+E), called only for a new reference. */
function leadsBack({ goal, oldUrn, view, entries }: Facts | ReadFacts, from: Urn): boolean {
  const next: Next<Urn> = (urn, enter) => {
    const entry = view.entry(urn) ?? entries.live(view.oldUrn(urn) ?? urn)?.entry;
    if (entry !== undefined) eachReference(entry, enter);
  };
  for (const urn of walk([from], next)) if (urn === goal.urn || urn === oldUrn) return true;
  return false;
}
