import { parseProviderReference } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import { sameStep } from '../model/make-step.js';
import { analyzeAsItIs } from './analyze.js';
import type { Facts } from './facts.js';
import { missingReference } from './prerequisites.js';
import {
  leftOutErrors,
  leftOutReferences,
  mayNotNeedLeftOut,
  unknownInputs,
  untargetedCreate,
} from './left-out.js';
import { isInScope, isLimited } from './scope.js';
import { turnedAround } from './turned-around.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/**
 * Leaves out resources that are not in scope: existing ones remain unchanged, new ones are not created. Refuses a
 * resource in scope that needs one that was left out [TGT-5] [TGT-6].
 */
export function leaveOutOfScope(facts: Facts): Verdict | undefined {
  const outside = keepOutOfScope(facts);
  if (outside !== undefined) return outside;
  const circle = turnedAround(facts);
  if (circle !== undefined) return refuse(circle);
  const { goal, scope, view, policy } = facts;
  if (policy.preview || !isLimited(scope)) return undefined;
  if (mayNotNeedLeftOut(scope) && leftOutReferences(goal, view).length > 0)
    return refuse(...leftOutErrors(goal, scope, view), untargetedCreate());
  const unknown = unknownInputs(goal, view, false);
  return unknown === undefined ? undefined : refuse(unknown);
}

/** First half of {@link leaveOutOfScope}: resources that are not in scope themselves. */
export function keepOutOfScope(facts: Facts): Verdict | undefined {
  if (isInScope(facts)) return undefined;
  return facts.prior === undefined ? { t: 'leave-out' } : keepAsItIs(facts);
}

/**
 * Returns objections that preview collects instead of refusing. Refreshes and destroys leave out resources that need a
 * missing one.
 */
export function scopeNotes(facts: Facts): readonly Diagnostic[] {
  if (facts.policy.mode !== 'apply') return [];
  return isInScope(facts) ? leftOutErrors(facts.goal, facts.scope, facts.view) : [];
}

function keepAsItIs(facts: Facts): Verdict {
  const { prior, cell, goal, oldUrn, view, policy } = facts;
  if (prior === undefined || cell === undefined) return { t: 'leave-out' };
  const against = lostProvider(facts) ?? missingReference(facts);
  if (against !== undefined) return refuse(against);
  const analysis = policy.mode === 'apply' ? analyzeAsItIs(facts, prior) : undefined;
  if (analysis !== undefined) return analysis;
  const isRenamed = oldUrn !== undefined && oldUrn !== goal.urn;
  if (!isRenamed && view.isKept(cell)) return carryOut([]);
  const renamed = isRenamed ? { aliases: [oldUrn] } : {};
  return carryOut([
    sameStep(cell, prior, withEntry(prior, { urn: goal.urn, ...renamed }), { t: 'out-of-scope' }),
  ]);
}

/**
 * Makes the error for the lost provider of an untouched resource. It keeps its provider, and an up must still register
 * that one [TGT-5]. Components use none.
 */
function lostProvider(facts: Facts): Diagnostic | undefined {
  const { prior, goal, view, entries, scope, policy } = facts;
  if (policy.mode !== 'apply') return undefined;
  if (prior?.provider === undefined || !prior.custom || prior.provider === goal.provider) return undefined;
  const { urn, id } = parseProviderReference(prior.provider);
  if (view.progress(urn) !== undefined || view.claimedBy(urn) !== undefined) return undefined;
  if (entries.live(urn)?.entry.id !== id) return undefined;
  const flag = scope.targets.constrained ? '--target' : '--exclude';
  return errorDiagnostic(
    'CAIRN-PROVIDER-REFERENCE',
    `provider ${prior.provider} for resource ${goal.urn} has not been registered yet, this is due to a change of ` +
      `providers mixed with ${flag}. Change your program back to the original providers`,
    { urn: goal.urn, hint: `Or run without ${flag}, so that the resource moves to its new provider.` },
  );
}
