import { isProviderType } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { isOwedNaming } from '../model/naming.js';
import type { Goal } from '../model/goal.js';
import type { StepKind } from '../model/step-kinds.js';
import { ignoreChanges } from './ignore-changes.js';
import type { Answers, Question } from './verdict.js';

/** A registration with the inputs for its check. Its digest tells whether the state can answer. */
interface Settling {
  readonly goal: Goal;
  readonly news: PropertyMap;
  readonly entry: ResourceEntry;
}

/** Answer to a diff that finds nothing to do. */
const NO_CHANGES: DiffResponse = {
  changes: 'none',
  replaceKeys: [],
  changedKeys: [],
  stableKeys: [],
  detailedDiff: undefined,
  deleteBeforeReplace: false,
};

/**
 * Returns the registration that a check is about if the state may answer it [DIFF-14]. Undefined if the provider must
 * be asked: nothing of the prior object counts, it was just imported, or the question itself has something to report.
 */
export function settling(
  question: Question,
  answers: Answers,
  prior: ResourceEntry | undefined,
): Settling | undefined {
  if (question.t !== 'check' || question.again || prior === undefined) return undefined;
  const { goal, olds, news, skippedPaths } = question;
  if (olds === undefined || olds !== prior.inputs || answers.imported !== undefined) return undefined;
  if (!mayBeSettled(goal) || skippedPaths.length > 0) return undefined;
  return { goal, news, entry: prior };
}

/** Returns the answers to a check that the state answers under this digest: the inputs of the entry. */
export function settledCheck(answers: Answers, entry: ResourceEntry, digest: string): Answers {
  return { ...answers, check: { inputs: entry.inputs, failures: [] }, settled: digest };
}

/**
 * Returns the diff after a check that the state has answered. Undefined if the provider must be asked: after any other
 * check, and if policy packs have corrected the inputs.
 */
export function settledDiff(
  { settled }: Answers,
  prior: Pick<ResourceEntry, 'inputs'>,
  inputs: PropertyMap,
): DiffResponse | undefined {
  const isSettled = settled !== undefined && (inputs === prior.inputs || equalMaps(inputs, prior.inputs));
  return isSettled ? NO_CHANGES : undefined;
}

/** Steps after which an object has no diff with the inputs that it was made or altered with. */
const SETTLING: Partial<Record<StepKind, true>> = { create: true, update: true, 'create-replacement': true };

/** A registration that was answered, with the entry that it has now. */
interface Done {
  readonly goal: Goal;
  readonly answers: Answers;
  /** Entry that the registration was compared with. */
  readonly prior: ResourceEntry | undefined;
  readonly kinds: readonly StepKind[];
  readonly entry: ResourceEntry;
}

/**
 * Returns the registration as the next operation will find it, if its check and diff will then find nothing to do
 * [DIFF-14]. Undefined if that is not certain.
 */
export function settledAfter({ goal, answers, prior, kinds, entry }: Done): Settling | undefined {
  const { check, recheck, analysis, diff, imported, lookedUp } = answers;
  if (check === undefined || imported !== undefined || lookedUp === true || !mayBeSettled(goal))
    return undefined;
  if (analysis?.remediated === true || entry.initErrors.length > 0) return undefined;
  if (!equalMaps(entry.inputs, (recheck ?? check).inputs)) return undefined;
  const { inputs: news, skipped } = ignoreChanges(goal.inputs, entry.inputs, goal.ignoreChanges);
  if (kinds.some((kind) => SETTLING[kind])) {
    // An ignored path had another value when the inputs were checked.
    return goal.ignoreChanges.length === 0 ? { goal, news, entry } : undefined;
  }
  const isSame = kinds.length === 1 && kinds[0] === 'same' && prior !== undefined && skipped.length === 0;
  if (!isSame || diff === undefined || diff === 'unavailable' || !isSilent(diff)) return undefined;
  return equalMaps(prior.inputs, entry.inputs) ? { goal, news, entry } : undefined;
}

/** True if the diff names no property: one that names some without a change is worth a warning each time. */
function isSilent({ replaceKeys, changedKeys, detailedDiff }: DiffResponse): boolean {
  const paths = Object.keys(detailedDiff ?? {});
  return replaceKeys.length === 0 && changedKeys.length === 0 && paths.length === 0;
}

/** True for resources with a provider of their own, whose naming asks for no warning. */
function mayBeSettled({ custom, type, naming }: Goal): boolean {
  return custom && !isProviderType(type) && (naming === undefined || !isOwedNaming(naming));
}
