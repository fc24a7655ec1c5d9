import { isProviderType, parseProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { eachReference, walk, withEntry } from '@cairn/state';
import type { Next, ResourceEntry } from '@cairn/state';
import { goalEntry } from '../model/make-step.js';
import { checkedInputs } from './check-inputs.js';
import { askProviderChange, providerChange } from './compare.js';
import type { Facts } from './facts.js';
import type { Question } from './verdict.js';

/** An entry whose object and references stay as they are, or the question whose answer says which provider has it. */
type RegisteredPrior =
  { readonly t: 'kept'; readonly entry: ResourceEntry } | { readonly t: 'ask'; readonly question: Question };

/**
 * The prior entry under the name, type and provider that its registration gives it; everything else stays as it was:
 * inputs, and what it depends on. Precondition: there is a prior entry.
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
 * The entry that a resource which stays gets: when goals are applied, all that the goal says; when the program only
 * looks or leaves, its settings [REF-5] [DEL-7], in the place that the entry has.
 */
export function resultingEntry(facts: Facts, prior: ResourceEntry): ResourceEntry {
  const inputs = checkedInputs(facts);
  if (facts.policy.mode === 'apply') return goalEntry(facts.goal, inputs, facts.oldUrn);
  return withEntry(renamed(facts, prior), { inputs });
}

/** Whether the name that the goal gives to a prior entry puts it below something that depends on it. */
export function isBelowItself(facts: Facts): boolean {
  const { goal, prior } = facts;
  return (
    prior !== undefined && isRenamed(facts) && goal.parent !== undefined && leadsBack(facts, goal.parent)
  );
}

function renamed(facts: Facts, prior: ResourceEntry): ResourceEntry {
  const { goal, oldUrn } = facts;
  if (oldUrn === undefined || !isRenamed(facts)) return prior;
  return withEntry(prior, {
    urn: goal.urn,
    type: goal.type,
    parent: storedParent(facts),
    aliases: [oldUrn],
  });
}

/** The parent by the name that state knows it by: what was left out keeps the one it has, or is not there at all. */
function storedParent({ goal, view, entries }: Facts): Urn | undefined {
  let { parent } = goal;
  while (parent !== undefined && view.progress(parent) === 'left-out') {
    const stored = view.oldUrn(parent) ?? parent;
    if (entries.live(stored) !== undefined) return stored;
    parent = view.leftOutParent(parent);
  }
  return parent;
}

function isRenamed({ goal, oldUrn }: Facts): boolean {
  return oldUrn !== undefined && oldUrn !== goal.urn;
}

/**
 * The provider that looks after the object: the one that the program names, unless it would need another object
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

/** Whether following references from a URN comes to the resource itself. O(V+E), met only where a reference is new. */
function leadsBack({ goal, oldUrn, view, entries }: Facts, from: Urn): boolean {
  const next: Next<Urn> = (urn, enter) => {
    const entry = view.entry(urn) ?? entries.live(view.oldUrn(urn) ?? urn)?.entry;
    if (entry !== undefined) eachReference(entry, enter);
  };
  for (const urn of walk([from], next)) if (urn === goal.urn || urn === oldUrn) return true;
  return false;
}
