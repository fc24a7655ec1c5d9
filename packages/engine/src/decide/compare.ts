import { parseProviderReference } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { equalMaps } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { noDiff } from '../steps/step.js';
import type { StepDiff } from '../steps/step.js';
import { checkedInputs } from './check-inputs.js';
import { comparedEntry, isForced } from './facts.js';
import type { Facts } from './facts.js';
import { initErrorsReplace, promoteReplacements, wantsReplacement } from './replace-on-changes.js';
import { replacementTrigger } from './replacement-trigger.js';
import { resolveUnknown, structuralDiff } from './structural-diff.js';
import type { Question } from './verdict.js';

/** How goal and prior entry differ, or what is missing to say so. */
export type Comparison =
  | { readonly t: 'ask'; readonly question: Question }
  | { readonly t: 'refuse'; readonly diagnostic: Diagnostic }
  | { readonly t: 'same' }
  | { readonly t: 'changed'; readonly diff: StepDiff; readonly reason: string }
  | {
      readonly t: 'replace';
      readonly diff: StepDiff;
      readonly reason: string;
      /** The provider asks for delete-first. */
      readonly deleteFirst: boolean;
    };

/**
 * The order in which reasons to change are looked for (engine-behaviours-1.md A7). Called with a prior entry present and the
 * first check answered.
 */
export function compare(facts: Facts): Comparison {
  const { goal, view, answers } = facts;
  const prior = comparedEntry(facts);
  if (prior === undefined) return { t: 'same' };
  const trigger = replacementTrigger(facts);
  if ('refusal' in trigger) return { t: 'refuse', diagnostic: trigger.refusal };
  if (trigger.fires) return forced('replacementTrigger', 'its replacement trigger changed');
  if (isForced(facts)) return forced('id', prior.taint ? 'it is tainted' : 'its replacement was asked for');
  const partner = goal.replaceWith.find((urn) => view.isReplaced(urn));
  if (partner !== undefined) return forced('replaceWith', `it is replaced with ${partner}`);
  if (goal.deletedWith !== undefined && view.isReplaced(goal.deletedWith)) {
    return forced('deletedWith', `${goal.deletedWith}, with which its object is deleted, is replaced`);
  }
  const provider = providerChange(facts);
  if (provider === 'ask') return askProviderChange(facts);
  if (provider === 'replace') return forced('provider', 'its provider changed');
  if (!goal.custom) return compareComponents(facts);
  if (answers.diff === undefined) {
    return { t: 'ask', question: { t: 'diff', goal, prior, inputs: checkedInputs(facts) } };
  }
  return judge(facts, answers.diff);
}

function forced(key: string, reason: string, deleteFirst = false): Comparison {
  return { t: 'replace', diff: { ...noDiff, replaceKeys: [key] }, reason, deleteFirst };
}

function compareComponents(facts: Facts): Comparison {
  const prior = comparedEntry(facts);
  if (prior === undefined || equalMaps(prior.inputs, facts.goal.inputs)) return { t: 'same' };
  return changed(structuralDiff(prior.inputs, facts.goal.inputs, []));
}

function judge(facts: Facts, answer: DiffResponse | 'unavailable'): Comparison {
  const prior = comparedEntry(facts);
  if (prior === undefined) return { t: 'same' };
  if (answer === 'unavailable') {
    return { t: 'changed', diff: noDiff, reason: 'its provider is not configured yet, so it may change' };
  }
  const { goal } = facts;
  const resolved = resolveUnknown(answer, prior.inputs, checkedInputs(facts), goal.ignoreChanges);
  const diff = promoteReplacements(resolved, goal.replaceOnChanges);
  if (wantsReplacement(diff)) {
    const { replaceKeys } = diff;
    const what = replaceKeys.length === 0 ? 'a property' : replaceKeys.join(', ');
    return {
      t: 'replace',
      diff: stepDiff(diff),
      reason: `${what} cannot be changed in place`,
      deleteFirst: diff.deleteBeforeReplace,
    };
  }
  if (prior.initErrors.length > 0) {
    if (initErrorsReplace(goal.replaceOnChanges)) {
      return forced('#initerror', 'it did not become ready', diff.deleteBeforeReplace);
    }
    if (diff.changes === 'none') return { t: 'changed', diff: noDiff, reason: 'it did not become ready' };
  }
  return diff.changes === 'none' ? { t: 'same' } : changed(diff);
}

function changed(diff: DiffResponse): Comparison {
  if (diff.changes === 'none') return { t: 'same' };
  const keys = diff.changedKeys.join(', ');
  return {
    t: 'changed',
    diff: stepDiff(diff),
    reason: keys === '' ? 'its provider reports changes' : `${keys} changed`,
  };
}

function stepDiff(diff: DiffResponse): StepDiff {
  return { replaceKeys: diff.replaceKeys, changedKeys: diff.changedKeys, detailedDiff: diff.detailedDiff };
}

/** Whether moving to another provider reference means a new object (A16 "Provider change on a resource"). */
function providerChange(facts: Facts): 'no' | 'replace' | 'ask' {
  const from = comparedEntry(facts)?.provider;
  const to = facts.goal.provider;
  if (from === to) return 'no';
  if (from === undefined || to === undefined) return 'replace';
  const old = parseProviderReference(from);
  const present = parseProviderReference(to);
  if (facts.view.claimedBy(old.urn) === present.urn && old.id === present.id) return 'no';
  if (facts.answers.providerReplaces === undefined) return 'ask';
  return facts.answers.providerReplaces ? 'replace' : 'no';
}

function askProviderChange(facts: Facts): Comparison {
  const from = comparedEntry(facts)?.provider;
  const { provider: to, urn } = facts.goal;
  if (from === undefined || to === undefined) return { t: 'same' };
  return { t: 'ask', question: { t: 'provider-change', urn, from, to } };
}
