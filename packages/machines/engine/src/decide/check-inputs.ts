import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { CheckFailure } from '@cairn/wire';
import { comparedEntry, startsAfresh } from './facts.js';
import type { Facts } from './facts.js';
import { ignoreChanges } from './ignore-changes.js';
import { withLateInputs } from './late-inputs.js';
import { shownProperty } from './shown-value.js';
import { refuse } from './verdict.js';
import type { Checked, Verdict } from './verdict.js';

/**
 * Asks for the first check and refuses the failures in its answer [REG-6]. If nothing of the prior object is kept, the
 * check receives the program's raw inputs and no prior ones.
 */
export function checkInputs(facts: Facts): Verdict | undefined {
  const { goal, answers } = facts;
  if (!goal.custom) return undefined;
  if (answers.check !== undefined) return refuseFailures(facts, answers.check);
  const prior = comparedEntry(facts);
  if (prior === undefined || startsAfresh(facts)) {
    return ask(facts, undefined, { inputs: goal.inputs, skipped: [] }, false);
  }
  return ask(facts, prior, ignoreChanges(goal.inputs, prior.inputs, goal.ignoreChanges), false);
}

/**
 * Asks for the second check, for the object that replaces another: without prior inputs and without ignoreChanges.
 * Undefined if the first check already had that form, or if the answer is present and has no failures.
 */
export function recheckInputs(facts: Facts): Verdict | undefined {
  const { goal, answers } = facts;
  if (!goal.custom || startsAfresh(facts)) return undefined;
  if (answers.recheck !== undefined) return refuseFailures(facts, answers.recheck) ?? correctAgain(facts);
  return ask(facts, undefined, { inputs: goal.inputs, skipped: [] }, true);
}

/** Asks the policy packs that corrected the first inputs to correct the second ones as well. */
function correctAgain({ goal, answers }: Facts): Verdict | undefined {
  const { analysis, recheck, recorrected } = answers;
  if (analysis?.remediated !== true || recheck === undefined || recorrected !== undefined) return undefined;
  return { t: 'ask', question: { t: 'analyze', goal, inputs: recheck.inputs, again: true } };
}

/**
 * Returns the inputs to compare and to update with. Custom resources have the checked ones, components their own with
 * the prior values of late ones. Corrections of policy packs are included.
 */
export function checkedInputs(facts: Facts): PropertyMap {
  const { analysis, check } = facts.answers;
  const { inputs, lateInputs } = facts.goal;
  const known = analysis?.inputs ?? check?.inputs ?? inputs;
  if (lateInputs.length === 0) return known;
  return withLateInputs(known, lateInputs, comparedEntry(facts)?.inputs, facts.policy.preview);
}

/** Returns the inputs for the create of a replacement. */
export function recheckedInputs(facts: Facts): PropertyMap {
  const { recorrected, recheck } = facts.answers;
  return recorrected ?? recheck?.inputs ?? checkedInputs(facts);
}

function ask(
  facts: Facts,
  prior: ResourceEntry | undefined,
  news: { readonly inputs: PropertyMap; readonly skipped: readonly string[] },
  again: boolean,
): Verdict {
  const { goal } = facts;
  return {
    t: 'ask',
    question: {
      t: 'check',
      goal,
      olds: prior?.inputs,
      oldOutputs: prior?.outputs,
      news: news.inputs,
      again,
      skippedPaths: news.skipped,
    },
  };
}

function refuseFailures(facts: Facts, checked: Checked): Verdict | undefined {
  if (checked.failures.length === 0) return undefined;
  return refuse(...checked.failures.map((failure) => checkFailure(facts, checked.inputs, failure)));
}

function checkFailure(facts: Facts, inputs: PropertyMap, { property, reason }: CheckFailure): Diagnostic {
  const { urn, type, name } = facts.goal;
  const of = property === '' ? '' : `property ${property} value ${shownProperty(inputs, property)} `;
  return errorDiagnostic(
    'CAIRN-RESOURCE-CHECK',
    `${type} resource '${name}': ${of}has a problem: ${reason}`,
    {
      urn,
      hint: 'Correct the property in the program.',
    },
  );
}
