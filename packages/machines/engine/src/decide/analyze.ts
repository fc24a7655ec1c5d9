import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { Goal } from '../model/goal.js';
import { brokenByResource } from '../model/policy.js';
import type { Facts } from './facts.js';
import { refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/**
 * Lets the policy packs analyze and correct the checked inputs before any decision [POL-2]. Refuses a resource that
 * breaks a mandatory policy. A preview collects these errors instead.
 */
export function analyzeInputs(facts: Facts): Verdict | undefined {
  const { goal, answers, policy } = facts;
  if (policy.analyzed !== true) return undefined;
  if (answers.analysis === undefined) {
    const inputs = answers.check?.inputs ?? goal.inputs;
    return { t: 'ask', question: { t: 'analyze', goal, inputs, again: false } };
  }
  const notes = policyNotes(facts);
  return notes.length === 0 || policy.preview ? undefined : refuse(...notes);
}

/**
 * Does the same as {@link analyzeInputs} for a resource that remains unchanged. Policy packs see it with the inputs,
 * options and provider from state. Their corrections are discarded [TGT-5].
 */
export function analyzeAsItIs(facts: Facts, prior: ResourceEntry): Verdict | undefined {
  const { inputs, provider, parent, protect, ignoreChanges, additionalSecretOutputs, aliases } = prior;
  const { customTimeouts } = prior;
  const goal: Goal = {
    ...facts.goal,
    inputs,
    provider,
    parent,
    protect,
    ignoreChanges,
    deleteBeforeReplace: undefined,
    additionalSecretOutputs,
    aliases,
    customTimeouts,
  };
  return analyzeInputs({ ...facts, goal });
}

/** Returns the errors of a resource that breaks mandatory policies, which a preview collects. */
export function policyNotes({ goal, answers }: Facts): readonly Diagnostic[] {
  return brokenByResource(goal.urn, answers.analysis?.mandatory ?? []);
}
