import { unreachable } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import {
  createStep,
  createReplacement,
  goalEntry,
  replace,
  sameStep,
  updateStep,
} from '../model/make-step.js';
import type { Reason } from '../model/reason.js';
import { noDiff } from '../model/step.js';
import { analyzeInputs, policyNotes } from './analyze.js';
import { checkInputs, checkedInputs } from './check-inputs.js';
import { compare } from './compare.js';
import { goOn, providerChanged } from './continued.js';
import { skipDependents } from './failed-dependencies.js';
import type { ProgramMode } from './operation-phases.js';
import { comparedEntry, comparedCell, hasVanished, isRead } from './facts.js';
import type { Facts, ReadFacts } from './facts.js';
import { importFirst } from './import.js';
import { resultingEntry } from './registered-prior.js';
import {
  leaveOutUnread,
  lookAtManaged,
  readNotes,
  decideRead,
  refuseNeedOfLeftOut,
  refuseTurnedAround,
  refuseWithoutId,
} from './read.js';
import { recreateResource, replaceResource } from './replace.js';
import { keepUntilDeleted, leaveOutAbsent, lookUpFirst, lookUpOnly } from './run-program.js';
import { keepOutOfScope, leaveOutOfScope, scopeNotes } from './targets.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

type Rule<F> = (facts: F) => Verdict | undefined;

/** Rules in their order, by the mode of the program. The first that returns a verdict decides. */
const RULES = {
  apply: [
    skipDependents, //     a resource that it needs failed or was skipped
    leaveOutOfScope, //    the user excluded it
    goOn, //               an earlier change of the lineage has completed it
    lookUpFirst, //        its object is looked up; then the rules run again
    importFirst, //        the object exists and is taken over; then the rules run again
    recreateResource, //   its object was deleted ahead of it
    checkInputs, //        the rules below use checked inputs
    analyzeInputs, //      and corrections of policies
    createResource, //     there is no prior entry to compare with
    takeOwnership, //      so far it was only read
    changeResource, //     same, update or replace
  ],
  refresh: [
    skipDependents,
    keepOutOfScope, //     the user excluded it
    lookUpOnly, //         managed objects that are in state
    leaveOutAbsent, //     there is no object to look at; below: providers and components as usual
    recreateResource,
    checkInputs,
    createResource,
    changeResource,
  ],
  destroy: [
    skipDependents,
    keepOutOfScope, //     the user excluded it
    leaveOutAbsent, //     there is nothing to delete
    lookUpFirst, //        its object is looked up; then the rules run again
    keepUntilDeleted, //   managed objects; below: providers and components as usual
    recreateResource,
    checkInputs,
    createResource,
    changeResource,
  ],
} as const satisfies Record<ProgramMode, readonly Rule<Facts>[]>;

/** The same for resources that the program only looks up [REG-14] [TGT-6]. */
const READ_RULES = {
  apply: [
    skipDependents, //      a resource that it needs failed or was skipped
    refuseTurnedAround, //  an unchanged entry and it depend on each other
    refuseNeedOfLeftOut, // it needs a resource that the user left out
    refuseWithoutId, //     there is nothing to look up
    decideRead,
  ],
  refresh: [
    skipDependents,
    leaveOutUnread, //      it cannot be read in such a run
    refuseWithoutId,
    lookAtManaged, //       it is managed under this name
    decideRead,
  ],
  destroy: [skipDependents, leaveOutUnread, refuseWithoutId, decideRead],
} as const satisfies Record<ProgramMode, readonly Rule<ReadFacts>[]>;

/**
 * Decides about one registration or read, as a pure function of the facts. After each answered question it is called
 * again from the top with a fresh view of the run. Meanwhile another registration may have decided about this one.
 */
export function decide(facts: Facts | ReadFacts): Verdict {
  const { mode } = facts.policy;
  if (isRead(facts))
    return withNotes(firstVerdict<ReadFacts>(READ_RULES[mode], facts), () => readNotes(facts));
  return withNotes(firstVerdict<Facts>(RULES[mode], facts), () => notesOf(facts));
}

function firstVerdict<F>(rules: readonly Rule<F>[], facts: F): Verdict {
  for (let at = 0; at < rules.length; at++) {
    const verdict = (rules[at] as Rule<F>)(facts);
    if (verdict !== undefined) return verdict;
  }
  return carryOut([]);
}

function createResource(facts: Facts): Verdict | undefined {
  if (comparedEntry(facts) !== undefined) return undefined;
  const entry = goalEntry(facts.goal, checkedInputs(facts), undefined);
  return carryOut([createStep(entry, { t: hasVanished(facts) ? 'vanished' : 'new' })]);
}

function takeOwnership(facts: Facts): Verdict | undefined {
  const { prior, cell } = facts;
  if (prior?.external !== true || cell === undefined || facts.answers.imported !== undefined)
    return undefined;
  const entry = goalEntry(facts.goal, checkedInputs(facts), facts.oldUrn);
  const reason: Reason = { t: 'ownership' };
  return carryOut([
    createReplacement(cell, prior, entry, noDiff, reason),
    replace(prior, entry, noDiff, reason),
  ]);
}

function changeResource(facts: Facts): Verdict | undefined {
  const prior = comparedEntry(facts);
  const cell = comparedCell(facts);
  if (prior === undefined || cell === undefined) return undefined;
  const comparison = compare(facts);
  switch (comparison.t) {
    case 'ask':
      return comparison;
    case 'refuse':
      return refuse(comparison.diagnostic);
    case 'replace':
      return replaceResource(facts, comparison);
    case 'changed': {
      const entry = resultingEntry(facts, prior);
      return carryOut([updateStep(cell, prior, entry, comparison.diff, comparison.reason)]);
    }
    case 'same':
      if (facts.answers.imported !== undefined) return carryOut([]);
      return carryOut([sameStep(cell, prior, resultingEntry(facts, prior))]);
    default:
      return unreachable(comparison);
  }
}

/** Adds the notes that preview collects instead of refusing. */
function withNotes(verdict: Verdict, notesOf: () => readonly Diagnostic[]): Verdict {
  if (verdict.t !== 'do' || verdict.then !== 'reply') return verdict;
  const notes = notesOf();
  return notes.length === 0 ? verdict : { ...verdict, notes: [...verdict.notes, ...notes] };
}

function notesOf(facts: Facts): readonly Diagnostic[] {
  const provider = facts.continued && providerChanged(facts.goal, facts.continued);
  return [...scopeNotes(facts), ...policyNotes(facts), ...(provider === undefined ? [] : [provider])];
}
