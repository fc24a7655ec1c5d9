import { isProviderType, isRootStackUrn, parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import { eachReference } from '../prior/references.js';
import { same } from '../steps/make.js';
import type { Facts } from './facts.js';
import type { RunView } from '../ledger/queries.js';
import { goalReferences } from './goal-references.js';
import type { Referring } from './goal-references.js';
import { carryOut, refuse } from './verdict.js';
import type { Verdict } from './verdict.js';

/** Whether the goal is named by the targets, itself or (with dependents) through something it refers to. */
export function isTarget(facts: Facts): boolean {
  const { targets, targetDependents } = facts.scope;
  if (targets.names(facts.goal.urn)) return true;
  if (!targetDependents) return false;
  for (const urn of goalReferences(facts.goal)) {
    if (facts.view.isTargeted(urn) || targets.names(urn)) return true;
  }
  return false;
}

/** Whether the goal takes part in the operation (engine-behaviours-2.md A2). */
export function isInScope(facts: Facts): boolean {
  if (!facts.scope.targets.constrained) return true;
  return isProviderType(facts.goal.type) || isRootStackUrn(facts.goal.urn) || isTarget(facts);
}

/**
 * Leaves out what is not in scope: existing resources stay as they are, new ones are not created. Refuses a resource in
 * scope that needs one that was left out.
 */
export function leaveOutOfScope(facts: Facts): Verdict | undefined {
  if (!isInScope(facts)) return facts.prior === undefined ? { t: 'leave-out' } : keepAsItIs(facts);
  const circle = circleThroughUntouched(facts);
  if (circle !== undefined) return refuse(circle);
  const needed = leftOutReference(facts);
  return needed === undefined || facts.policy.preview ? undefined : refuse(dependsOnLeftOut(facts, needed));
}

/** Objections that preview collects instead of refusing. */
export function scopeNotes(facts: Facts): readonly Diagnostic[] {
  const needed = facts.scope.targets.constrained ? leftOutReference(facts) : undefined;
  return needed === undefined ? [] : [dependsOnLeftOut(facts, needed)];
}

function keepAsItIs(facts: Facts): Verdict {
  const { prior, slot, goal, oldUrn } = facts;
  if (prior === undefined || slot === undefined) return { t: 'leave-out' };
  const lost = lostProvider(facts);
  if (lost !== undefined) return refuse(lost);
  const renamed = oldUrn === undefined || oldUrn === goal.urn ? {} : { aliases: [oldUrn] };
  return carryOut([same(slot, prior, withEntry(prior, { urn: goal.urn, ...renamed }), true)]);
}

/** An untouched resource keeps its provider, so that provider must still be registered (A2.5). */
function lostProvider(facts: Facts): Diagnostic | undefined {
  const { prior, goal, view, entries } = facts;
  if (prior?.provider === undefined || prior.provider === goal.provider) return undefined;
  const { urn, id } = parseProviderReference(prior.provider);
  if (view.progress(urn) !== undefined || view.claimedBy(urn) !== undefined) return undefined;
  if (entries.live(urn)?.entry.id !== id) return undefined;
  return errorDiagnostic(
    'CAIRN-PROVIDER-REFERENCE',
    `provider ${prior.provider} for resource ${goal.urn} has not been registered yet, ` +
      'this is due to a change of providers mixed with --target',
    { urn: goal.urn, hint: 'Change your program back to the original providers.' },
  );
}

/**
 * A resource kept as it was also keeps what it depends on. Something in scope that now depends on it must not be among
 * that: the state would have no order. Only met when a program turns a dependency around under targets.
 */
function circleThroughUntouched(facts: Facts): Diagnostic | undefined {
  const { goal, oldUrn, view, entries, scope } = facts;
  if (!scope.targets.constrained) return undefined;
  const seen = new Set<Urn>();
  const queue = [...goalReferences(goal)].filter((urn) => view.isUntouched(urn));
  for (let urn = queue.pop(); urn !== undefined; urn = queue.pop()) {
    if (urn === goal.urn || urn === oldUrn) return circular(goal.urn);
    if (seen.has(urn)) continue;
    seen.add(urn);
    const kept = entries.live(view.oldUrn(urn) ?? urn);
    if (kept !== undefined) eachReference(kept.entry, (needed) => queue.push(needed));
  }
  return undefined;
}

function circular(urn: Urn): Diagnostic {
  return errorDiagnostic(
    'CAIRN-RESOURCE-CYCLE',
    `${urn} depends on a resource outside the --target list that still depends on it`,
    { urn, hint: 'Add the resources it depends on to the targets, or run without --target.' },
  );
}

function leftOutReference(facts: Facts): Urn | undefined {
  return leftOutNeed(facts.goal, facts.view);
}

/** The first thing a goal refers to that was left out of the operation. */
export function leftOutNeed(goal: Referring, view: RunView): Urn | undefined {
  for (const urn of goalReferences(goal)) if (view.progress(urn) === 'left-out') return urn;
  return undefined;
}

function dependsOnLeftOut(facts: Facts, needed: Urn): Diagnostic {
  return needsLeftOut(facts.goal.urn, needed);
}

/** What is said of a resource or read that needs a create that was left out (A2.6). */
export function needsLeftOut(urn: Urn, needed: Urn): Diagnostic {
  return errorDiagnostic(
    'CAIRN-RESOURCE-OPTION',
    `Resource '${urn}' depends on '${needed}' which was not specified in --target list.`,
    { urn, hint: `Add --target '${needed}', or run without --target.` },
  );
}
