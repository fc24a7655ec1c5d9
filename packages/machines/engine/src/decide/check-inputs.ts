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
 * Asks for the first check and refuses what it refused [REG-6]. The check gets no prior inputs, and the
 * program's raw ones, when nothing of the prior object is to be kept.
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
 * The second check, for the object that replaces another: without prior inputs and without ignoreChanges. Undefined
 * when the first check was of that form already, or when the answer is there and has no failures.
 */
export function recheckInputs(facts: Facts): Verdict | undefined {
  const { goal, answers } = facts;
  if (!goal.custom || startsAfresh(facts)) return undefined;
  if (answers.recheck !== undefined) return refuseFailures(facts, answers.recheck) ?? correctAgain(facts);
  return ask(facts, undefined, { inputs: goal.inputs, skipped: [] }, true);
}

/** What policy packs corrected in the first inputs they correct in the second ones as well. */
function correctAgain({ goal, answers }: Facts): Verdict | undefined {
  const { analysis, recheck, recorrected } = answers;
  if (analysis?.remediated !== true || recheck === undefined || recorrected !== undefined) return undefined;
  return { t: 'ask', question: { t: 'analyze', goal, inputs: recheck.inputs, again: true } };
}

/**
 * Inputs to compare and to update with: checked ones of custom resources, the goal's own of components, with what is
 * left of late ones; corrected by policy packs.
 */
export function checkedInputs(facts: Facts): PropertyMap {
  const { analysis, check } = facts.answers;
  const { inputs, lateInputs } = facts.goal;
  const known = analysis?.inputs ?? check?.inputs ?? inputs;
  if (lateInputs.length === 0) return known;
  return withLateInputs(known, lateInputs, comparedEntry(facts)?.inputs, facts.policy.preview);
}

/** Inputs to create a replacement with. */
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
