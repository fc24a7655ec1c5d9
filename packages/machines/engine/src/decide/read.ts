import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { readStep, refreshStep, replace } from '../model/make-step.js';
import { noDiff } from '../model/step.js';
import { deletedAhead } from './facts.js';
import type { ReadFacts } from './facts.js';
import { leftOutErrors, leftOutReferences, untargetedCreate } from './left-out.js';
import { readInPlace } from './registered-prior.js';
import { turnedAround } from './turned-around.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/** Refuses a circle: a read that depends on an unchanged entry which still depends on the read. */
export function refuseTurnedAround(facts: ReadFacts): Verdict | undefined {
  const circle = turnedAround(facts);
  return circle && refuse(circle);
}

/**
 * Refuses a read that needs a resource that was left out of the run. A preview continues to find all of them [TGT-6].
 */
export function refuseNeedOfLeftOut(facts: ReadFacts): Verdict | undefined {
  if (facts.policy.preview) return undefined;
  const errors = readNotes(facts);
  return errors.length === 0 ? undefined : refuse(...errors, untargetedCreate());
}

/**
 * Leaves out a read in a program run for a refresh or a destroy [REF-5] [DEL-7]. This applies if it needs a resource
 * that was left out, or has no known id.
 */
export function leaveOutUnread({ goal, prior, view, policy }: ReadFacts): Verdict | undefined {
  const needsLeftOut = leftOutReferences(goal, view).length > 0;
  return needsLeftOut || (goal.idUnknown && !policy.preview) ? { t: 'leave-out', stored: prior } : undefined;
}

/** Refuses a read without an id. */
export function refuseWithoutId(facts: ReadFacts): Verdict | undefined {
  const { id, urn } = facts.goal;
  return id === '' ? refuse(...readNotes(facts), withoutId(urn)) : undefined;
}

/** Refreshes an object that is managed under this name. A refresh does not give it up [REF-5]. */
export function lookAtManaged({ cell, prior }: ReadFacts): Verdict | undefined {
  return cell !== undefined && prior?.external === false ? carryOut([refreshStep(cell)]) : undefined;
}

/**
 * Returns the chain of a read [REG-2]. Without a prior entry, or with an external one or a managed one with the same
 * id, the object is simply read. A managed one with another id is replaced, and its object is deleted at the end.
 */
export function decideRead(facts: ReadFacts): Verdict {
  const { goal, cell, prior } = facts;
  const isOther = prior !== undefined && !prior.external && prior.id !== goal.id;
  const replaces = isOther && !prior.pendingReplacement && !deletedAhead(facts);
  const step = readStep(readInPlace(facts), cell, prior, replaces);
  return carryOut(replaces ? [step, replace(prior, step.new, noDiff, step.reason)] : [step]);
}

/** Returns objections that preview collects instead of refusing. */
export function readNotes({ goal, scope, view, policy }: ReadFacts): readonly Diagnostic[] {
  return policy.mode === 'apply' ? leftOutErrors(goal, scope, view) : [];
}

/** Makes the error for a mistake of the program, which ends its run. */
function withoutId(urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-OPTION', `cannot read ${urn}: the id is empty`, {
    urn,
    hint: 'Give the id of the object to look up.',
  });
}
