import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { Goal } from '../model/goal.js';
import { brokenByResource } from '../model/policy.js';
import type { Facts } from './facts.js';
import { refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/**
 * Lets the policy packs look at the checked inputs, and correct them, before anything is decided [POL-2]. A resource
 * that breaks a mandatory policy is refused; preview collects that.
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
 * {@link analyzeInputs} of a resource that stays as it was: policy packs see it with the inputs, options and provider
 * it has in state, and what they correct is not kept [TGT-5].
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

/** What preview collects about a resource that breaks mandatory policies. */
export function policyNotes({ goal, answers }: Facts): readonly Diagnostic[] {
  return brokenByResource(goal.urn, answers.analysis?.mandatory ?? []);
}
