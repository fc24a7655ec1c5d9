import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { equalMaps } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import type { Reason } from '../model/reason.js';
import { noDiff } from '../model/step.js';
import type { StepDiff } from '../model/step.js';
import { checkedInputs } from './check-inputs.js';
import { comparedEntry, isForced } from './facts.js';
import type { Facts } from './facts.js';
import { initErrorsReplace, promoteReplacements, wantsReplacement } from './replace-on-changes.js';
import { replacementTrigger } from './replacement-trigger.js';
import { changeReason, replacementReason } from './reasons.js';
import { settledDiff } from './settled.js';
import { resolveUnknown, structuralDiff } from './structural-diff.js';
import type { Question } from './verdict.js';

/** Difference between goal and prior entry, or the question whose answer is missing. */
type Comparison =
  | { readonly t: 'ask'; readonly question: Question }
  | { readonly t: 'refuse'; readonly diagnostic: Diagnostic }
  | { readonly t: 'same' }
  | { readonly t: 'changed'; readonly diff: StepDiff; readonly reason: Reason }
  | {
      readonly t: 'replace';
      readonly diff: StepDiff;
      readonly reason: Reason;
      /** True if the provider asks for delete-first. */
      readonly deleteFirst: boolean;
    };

/**
 * Compares goal and prior entry. Looks for reasons to change in a fixed order [DIFF-1]. Called with a prior entry
 * present and the first check answered.
 */
export function compare(facts: Facts): Comparison {
  const { goal, view, answers } = facts;
  const prior = comparedEntry(facts);
  if (prior === undefined) return { t: 'same' };
  const trigger = replacementTrigger(facts);
  if ('refusal' in trigger) return { t: 'refuse', diagnostic: trigger.refusal };
  if (trigger.fires)
    return forced('replacementTrigger', {
      t: 'option',
      name: 'replacementTrigger',
      keys: [],
      sources: [],
    });
  if (isForced(facts)) return forced('id', { t: prior.taint ? 'taint' : 'requested' });
  const partner = goal.replaceWith.find((urn) => view.isReplaced(urn));
  if (partner !== undefined) return forced('replaceWith', replacedWith(partner, 'replaceWith'));
  if (goal.deletedWith !== undefined && view.isReplaced(goal.deletedWith)) {
    return forced('deletedWith', replacedWith(goal.deletedWith, 'deletedWith'));
  }
  const provider = providerChange(facts);
  if (provider === 'ask') return askProviderChange(facts);
  if (provider === 'replace') {
    return forced('provider', { t: 'provider', from: prior.provider, to: goal.provider });
  }
  if (!goal.custom) return compareComponents(facts);
  const inputs = checkedInputs(facts);
  if (facts.policy.legacyDiff === true && equalMaps(prior.inputs, inputs)) {
    return judge(facts, structuralDiff(prior.inputs, prior.inputs, []));
  }
  const diff = answers.diff ?? settledDiff(answers, prior, inputs);
  return diff === undefined ? { t: 'ask', question: { t: 'diff', goal, prior, inputs } } : judge(facts, diff);
}

function replacedWith(urn: Urn, link: 'replaceWith' | 'deletedWith'): Reason {
  return { t: 'dependency', urn, link, keys: [] };
}

function forced(key: string, reason: Reason, deleteFirst = false): Comparison {
  return { t: 'replace', diff: { ...noDiff, replaceKeys: [key] }, reason, deleteFirst };
}

function compareComponents(facts: Facts): Comparison {
  const prior = comparedEntry(facts);
  const inputs = checkedInputs(facts);
  if (prior === undefined || equalMaps(prior.inputs, inputs)) return { t: 'same' };
  return changed(facts, structuralDiff(prior.inputs, inputs, []));
}

function judge(facts: Facts, answer: DiffResponse | 'unavailable'): Comparison {
  const prior = comparedEntry(facts);
  if (prior === undefined) return { t: 'same' };
  if (answer === 'unavailable') {
    return { t: 'changed', diff: noDiff, reason: { t: 'provider-unknown' } };
  }
  const { goal } = facts;
  const resolved = resolveUnknown(answer, prior.inputs, checkedInputs(facts), goal.ignoreChanges);
  const diff = promoteReplacements(resolved, goal.replaceOnChanges);
  if (wantsReplacement(diff)) {
    return {
      t: 'replace',
      diff: stepDiff(diff),
      reason: replacementReason(facts, diff, !wantsReplacement(resolved)),
      deleteFirst: diff.deleteBeforeReplace,
    };
  }
  if (prior.initErrors.length > 0) {
    if (initErrorsReplace(goal.replaceOnChanges)) {
      return forced('#initerror', { t: 'init-errors' }, diff.deleteBeforeReplace);
    }
    if (diff.changes === 'none') return { t: 'changed', diff: noDiff, reason: { t: 'init-errors' } };
  }
  return diff.changes === 'none' ? { t: 'same' } : changed(facts, diff);
}

function changed(facts: Facts, diff: DiffResponse): Comparison {
  if (diff.changes === 'none') return { t: 'same' };
  return { t: 'changed', diff: stepDiff(diff), reason: changeReason(facts, diff) };
}

function stepDiff(diff: DiffResponse): StepDiff {
  return { replaceKeys: diff.replaceKeys, changedKeys: diff.changedKeys, detailedDiff: diff.detailedDiff };
}

/** Decides whether a move to another provider reference requires a new object [DIFF-12]. */
export function providerChange(facts: Facts): 'no' | 'replace' | 'ask' {
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

export function askProviderChange(facts: Facts): Extract<Comparison, { readonly t: 'ask' | 'same' }> {
  const from = comparedEntry(facts)?.provider;
  const { provider: to, urn } = facts.goal;
  if (from === undefined || to === undefined) return { t: 'same' };
  return { t: 'ask', question: { t: 'provider-change', urn, from, to } };
}
