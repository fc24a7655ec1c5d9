import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { read, refresh, replace } from '../model/make-step.js';
import { noDiff } from '../model/step.js';
import { deletedAhead } from './facts.js';
import type { ReadFacts } from './facts.js';
import { leftOutErrors, leftOutReferences, untargetedCreate } from './left-out.js';
import { turnedAround } from './turned-around.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/** What stays as it was and still depends on the resource must not be what it depends on. */
export function refuseTurnedAround(facts: ReadFacts): Verdict | undefined {
  const circle = turnedAround(facts);
  return circle && refuse(circle);
}

/** A read needs something that was left out of the run; a preview goes on to find everything of the kind [TGT-6]. */
export function refuseNeedOfLeftOut(facts: ReadFacts): Verdict | undefined {
  if (facts.policy.preview) return undefined;
  const errors = readNotes(facts);
  return errors.length === 0 ? undefined : refuse(...errors, untargetedCreate());
}

/**
 * A program that is run for a refresh or a destroy does not read what needs something left out, or what it has no id
 * of [REF-5] [DEL-7].
 */
export function leaveOutUnread({ goal, prior, view, policy }: ReadFacts): Verdict | undefined {
  const needsLeftOut = leftOutReferences(goal, view).length > 0;
  return needsLeftOut || (goal.idUnknown && !policy.preview) ? { t: 'leave-out', stored: prior } : undefined;
}

/** There is nothing to look up. */
export function refuseWithoutId(facts: ReadFacts): Verdict | undefined {
  const { id, urn } = facts.goal;
  return id === '' ? refuse(...readNotes(facts), withoutId(urn)) : undefined;
}

/** A refresh does not give up an object that is managed under this name, but looks at it [REF-5]. */
export function lookAtManaged({ cell, prior }: ReadFacts): Verdict | undefined {
  return cell !== undefined && prior?.external === false ? carryOut([refresh(cell)]) : undefined;
}

/**
 * The chain of a read [REG-2]: nothing, an external entry or a managed one with the same id are simply
 * read; a managed one with another id is replaced, and its object goes at the end.
 */
export function readObject(facts: ReadFacts): Verdict {
  const { goal, cell, prior } = facts;
  const isOther = prior !== undefined && !prior.external && prior.id !== goal.id;
  const replaces = isOther && !prior.pendingReplacement && !deletedAhead(facts);
  const step = read(goal, cell, prior, replaces);
  return carryOut(replaces ? [step, replace(prior, step.new, noDiff, step.reason)] : [step]);
}

/** Objections that preview collects instead of refusing. */
export function readNotes({ goal, scope, view, policy }: ReadFacts): readonly Diagnostic[] {
  return policy.mode === 'apply' ? leftOutErrors(goal, scope, view) : [];
}

/** A mistake of the program, whose run is over with it. */
function withoutId(urn: Urn): Diagnostic {
  return errorDiagnostic('CAIRN-RESOURCE-OPTION', `cannot read ${urn}: the id is empty`, {
    urn,
    hint: 'Give the id of the object to look up.',
  });
}
